import { setTimeout as sleep } from 'node:timers/promises';
import { answerOf } from '../../commands/charges/answers.ts';
import { runAttempt, settleAttempt } from '../../commands/charges/attempts.ts';
import type { Caller } from '../../commands/kernel/caller.ts';
import { awaitAttempt, claimKey, type KeptAnswer, storeKeyedOutcome } from '../../commands/kernel/idempotency.ts';
import type { ProcessKey } from '../../commands/kernel/stepOutcome.ts';
import { isUnavailable } from '../../db/failure.ts';
import type { EntityManager } from '../../db/orm.ts';
import { Attempt } from '../../db/schema/attempt.ts';
import { inTransaction } from '../../db/transaction.ts';
import { unansweredInWords } from '../../present/payments/attempt.ts';
import type { ApiRequest } from '../framework/apiRequest.ts';
import type { ApiDeps } from '../framework/deps.ts';
import { Busy } from '../framework/errors.ts';
import { type Reply, reply } from '../framework/route.ts';
import { withoutPlace } from '../limits/admission.ts';
import { expandAnswer } from '../reading/expandAnswer.ts';
import { KEY_WAIT_MILLISECONDS, keyedRequest, replayed, whileKeyInUse } from './idempotency.ts';

/** The first of an attempt's three steps: it creates the attempt. Its transaction may be retried from the start. */
export type StartAttempt = (em: EntityManager, caller: Caller, systemNow: Date) => Promise<Attempt>;

/**
 * Handles requests that call a gateway. First, one transaction claims the Idempotency-Key and creates the attempt. Then the gateway is called.
 * Then one transaction records the outcome and the response. A repeated request gets the same response, or waits for the attempt's outcome.
 */
export async function attempt(request: ApiRequest, start: StartAttempt): Promise<Reply> {
  const { deps, caller } = request;
  const begun = await whileKeyInUse(() => inTransaction(deps.em, (em) => begin(em, request, start)));
  if ('statusCode' in begun) return replayed(begun.isOutcome ? await expandOutcome(request, begun) : begun);
  deps.poke();
  const key = { accountId: caller.account.id, id: begun.attemptId };
  const isStopped = begun.isNew && !(await run(request, key));
  const answered = await expandOutcome(request, await outcome(request, key, isStopped));
  deps.poke();
  return begun.isNew ? answered : replayed(answered);
}

/**
 * Adds the requested expansions to the outcome's response, which was stored without them, and stores the result. A repeated request then gets
 * the same response as the first one, even if the objects have changed since.
 */
async function expandOutcome(request: ApiRequest, { statusCode, json }: Reply): Promise<Reply> {
  const { deps } = request;
  if (statusCode >= 300 || json === null) return { statusCode, json };
  const shown = reply(statusCode, await expandAnswer(deps.em.fork(), request, JSON.parse(json)));
  const keyed = keyedRequest(request);
  if (!keyed || shown.json === json) return shown;
  return inTransaction(deps.em, (em) => storeKeyedOutcome(em, keyed, shown));
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

/**
 * Calls the gateway and records the outcome. False: the database did not answer in time, for instance because others hold the customer's
 * lock. The gateway may have moved money, so the client must not be told to try again: the outcome is looked up instead.
 */
function run({ deps }: ApiRequest, key: ProcessKey): Promise<boolean> {
  return unlessUnavailable(deps, key, () => runAttempt(deps, key));
}

async function unlessUnavailable(deps: ApiDeps, { id }: ProcessKey, work: () => Promise<void>): Promise<boolean> {
  try {
    await withoutPlace(work);
    return true;
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    deps.log.warn({ err: error, attempt: id }, 'the database did not answer in time; the outcome will be looked up');
    return false;
  }
}

const PAUSE_MILLISECONDS = 100;

/**
 * Waits for the recorded outcome. If its caller has stopped, it is looked up here: `isStopped` says that this request was the caller; another
 * one has stopped if the attempt is older than the gateway's timeout. Throws Busy when there is no outcome after 20 s.
 */
async function outcome(request: ApiRequest, key: ProcessKey, isStopped: boolean): Promise<Reply> {
  const { deps } = request;
  const giveUpAt = performance.now() + KEY_WAIT_MILLISECONDS;
  for (;;) {
    const answer = await answerOf(deps.em.fork(), key);
    if (answer) return { statusCode: answer.statusCode, json: JSON.stringify(answer.body) };
    const open = await deps.em.fork().findOneOrFail(Attempt, key);
    const left = Math.ceil(giveUpAt - performance.now());
    if (left <= 0) throw new Busy(stillUnknown(request, open));
    const { startedAt } = open;
    const isLeft = isStopped || deps.systemNow().getTime() - startedAt.getTime() > deps.gatewayDeadline;
    const gatewayDeadline = Math.min(deps.gatewayDeadline, left);
    if (isLeft) await unlessUnavailable(deps, key, () => settleAttempt({ ...deps, gatewayDeadline }, key));
    await withoutPlace(() => sleep(PAUSE_MILLISECONDS));
  }
}

/** The error message for an unknown outcome. Only a request with a key can be sent again to get the outcome. */
function stillUnknown(request: ApiRequest, open: Attempt): string {
  const then = keyedRequest(request)
    ? 'send the same request with the same Idempotency-Key to learn the outcome'
    : 'look at what is stored before the request is sent again';
  return `${unansweredInWords(open)}; ${then}`;
}
