import { discountsAfterBill, type SubscriptionDiscount } from '../../../billing/subscriptions/recurring.ts';
import type { BeginStep } from '../../../billing/subscriptions/subscriptionSteps.ts';
import { type Period, periodAt, shareOfPeriod } from '../../../billing/time/periods.ts';
import type { EntityManager } from '../../../db/orm.ts';
import { withPastDueInvoices } from '../../../db/queries/invoices/openInvoices.ts';
import { Invoice } from '../../../db/schema/invoice.ts';
import {
  type LockedSubscription,
  recordSubscription,
  stateOf,
  subscriptionEventObject,
} from '../../aggregates/subscription.ts';
import type { WrittenBill } from '../../bills/bills.ts';
import { reprice } from '../changes/content.ts';
import { applyPendingChange } from '../changes/pendingChange.ts';
import { updateRates } from '../usage/usageRates.ts';
import { reanchor } from './anchor.ts';
import { billUsage } from './final.ts';

/** Begins a trial, which bills nothing. */
export function beginTrial(em: EntityManager, locked: LockedSubscription, trial: Period): void {
  const before = subscriptionEventObject(locked);
  enterPeriod(locked, trial);
  recordSubscription(em, locked, { type: 'subscription.updated', before, reason: 'trial_began' });
}

/**
 * Begins a period that is billed already, or that is billed when it ends. In arrears a pending change applies first. In advance the usage of
 * the period before is billed, which the caller numbers; null: there is none.
 */
export async function beginPeriod(
  em: EntityManager,
  locked: LockedSubscription,
  step: BeginStep,
): Promise<WrittenBill | null> {
  const { subscription } = locked;
  const before = subscriptionEventObject(locked);
  const isFirst = subscription.status === 'not_started';
  const isAhead = subscription.billIn === 'advance';
  const used = isAhead ? await billUsage(em, locked, { until: new Date(step.startAt) }) : null;
  if (!isAhead) await beginInArrears(em, locked, step);
  else {
    enterPeriod(locked, step);
    await countBilledAhead(em, locked, step.period);
    if (isFirst && (await isPastDue(em, locked))) subscription.status = 'past_due';
  }
  recordSubscription(em, locked, { type: 'subscription.updated', before, reason: 'period_began' });
  return used;
}

/**
 * Begins a period that is billed when it ends, after the pending change of a subscription without a contract. A new interval counts from the
 * start of the period.
 */
export async function beginInArrears(em: EntityManager, locked: LockedSubscription, step: BeginStep): Promise<void> {
  const { subscription } = locked;
  const changed = subscription.cycles || step.keepsPending ? null : await applyPendingChange(em, locked);
  if (changed) await updateRates(em, locked, new Date(step.startAt));
  if (changed?.isOtherInterval) reanchor(locked, new Date(step.startAt));
  enterPeriod(locked, changed?.isOtherInterval ? periodAt(stateOf(locked).schedule, 0) : step);
  Object.assign(subscription, { periodOpen: true, used: null, pastPrices: null });
}

/** Sets the current period, or the trial. */
export function enterPeriod({ subscription }: LockedSubscription, { startAt, endAt }: Period): void {
  Object.assign(subscription, { periodStartAt: new Date(startAt), periodEndAt: new Date(endAt) });
  if (subscription.status === 'not_started') subscription.status = 'active';
}

/** Counts a period that was billed ahead: a cycle of the contract, and a bill of each discount that its invoice has. */
async function countBilledAhead(em: EntityManager, locked: LockedSubscription, period: number): Promise<void> {
  const { subscription } = locked;
  subscription.discounts = await discountsAfterAhead(em, locked, period);
  subscription.periodOpen = false;
  if (!shareOfPeriod(stateOf(locked).schedule, period)) subscription.cyclesBilled += 1;
  await reprice(em, locked);
}

/** The discounts that are left after a period that was billed ahead. Those that were attached since its bill are not counted. */
export async function discountsAfterAhead(
  em: EntityManager,
  locked: LockedSubscription,
  period: number,
): Promise<SubscriptionDiscount[]> {
  const { accountId, id, segment, discounts } = locked.subscription;
  if (discounts.length === 0 || shareOfPeriod(stateOf(locked).schedule, period)) return discounts;
  const invoice = await em.findOne(Invoice, { accountId, subscription: [accountId, id], segment, period });
  if (!invoice) return discounts; // a period with only usage has no bill ahead
  const used = new Set(invoice.discounts.map(({ coupon }) => coupon?.id));
  return discounts.flatMap((one) => (used.has(one.coupon.id) ? discountsAfterBill([one]) : [one]));
}

async function isPastDue(em: EntityManager, { subscription }: LockedSubscription): Promise<boolean> {
  const { accountId, id } = subscription;
  return (await withPastDueInvoices(em, { accountId, ids: [id] })).has(id);
}
