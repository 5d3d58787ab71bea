import { failpoint } from '../../db/failpoint.ts';
import { lockRow } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import { finishEvents } from '../../db/queries/charges/gatewayEvents.ts';
import { Attempt } from '../../db/schema/attempt.ts';
import { inTransaction } from '../../db/transaction.ts';
import { lockOwnerAsSystem, retryOnOwnerChange } from '../kernel/lockedCustomer.ts';
import { Missing } from '../kernel/missing.ts';
import type { ProcessKey } from '../kernel/stepOutcome.ts';
import type { Gateway, GatewayLook } from '../ports/ports.ts';
import type { AttemptDeps } from './attemptDeps.ts';
import { nextLookUp } from './lookUpNumbers.ts';
import { recordRefundOutcome } from './refundOutcomes.ts';

/** A refund that succeeded, and the ids of its events that are not processed. The look-up marks them as processed. */
interface SucceededRefund extends ProcessKey {
  gateway: Gateway;
  reference: string;
  /** Ids of the events. */
  events: readonly number[];
}

/**
 * Asks the gateway whether a refund that succeeded has failed since: a bank can send the money back days later. Records that. Throws if the
 * gateway does not answer.
 */
export async function lookUpRefund(
  deps: AttemptDeps,
  { gateway, reference, events, ...key }: SucceededRefund,
): Promise<void> {
  const { number, at } = await nextLookUp(deps.em.fork(), key, deps.systemNow());
  await failpoint('event.started');
  const look = await gateway.look(reference, at.getTime(), AbortSignal.timeout(deps.gatewayDeadline));
  await failpoint('event.answered');
  const told = { ...key, look, number, events };
  await inTransaction(deps.em, (em) => recordRefundFailure(em, told, deps.systemNow()));
  await failpoint('event.recorded');
}

interface Told extends ProcessKey {
  look: GatewayLook;
  /** The number that the look-up got. */
  number: number;
  events: readonly number[];
}

/** Records that a refund failed after it had succeeded. Does nothing if a later look-up has begun. Idempotent. */
async function recordRefundFailure(em: EntityManager, told: Told, systemNow: Date): Promise<void> {
  const { accountId, id, look } = told;
  const at = await retryOnOwnerChange(() => lockOwnerAsSystem(em, { table: 'attempt', accountId, id }, systemNow));
  const attempt = await lockRow(em, Attempt, { accountId, id });
  if (!attempt) throw new Missing('Attempt', id);
  if (attempt.reversalLookUps !== told.number) return;
  if (look.status === 'failed' && attempt.state === 'succeeded') {
    const { kind: declineKind, code, message } = look;
    const failure = { declineKind, failureCode: code.slice(0, 64), failureMessage: message.slice(0, 255) };
    Object.assign(attempt, { state: 'failed', ...failure, updatedAt: at.moment.now });
    await recordRefundOutcome(em, { ...at, attempt, isWritten: true, isRecovered: false }, look);
  }
  await finishEvents(em, { accountId, ids: told.events, now: systemNow });
}
