import { setTimeout as sleep } from 'node:timers/promises';
import type { Presented } from '../../billing/json.ts';
import { type Answer, answerOf } from '../../commands/charges/answers.ts';
import { findOutcome, runAttempt } from '../../commands/charges/attempts.ts';
import type { Caller } from '../../commands/kernel/caller.ts';
import {
  awaitAttempt,
  claimKey,
  type KeptAnswer,
  storeKeyedAnswer,
  storeKeyedOutcome,
} from '../../commands/kernel/idempotency.ts';
import type { ProcessKey } from '../../commands/kernel/stepOutcome.ts';
import type { EntityManager } from '../../db/orm.ts';
import { Attempt } from '../../db/schema/attempt.ts';
import { inTransaction } from '../../db/transaction.ts';
import { unrecordedInWords } from '../../present/payments/attempt.ts';
import type { ApiRequest } from '../framework/apiRequest.ts';
import { Unrecorded } from '../framework/errors.ts';
import { type Reply, reply } from '../framework/route.ts';
import { withoutPlace } from '../limits/admission.ts';
import { callGateway, hasCallerStopped, unlessUnavailable } from '../limits/gatewayCalls.ts';
import { expandAnswer } from '../reading/expandAnswer.ts';
import { KEY_WAIT_MILLISECONDS, keyedRequest, replayed, whileKeyInUse } from './idempotency.ts';
import { logWrite } from './logging.ts';
import { requireMatch } from './matching.ts';

/** The first of an attempt's three steps: it creates the attempt, or does without one. Its transaction may be retried from the start. */
export type StartAttempt = (em: EntityManager, caller: Caller, systemNow: Date) => Promise<Attempt | Finished>;

/** What a request has changed that needs no gateway. */
interface Finished {
  statusCode: number;
  body: Presented;
  customerId: number;
}

/**
 * Handles requests that call a gateway. First, one transaction claims the Idempotency-Key and creates the attempt. Then the gateway is called.
 * Then one transaction records the outcome and the response. A repeated request gets the same response, or waits for the attempt's outcome.
 * If the outcome cannot be recorded, for instance because others hold the customer's lock, it is looked up: the gateway may have moved money,
 * so the client must not be told to try again.
 */
export async function attempt(request: ApiRequest, start: StartAttempt): Promise<Reply> {
  const { deps, caller } = request;
  const begun = await whileKeyInUse(() => inTransaction(deps.em, (em) => begin(em, request, start)));
  if ('finished' in begun) {
    deps.poke();
    return begun.finished;
  }
  if ('statusCode' in begun) return replayed(begun.isOutcome ? await expandOutcome(request, begun) : begun);
  deps.poke();
  const { attemptId, started } = begun;
  const key = { accountId: caller.account.id, id: attemptId };
  const giveUpAt = performance.now() + KEY_WAIT_MILLISECONDS + (started ? deps.gatewayDeadline : 0);
  const called = started && (await callGateway(deps, key, () => runAttempt(deps, key, started)));
  const answer =
    called?.result ?? (await outcome(request, { key, giveUpAt, isInterrupted: started !== null && !called }));
  const recorded = { statusCode: answer.statusCode, json: JSON.stringify(answer.body) };
  const answered = (await unlessUnavailable(deps, key, () => expandOutcome(request, recorded))) ?? recorded;
  deps.poke();
  return started ? answered : replayed(answered);
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

/** `started`: the attempt that this request has written. Null: an earlier request with its key has. */
type Begun = KeptAnswer | { attemptId: number; started: Attempt | null } | { finished: Reply };

async function begin(em: EntityManager, request: ApiRequest, start: StartAttempt): Promise<Begun> {
  const { deps, caller } = request;
  const keyed = keyedRequest(request);
  const systemNow = deps.systemNow();
  const earlier = keyed ? await claimKey(em, { ...keyed, cipher: deps.cipher }, systemNow) : null;
  if (earlier) return 'attemptId' in earlier ? { ...earlier, started: null } : earlier;
  await requireMatch(em, request, systemNow);
  const started = await start(em, caller, systemNow);
  logWrite(em, request, { body: 'body' in started ? started.body : null }, systemNow);
  if ('body' in started) return { finished: await finish(em, request, started) };
  const { id } = started;
  if (keyed) await awaitAttempt(em, keyed, id);
  return { attemptId: id, started };
}

async function finish(em: EntityManager, request: ApiRequest, finished: Finished): Promise<Reply> {
  const { statusCode, body, customerId } = finished;
  await em.write();
  const answer = reply(statusCode, await expandAnswer(em, request, body));
  const keyed = keyedRequest(request);
  if (keyed) await storeKeyedAnswer(em, keyed, { ...answer, customerId });
  return answer;
}

const PAUSE_MILLISECONDS = 100;

interface Awaited {
  key: ProcessKey;
  /** When to stop waiting, by `performance.now()`. */
  giveUpAt: number;
  /** Whether this request called the gateway and could not record the outcome. */
  isInterrupted: boolean;
}

/**
 * Waits for the recorded outcome. Looks it up if this request was interrupted, or if another one called the gateway and has stopped. Throws Unrecorded when there is no outcome at `giveUpAt`.
 */
async function outcome(request: ApiRequest, { key, giveUpAt, isInterrupted }: Awaited): Promise<Answer> {
  const { deps } = request;
  const read = <T>(work: (em: EntityManager) => Promise<T>) => unlessUnavailable(deps, key, () => work(deps.em.fork()));
  for (;;) {
    const open = await read((em) => em.findOneOrFail(Attempt, key));
    const answer = open && (await read((em) => answerOf(em, open)));
    if (answer) return answer;
    const left = Math.ceil(giveUpAt - performance.now());
    if (left <= 0) throw unrecorded(request, open);
    const isLeft = isInterrupted || (open !== null && hasCallerStopped(deps, open.startedAt));
    const gatewayDeadline = Math.min(deps.gatewayDeadline, left);
    if (isLeft) await callGateway(deps, key, () => findOutcome({ ...deps, gatewayDeadline }, key));
    await withoutPlace(() => sleep(PAUSE_MILLISECONDS));
  }
}

/** Only a request with a key can be sent again to get the outcome. */
function unrecorded(request: ApiRequest, open: Attempt | null): Unrecorded {
  const what = open ? unrecordedInWords(open) : 'The outcome is not recorded yet';
  if (!keyedRequest(request))
    return new Unrecorded(`${what}; look at what is stored before the request is sent again`, null);
  return new Unrecorded(`${what}; send the same request with the same Idempotency-Key to learn the outcome`, 1);
}
