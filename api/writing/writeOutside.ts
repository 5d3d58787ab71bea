import type { Presented } from '../../billing/json.ts';
import type { Caller } from '../../commands/kernel/caller.ts';
import { claimKey, releaseKey, storeKeyedAnswer } from '../../commands/kernel/idempotency.ts';
import type { EntityManager } from '../../db/orm.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { ApiRequest } from '../framework/apiRequest.ts';
import { type Reply, reply } from '../framework/route.ts';
import { asWanted } from '../reading/wanted.ts';
import { keyedRequest, replayed, whileKeyInUse } from './idempotency.ts';
import { answered } from './write.ts';

/** A write whose effect is outside the database and cannot be rolled back. */
export interface OutsideWrite<Told, Result> {
  /** Refuses an invalid request, in the transaction that claims the Idempotency-Key. */
  check(em: EntityManager, caller: Caller): Promise<unknown>;
  /** The effect, outside any transaction. */
  act(): Promise<Told>;
  /** Records the result. */
  record(em: EntityManager, came: { caller: Caller; told: Told }, systemNow: Date): Promise<Result>;
  present(result: Result): Presented;
}

/**
 * Claims the Idempotency-Key, performs the effect, and then stores the answer with the result. A concurrent request with the same key waits
 * and gets the same answer. It performs the effect itself only when the first request was cut off a minute ago.
 */
export async function writeOutside<Told, Result>(
  request: ApiRequest,
  rule: OutsideWrite<Told, Result>,
): Promise<Reply> {
  const { deps, caller } = request;
  const keyed = keyedRequest(request);
  const earlier = await whileKeyInUse(() =>
    inTransaction(deps.em, async (em) => {
      const found = keyed ? await claimKey(em, { ...keyed, cipher: deps.cipher }, deps.systemNow()) : null;
      if (!found) await rule.check(em, caller);
      return found;
    }),
  );
  if (earlier) return replayed(answered(earlier));
  try {
    const told = await rule.act();
    return await inTransaction(deps.em, async (em) => {
      const result = await rule.record(em, { caller, told }, deps.systemNow());
      await em.flush();
      const answer = reply(200, await asWanted(em, request, rule.present(result)));
      if (keyed) await storeKeyedAnswer(em, keyed, answer);
      return answer;
    });
  } catch (error) {
    // If this fails, the key is free again a minute after it was claimed.
    if (keyed) await inTransaction(deps.em, (em) => releaseKey(em, keyed)).catch(() => undefined);
    throw error;
  }
}
