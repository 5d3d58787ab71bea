import type { Presented } from '../../billing/json.ts';
import type { Caller } from '../../commands/kernel/caller.ts';
import { claimKey, type Earlier, storeKeyedAnswer } from '../../commands/kernel/idempotency.ts';
import { failpoint } from '../../db/failpoint.ts';
import type { EntityManager } from '../../db/orm.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { ApiRequest } from '../framework/apiRequest.ts';
import { type Reply, reply } from '../framework/route.ts';
import { expandAnswer } from '../reading/expandAnswer.ts';
import { keyedRequest, replayed, whileKeyInUse } from './idempotency.ts';
import { logWrite, shownBefore } from './logging.ts';
import { requireMatch, tagged } from './matching.ts';

/** Declaration of one write. */
export interface Write<Result> {
  statusCode: 200 | 201 | 204;
  /** Has the effect. Its transaction may be retried from the start. */
  command(em: EntityManager, caller: Caller, systemNow: Date): Promise<Result>;
  /** The body of the response; null: no body. */
  present(result: Result): Presented | Presented[] | null;
  /** The changed setting as the API showed it before, for the audit log. Absent: as its resource presents it. */
  before?(em: EntityManager): Promise<Presented>;
  /** Whether the response contains a secret. It is then stored encrypted. */
  sealed?: boolean;
}

/**
 * Handles a write. One transaction claims the Idempotency-Key, runs the command and stores the response. After the commit it pokes the relay.
 * A request with a key that was used before gets the stored response.
 */
export async function write<Result>(request: ApiRequest, rule: Write<Result>): Promise<Reply> {
  const answer = await whileKeyInUse(() => inTransaction(request.deps.em, (em) => writeOnce(em, request, rule)));
  await failpoint('write.committed');
  request.deps.poke();
  return answer;
}

async function writeOnce<Result>(em: EntityManager, request: ApiRequest, rule: Write<Result>): Promise<Reply> {
  const { caller, deps } = request;
  const keyed = keyedRequest(request);
  const systemNow = deps.systemNow();
  const earlier = keyed ? await claimKey(em, { ...keyed, cipher: deps.cipher }, systemNow) : null;
  if (earlier) return replayed(answered(earlier));
  await requireMatch(em, request, systemNow);
  const before = await (rule.before ? rule.before(em) : shownBefore(em, request));
  const result = await rule.command(em, caller, systemNow);
  await em.write();
  const body = rule.present(result);
  logWrite(em, request, { body, sealed: rule.sealed, before }, systemNow);
  const answer = await tagged(em, request, {
    body,
    reply: reply(rule.statusCode, await expandAnswer(em, request, body)),
  });
  const customerId = customerOf(body) ?? (Number(request.params.customer_id) || null);
  if (keyed)
    await storeKeyedAnswer(em, keyed, { ...answer, customerId, ...(rule.sealed ? { cipher: deps.cipher } : {}) });
  await failpoint('write.before_commit');
  return answer;
}

/** Id of the customer that a response is about: its own id if it is a customer, else its `customer` field. */
function customerOf(body: Presented | Presented[] | null): number | null {
  const told = Array.isArray(body) ? body.at(0) : body;
  const id = told?.object === 'customer' ? told.id : told?.customer;
  return typeof id === 'number' ? id : null;
}

/** The stored response of a key. Throws for an attempt: other requests store none, and `claimKey` refuses a key of another request. */
export function answered(earlier: Earlier): Reply {
  if ('attemptId' in earlier) throw new Error('the Idempotency-Key of a write belongs to an attempt');
  return earlier;
}
