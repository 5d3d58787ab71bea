import { GatewayRefused } from '../../billing/payments/declines.ts';
import { failpoint } from '../../db/failpoint.ts';
import { lockRow } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import { finishEvents } from '../../db/queries/charges/gatewayEvents.ts';
import { Attempt } from '../../db/schema/attempt.ts';
import { inTransaction } from '../../db/transaction.ts';
import { type LockedCustomer, lockOwnerAsSystem, retryOnOwnerChange } from '../kernel/lockedCustomer.ts';
import { Missing } from '../kernel/missing.ts';
import type { ProcessKey } from '../kernel/stepOutcome.ts';
import type { Gateway, GatewayLook } from '../ports/ports.ts';
import type { AttemptDeps } from './attemptDeps.ts';
import { recordRefundOutcome } from './refundOutcomes.ts';
import { canReopen, hasHappened, reopenAttempt } from './reopening.ts';
import { nextLookUp } from './reversalLookUps.ts';

/** An attempt with an outcome, and the ids of its events that are not processed. The look-up marks them as processed. */
interface Ended extends ProcessKey {
  gateway: Gateway;
  reference: string;
  /** Ids of the events. */
  events: readonly number[];
}

/** Whether the outcome of an attempt may change: a refund that was made can fail, and an operation may have happened that was not. */
export function mayChange(attempt: Attempt): boolean {
  return (attempt.kind === 'refund' && attempt.state === 'succeeded') || canReopen(attempt);
}

/**
 * Asks the gateway whether an outcome has changed: a bank can send a refund back days later, and what was recorded as not made may have
 * happened after all. Records that. Throws if the gateway does not answer.
 */
export async function lookUpAgain(deps: AttemptDeps, { gateway, reference, events, ...key }: Ended): Promise<void> {
  const { number, at } = await nextLookUp(deps.em.fork(), key, deps.systemNow());
  await failpoint('event.started');
  const signal = AbortSignal.timeout(deps.gatewayDeadline);
  const look = await gateway.look(reference, at.getTime(), signal).catch(unmade);
  await failpoint('event.answered');
  const told = { ...key, look, number, events };
  await inTransaction(deps.em, (em) => recordChange(em, told, deps.systemNow()));
  await failpoint('event.recorded');
}

/** What the gateway refused to carry out has not happened. Throws what says nothing of it. */
function unmade(error: unknown): GatewayLook {
  if (error instanceof GatewayRefused && error.isUnmade) return { status: 'abandoned' };
  throw error;
}

interface Told extends ProcessKey {
  look: GatewayLook;
  /** The number that the look-up got. */
  number: number;
  events: readonly number[];
}

/** Records what the gateway says now of an attempt with an outcome. Does nothing if a later look-up has begun. Idempotent. */
async function recordChange(em: EntityManager, told: Told, systemNow: Date): Promise<void> {
  const { accountId, id, look } = told;
  const locked = await retryOnOwnerChange(() => lockOwnerAsSystem(em, { table: 'attempt', accountId, id }, systemNow));
  const attempt = await lockRow(em, Attempt, { accountId, id });
  if (!attempt) throw new Missing('Attempt', id);
  if (attempt.reversalLookUps !== told.number) return;
  if (look.status === 'failed' && attempt.state === 'succeeded') await failLater(em, locked, { attempt, look });
  // Its events then wake the process once more: they may tell of returns, disputes and refunds of what has just been recorded.
  if (hasHappened(attempt, look)) return reopenAttempt(em, { attempt, outcome: look, isRecovered: false }, systemNow);
  await finishEvents(em, { accountId, ids: told.events, now: systemNow });
}

async function failLater(
  em: EntityManager,
  locked: LockedCustomer,
  { attempt, look }: { attempt: Attempt; look: Extract<GatewayLook, { status: 'failed' }> },
): Promise<void> {
  const { kind: declineKind, code, message } = look;
  const failure = { declineKind, failureCode: code.slice(0, 64), failureMessage: message.slice(0, 255) };
  Object.assign(attempt, { state: 'failed', ...failure, updatedAt: locked.moment.now });
  await recordRefundOutcome(em, { ...locked, attempt, isWritten: true, isRecovered: false }, look);
}
