import { add, roundMoney } from '../../billing/money/money.ts';
import { GatewayRefused } from '../../billing/payments/declines.ts';
import { failpoint } from '../../db/failpoint.ts';
import { lockRow } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import { finishEvents } from '../../db/queries/charges/gatewayEvents.ts';
import { Attempt, type AttemptKind } from '../../db/schema/attempt.ts';
import { Charge } from '../../db/schema/charge.ts';
import { Payment } from '../../db/schema/payment.ts';
import { Refund } from '../../db/schema/refund.ts';
import { inTransaction } from '../../db/transaction.ts';
import { type LockedCustomer, lockOwnerAsSystem, retryOnOwnerChange } from '../kernel/lockedCustomer.ts';
import { Missing } from '../kernel/missing.ts';
import type { ProcessKey } from '../kernel/stepOutcome.ts';
import type { Gateway, GatewayLook } from '../ports/ports.ts';
import { recordOutcome } from './attemptOutcomes.ts';
import type { AttemptDeps, Outcome } from './openAttempt.ts';
import { lockRefunded, recordRefundOutcome } from './refundOutcomes.ts';
import { nextLookUp } from './reversalLookUps.ts';

/** Kinds of operations whose effects are recorded whenever the gateway tells of them. */
const RECORDED: Readonly<Record<AttemptKind, boolean>> = {
  charge: true,
  vault: true,
  verify_source: false,
  delete_source: false,
  refund: true,
};

/** What has happened. */
type Happened = Extract<Outcome, { status: 'succeeded' | 'pending' }>;

/** Whether an attempt was recorded as not made, although it may have been sent. */
export function canReopen({ kind, state, reference }: Attempt): boolean {
  return RECORDED[kind] && !!reference && (state === 'failed' || state === 'abandoned');
}

/**
 * Whether something happened that was recorded as not made. A pending charge reserves its invoices, which others may reserve by now, so it
 * counts once it has succeeded.
 */
export function hasHappened(attempt: Attempt, look: GatewayLook | Outcome): look is Happened {
  return (
    canReopen(attempt) && (look.status === 'succeeded' || (look.status === 'pending' && attempt.kind === 'refund'))
  );
}

/**
 * Records an operation that was recorded as not made, and was made: as if its outcome had not been known until now. The attempt and its
 * customer are locked. `isRecovered`: no mail is sent.
 */
export async function reopenAttempt(
  em: EntityManager,
  { attempt, outcome, isRecovered }: { attempt: Attempt; outcome: Outcome; isRecovered: boolean },
  systemNow: Date,
): Promise<void> {
  const { accountId, id } = attempt;
  const isWritten = await isShown(em, attempt);
  if (attempt.kind === 'refund' && !isWritten) await reserveAgain(em, attempt);
  const none = { failureCode: null, failureMessage: null, declineKind: null, interruption: null, endedAt: null };
  Object.assign(attempt, { state: isWritten ? 'unknown' : 'open', ...none });
  await em.write();
  await recordOutcome(em, { accountId, id, outcome, isRecovered, isReopened: true }, systemNow);
}

/** Whether the payment of the charge, or the refund, was written before: it was pending, and then failed. */
async function isShown(em: EntityManager, attempt: Attempt): Promise<boolean> {
  const { accountId, kind } = attempt;
  if (kind === 'refund') return (await em.count(Refund, { accountId, attempt })) > 0;
  const charge = kind === 'charge' ? await em.findOne(Charge, { accountId, attempt }) : null;
  return charge !== null && (await em.count(Payment, { accountId, charge })) > 0;
}

/** Reserves the amount of a refund on its charge again, as before it was sent. */
async function reserveAgain(em: EntityManager, attempt: Attempt): Promise<void> {
  const { charge } = await lockRefunded(em, attempt);
  charge.refundReserved = add(charge.refundReserved, roundMoney(attempt.amount ?? '0', charge.currency));
}

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
