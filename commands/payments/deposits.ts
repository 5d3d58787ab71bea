import { compare, type Money, negate, roundMoney, subtract, sum } from '../../billing/money/money.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Estimate } from '../../db/schema/estimate.ts';
import type { PaymentApplication } from '../../db/schema/paymentApplication.ts';
import {
  estimateEventObject,
  type LockedEstimate,
  recordEstimate,
  replanEstimates,
  updateEstimateStatus,
} from '../aggregates/estimate.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';

interface Wanted {
  id: number;
  amount: string;
  /** The amount of earlier applications of the request to the same estimate. */
  planned: string;
  currency: string;
  /** Path of the application in the request, `applied_to[0]`. */
  param: string;
}

/**
 * Refuses a deposit for an estimate that is unknown, of another customer, in another currency, a draft, invoiced, voided or declined.
 * Refuses deposits beyond the estimate's total.
 */
export function checkDepositable(locked: LockedCustomer, estimate: Estimate | undefined, wanted: Wanted): void {
  checkOwn(locked, estimate, wanted);
  const { param, currency, planned } = wanted;
  const why = whyNoDeposit(estimate);
  if (why !== null) throw new Refusal('state_conflict', `${nameOf(estimate)} ${why}`, `${param}[estimate]`);
  const room = roundMoney(subtract(depositRoom(estimate), planned), currency);
  const amount = roundMoney(wanted.amount, currency);
  if (compare(amount, room) <= 0) return;
  const message = `${nameOf(estimate)} takes a deposit of ${room} more at most, less than ${amount}`;
  throw new Refusal('amount_too_large', message, `${param}[amount]`);
}

/** Refuses a payment from a deposit beyond the rest of that deposit, or to an invoice other than the estimate's. */
export function checkDepositLeft(
  locked: LockedCustomer,
  estimate: Estimate | undefined,
  wanted: Wanted & { invoiceId: number | null },
): void {
  checkOwn(locked, estimate, wanted);
  const { param, currency, planned, invoiceId } = wanted;
  if (estimate.invoice?.id !== invoiceId)
    throw new Refusal(
      'state_conflict',
      `The deposit of ${nameOf(estimate)} can only pay its own invoice`,
      `${param}[estimate]`,
    );
  const left = roundMoney(subtract(estimate.depositLeft, planned), currency);
  const amount = roundMoney(wanted.amount, currency);
  if (compare(amount, left) <= 0) return;
  throw new Refusal(
    'amount_too_large',
    `${nameOf(estimate)} has ${left} of its deposit left, less than ${amount}`,
    `${param}[amount]`,
  );
}

function checkOwn(
  locked: LockedCustomer,
  estimate: Estimate | undefined,
  { id, currency, param }: Wanted,
): asserts estimate is Estimate {
  const isOwn = estimate?.customer.id === locked.customer.id;
  if (!estimate || !isOwn) throw new Refusal('resource_missing', `Estimate was not found: ${id}`, `${param}[estimate]`);
  if (estimate.currency === currency) return;
  throw new Refusal(
    'currency_mismatch',
    `${nameOf(estimate)} is in ${estimate.currency}, not ${currency}`,
    `${param}[estimate]`,
  );
}

function nameOf({ number, id }: Estimate): string {
  return `Estimate ${number ?? id}`;
}

function whyNoDeposit({ status }: Estimate): string | null {
  if (status === 'draft') return 'is a draft: issue it first';
  if (status === 'invoiced') return 'is invoiced: pay its invoice';
  return status === 'voided' || status === 'declined' ? `is ${status}` : null;
}

/** Whether the estimate accepts a deposit. */
export function takesDeposit(estimate: Estimate): boolean {
  return whyNoDeposit(estimate) === null;
}

/** The amount of further deposits that the estimate accepts: up to its total, even if it asks for a smaller deposit. */
export function depositRoom({ total, depositReceived }: Estimate): Money {
  return subtract(total, depositReceived);
}

/** Refuses to reverse a deposit that has paid an invoice. */
export function refuseSpent(estimates: readonly LockedEstimate[], undone: readonly PaymentApplication[]): void {
  for (const { estimate } of estimates) {
    const own = undone.filter((application) => application.estimate?.id === estimate.id);
    const amounts = own.map(({ type, amount }) => (type === 'deposit' ? negate(amount) : amount));
    const taken = sum(amounts, estimate.currency);
    if (compare(taken, estimate.depositLeft) <= 0) continue;
    const { number, id, invoice } = estimate;
    throw new Refusal(
      'in_use',
      `The deposit of estimate ${number ?? id} has paid invoice ${invoice?.id}: remove it there first`,
    );
  }
}

/** Runs `work`, which changes deposits of estimates. Then updates each changed estimate, and records an event if `depositPaid` changed. */
export async function recordDepositChanges(
  em: EntityManager,
  estimates: readonly LockedEstimate[],
  work: () => void,
): Promise<void> {
  const previous = estimates.map((locked) => ({
    locked,
    received: locked.estimate.depositReceived,
    was: locked.estimate.depositPaid,
    before: estimateEventObject(locked),
  }));
  work();
  const changed = previous.filter(({ locked, received }) => compare(received, locked.estimate.depositReceived) !== 0);
  for (const { locked, was, before } of changed) {
    updateEstimateStatus(locked.estimate, locked.moment.now);
    if (was !== locked.estimate.depositPaid) recordEstimate(em, locked, { type: 'estimate.updated', before });
  }
  await replanEstimates(
    em,
    changed.map(({ locked }) => locked),
  );
}
