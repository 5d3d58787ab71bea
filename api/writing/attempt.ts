import { setTimeout as sleep } from 'node:timers/promises';
import { answerOf } from '../../commands/charges/answers.ts';
import { runAttempt, settleAttempt } from '../../commands/charges/attempts.ts';
import type { ProcessKey } from '../../commands/kernel/advance.ts';
import type { Caller } from '../../commands/kernel/caller.ts';
import { awaitAttempt, claimKey, type KeptAnswer, keepOutcome } from '../../commands/kernel/idempotency.ts';
import type { EntityManager } from '../../db/orm.ts';
import { Attempt } from '../../db/schema/attempt.ts';
import { inTransaction } from '../../db/transaction.ts';
import { unansweredInWords } from '../../present/payments/attempt.ts';
import type { ApiRequest } from '../framework/apiRequest.ts';
import { Busy } from '../framework/errors.ts';
import { type Reply, reply } from '../framework/route.ts';
import { whileOutside } from '../limits/admission.ts';
import { asWanted } from '../reading/wanted.ts';
import { keyedRequest, replayed, TWIN_MILLISECONDS, whileKeyInUse } from './idempotency.ts';

/** First of the three steps of an attempt, in a transaction that may be run again from the start. */
export type StartAttempt = (em: EntityManager, caller: Caller, systemNow: Date) => Promise<Attempt>;

/**
 * Every request that asks a gateway goes this way: one transaction claims the Idempotency-Key and commits the attempt; the gateway is
 * asked; what became of it is recorded, with the answer, and answered. A replay answers the same, or goes on where the first request
 * was cut off.
 */
export async function attempt(request: ApiRequest, start: StartAttempt): Promise<Reply> {
  const { deps, caller } = request;
  const begun = await whileKeyInUse(() => inTransaction(deps.em, (em) => begin(em, request, start)));
  if ('statusCode' in begun) return replayed(begun.isOutcome ? await inFull(request, begun) : begun);
  deps.poke();
  const key = { accountId: caller.account.id, id: begun.attemptId };
  if (begun.isNew) await whileOutside(() => runAttempt(deps, key));
  const answered = await inFull(request, await outcome(request, key));
  deps.poke();
  return begun.isNew ? answered : replayed(answered);
}

/**
 * An outcome, and what is stored of it, is the same whoever asked: what this request wants expanded is added here, and stored, so that
 * a replay has it as the first answer had it, whatever has become of the objects since.
 */
async function inFull(request: ApiRequest, { statusCode, json }: Reply): Promise<Reply> {
  const { deps } = request;
  if (statusCode >= 300 || json === null) return { statusCode, json };
  const shown = reply(statusCode, await asWanted(deps.em.fork(), request, JSON.parse(json)));
  const keyed = keyedRequest(request);
  if (!keyed || shown.json === json) return shown;
  return inTransaction(deps.em, (em) => keepOutcome(em, keyed, shown));
}

type Begun = KeptAnswer | { attemptId: number; isNew: boolean };

async function begin(em: EntityManager, request: ApiRequest, start: StartAttempt): Promise<Begun> {
  const { deps, caller } = request;
  const keyed = keyedRequest(request);
  const systemNow = deps.systemNow();
  const earlier = keyed ? await claimKey(em, { ...keyed, cipher: deps.cipher }, systemNow) : null;
  if (earlier) return 'attemptId' in earlier ? { ...earlier, isNew: false } : earlier;
  const { id } = await start(em, caller, systemNow);
  if (keyed) await awaitAttempt(em, keyed, id);
  return { attemptId: id, isNew: true };
}

const PAUSE_MILLISECONDS = 100;

/**
 * The outcome as soon as somebody has recorded it. What was left alone for longer than a gateway may take is settled here: its caller
 * is gone. Throws Busy when there still is no outcome after 20 s.
 */
async function outcome(request: ApiRequest, key: ProcessKey): Promise<Reply> {
  const { deps } = request;
  const giveUpAt = performance.now() + TWIN_MILLISECONDS;
  for (;;) {
    const answer = await answerOf(deps.em.fork(), key);
    if (answer) return { statusCode: answer.statusCode, json: JSON.stringify(answer.body) };
    const open = await deps.em.fork().findOneOrFail(Attempt, key);
    if (performance.now() >= giveUpAt) throw new Busy(stillUnknown(request, open));
    const { startedAt } = open;
    const isLeft = deps.systemNow().getTime() - startedAt.getTime() > deps.gatewayDeadline;
    if (isLeft) await whileOutside(() => settleAttempt(deps, key));
    await whileOutside(() => sleep(PAUSE_MILLISECONDS));
  }
}

/** A request without a key cannot ask again for what it began. */
function stillUnknown(request: ApiRequest, open: Attempt): string {
  const then = keyedRequest(request)
    ? 'send the same request with the same Idempotency-Key to learn the outcome'
    : 'look at what is stored before the request is sent again';
  return `${unansweredInWords(open)}; ${then}`;
}
