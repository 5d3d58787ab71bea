import type { Presented } from '../../billing/json.ts';
import type { Caller } from '../../commands/kernel/caller.ts';
import { claimKey, releaseKey, storeKeyedAnswer } from '../../commands/kernel/idempotency.ts';
import { noteCommit, watchingCommits } from '../../db/commits.ts';
import type { EntityManager } from '../../db/orm.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { ApiRequest } from '../framework/apiRequest.ts';
import { type Reply, reply } from '../framework/route.ts';
import { expandAnswer } from '../reading/expandAnswer.ts';
import { keyedRequest, replayed, whileKeyInUse } from './idempotency.ts';
import { logWrite, shownBefore } from './logging.ts';
import { requireMatch, tagged } from './matching.ts';
import { answered } from './write.ts';

/** A write whose effect is outside the database and cannot be rolled back. */
export interface OutsideWrite<Outcome, Result> {
  /** Status of the answer. Default: 200. */
  statusCode?: 200 | 201;
  /** Throws a Refusal for an invalid request, in the transaction that claims the Idempotency-Key. */
  check(em: EntityManager, caller: Caller): Promise<unknown>;
  /** Has the effect, outside any transaction. */
  act(): Promise<Outcome>;
  /** Records the outcome, in a second transaction. */
  record(em: EntityManager, done: { caller: Caller; outcome: Outcome }, systemNow: Date): Promise<Result>;
  present(result: Result): Presented;
  /** Whether the response contains a secret. It is then stored encrypted. */
  sealed?: boolean;
}

/**
 * Handles a write with an outside effect: claims the Idempotency-Key, performs the effect, and stores the response with the result. A
 * concurrent request with the same key waits and gets the same response. A request performs the effect again only if the first one claimed
 * the key more than a minute ago and did not finish.
 */
export async function writeOutside<Outcome, Result>(
  request: ApiRequest,
  rule: OutsideWrite<Outcome, Result>,
): Promise<Reply> {
  const { deps, caller } = request;
  const keyed = keyedRequest(request);
  const { earlier, before } = await whileKeyInUse(() =>
    inTransaction(deps.em, async (em) => {
      const found = keyed ? await claimKey(em, { ...keyed, cipher: deps.cipher }, deps.systemNow()) : null;
      if (found) return { earlier: found, before: null };
      await requireMatch(em, request, deps.systemNow());
      await rule.check(em, caller);
      return { earlier: null, before: await shownBefore(em, request) };
    }),
  );
  if (earlier) return replayed(answered(earlier));
  const commits = { mayHaveHappened: false };
  try {
    const outcome = await rule.act();
    const store = () =>
      inTransaction(deps.em, async (em) => {
        const systemNow = deps.systemNow();
        await requireMatch(em, request, systemNow);
        const result = await rule.record(em, { caller, outcome }, systemNow);
        await em.write();
        const body = rule.present(result);
        logWrite(em, request, { body, sealed: rule.sealed, before }, systemNow);
        const shown = reply(rule.statusCode ?? 200, await expandAnswer(em, request, body));
        const answer = await tagged(em, request, { body, reply: shown });
        const kept = rule.sealed ? { ...answer, cipher: deps.cipher } : answer;
        if (keyed) await storeKeyedAnswer(em, keyed, kept);
        return answer;
      });
    return await watchingCommits(commits, store);
  } catch (error) {
    if (commits.mayHaveHappened)
      noteCommit(); // the request learns its outcome by its key, which is kept
    // If the release fails, the key is free again a minute after it was claimed.
    else if (keyed) await inTransaction(deps.em, (em) => releaseKey(em, keyed)).catch(() => undefined);
    throw error;
  }
}
