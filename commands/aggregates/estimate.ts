import { type ExpiryState, estimateStatus, nextEstimateStep } from '../../billing/documents/estimate.ts';
import { compare, isPositive } from '../../billing/money/money.ts';
import { lockRow, lockRows } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import { type Line, linesOf, linesOfEach } from '../../db/queries/documents/lines.ts';
import { Estimate } from '../../db/schema/estimate.ts';
import type { EventReason } from '../../db/schema/event.ts';
import type { Wakeup } from '../../db/schema/wakeup.ts';
import { presentWholeCustomer } from '../../present/customers/customer.ts';
import { presentEstimate } from '../../present/documents/estimate.ts';
import type { Caller } from '../kernel/caller.ts';
import { checkOwner, type LockedCustomer, lockOwner, retryOnOwnerChange } from '../kernel/lockedCustomer.ts';
import { Missing } from '../kernel/missing.ts';
import { record } from '../kernel/record.ts';
import { type Planned, setAllWakeups, setWakeups, type Waking, wakeupsOf } from '../kernel/waking.ts';

/** A locked estimate with its lines and its locked customer. */
export interface LockedEstimate extends LockedCustomer {
  estimate: Estimate;
  lines: Line[];
}

/** Locks the customer of an estimate (looked up unless `customerId` is given), then the estimate, and reads its lines. Throws Missing. */
export async function lockEstimate(
  em: EntityManager,
  who: { caller: Caller; id: number; customerId?: number },
  systemNow: Date,
): Promise<LockedEstimate> {
  return retryOnOwnerChange(async () =>
    lockEstimateOf(em, await lockOwner(em, { ...who, table: 'estimate' }, systemNow), who.id),
  );
}

/**
 * Locks an estimate of a locked customer, with its lines. Throws Missing. Runs in `retryOnOwnerChange`: throws when it has another
 * customer.
 */
export async function lockEstimateOf(em: EntityManager, locked: LockedCustomer, id: number): Promise<LockedEstimate> {
  const estimate = await lockRow(em, Estimate, { accountId: locked.customer.accountId, id });
  if (!estimate || estimate.deletedAt) throw new Missing('Estimate', id);
  checkOwner(locked, estimate);
  return { ...locked, estimate, lines: await linesOf(em, 'estimate', estimate) };
}

/** Locks several estimates of a locked customer or its family, with their lines, in two queries. Leaves out unknown ids. */
export async function lockEstimates(
  em: EntityManager,
  locked: LockedCustomer,
  ids: readonly number[],
): Promise<LockedEstimate[]> {
  const { accountId } = locked.customer;
  const found = await lockRows(em, Estimate, { accountId, ids: [...ids] });
  const estimates = found.filter(({ deletedAt }) => !deletedAt);
  const lines = await linesOfEach(em, 'estimate', { accountId, ids: estimates.map(({ id }) => id) });
  return estimates.map((estimate) => ({
    ...(locked.family?.get(estimate.customer.id) ?? locked),
    estimate,
    lines: lines.get(estimate.id) ?? [],
  }));
}

/** Derives status and `depositPaid` of a changed estimate from its other fields. */
export function updateEstimateStatus(estimate: Estimate, now: Date): void {
  estimate.depositPaid = estimate.depositSaidPaid || hasDeposit(estimate);
  estimate.status = estimateStatus({
    voided: Boolean(estimate.voidedAt),
    draft: !estimate.issuedAt,
    invoiced: Boolean(estimate.invoice),
    closed: estimate.closed,
    approved: Boolean(estimate.approvedAt),
    sent: Boolean(estimate.sentAt),
  });
  estimate.updatedAt = now;
}

/** Whether payments cover the deposit. */
export function hasDeposit({ deposit, depositReceived }: Pick<Estimate, 'deposit' | 'depositReceived'>): boolean {
  return isPositive(depositReceived) && compare(depositReceived, deposit) >= 0;
}

/** Expires and closes an estimate if its expiration date has passed. Returns whether it did. */
export function expireIfDue(estimate: Estimate, now: Date): boolean {
  if (!nextEstimateStep(expiryOf(estimate), now.getTime()).due) return false;
  Object.assign(estimate, { expiredAt: now, closed: true });
  return true;
}

/** Input of the expiry rule. */
export function expiryOf(estimate: Estimate): ExpiryState {
  const { issuedAt, voidedAt, deletedAt, invoice, closed, approvedAt, depositReceived, timeZone } = estimate;
  const answered = Boolean(approvedAt) || closed || Boolean(invoice) || isPositive(depositReceived);
  const expiresAt = estimate.expiresAt?.getTime() ?? null;
  return { over: !issuedAt || Boolean(voidedAt ?? deletedAt) || answered, expiresAt, zone: timeZone };
}

/** Replaces the wake-up of an estimate by the one that its state needs. `inside`: its own process calls. `more`: a step is due now. */
export async function replanEstimate(
  em: EntityManager,
  locked: LockedEstimate,
  how: { inside?: boolean; isNew?: boolean } = {},
): Promise<Planned> {
  const { accountId, id } = locked.estimate;
  const existing = how.isNew ? [] : await wakeupsOf(em, { accountId, process: 'estimate', ids: [id] });
  return setWakeups(em, locked.moment, { ...wakingOf(locked, existing), inside: how.inside ?? false });
}

/** Replaces the wake-ups of several estimates, in a fixed number of queries. */
export async function replanEstimates(em: EntityManager, targets: readonly LockedEstimate[]): Promise<void> {
  await setAllWakeups(em, targets, { process: 'estimate', idOf: ({ estimate }) => estimate.id, plan: wakingOf });
}

function wakingOf({ estimate, moment, clockId }: LockedEstimate, existing: Wakeup[]): Waking {
  const next = nextEstimateStep(expiryOf(estimate), moment.now.getTime());
  const waiter = { process: 'estimate' as const, subjectId: estimate.id, clockId };
  return { waiter, waits: next.waits, existing, isDue: next.due !== null };
}

export type EstimateEvent =
  | 'estimate.created'
  | 'estimate.updated'
  | 'estimate.deleted'
  | 'estimate.viewed'
  | 'estimate.approved';

/** Records an event of an estimate. */
export function recordEstimate(
  em: EntityManager,
  locked: LockedEstimate,
  change: { type: EstimateEvent; before?: ReturnType<typeof estimateEventObject>; reason?: EventReason },
): void {
  const { type, before, reason } = change;
  const subject = { type: 'estimate', id: locked.estimate.id, row: locked.estimate };
  record(em, locked.moment, { type, subject, object: estimateEventObject(locked), before, reason });
}

/** An estimate as events carry it, with the whole customer. */
export function estimateEventObject({
  customer,
  estimate,
  lines,
}: Pick<LockedEstimate, 'customer' | 'estimate' | 'lines'>) {
  return { ...presentEstimate(estimate, lines), customer: presentWholeCustomer(customer) };
}
