import { changeAfterBill } from '../../billing/pendingChange.ts';
import { type Period, shareOfPeriod } from '../../billing/periods.ts';
import { discountsAfterBill, type SubscriptionDiscount } from '../../billing/recurring.ts';
import type { BeginStep } from '../../billing/subscriptionSteps.ts';
import type { EntityManager } from '../../db/orm.ts';
import { withPastDueInvoices } from '../../db/queries/invoices/pastDue.ts';
import { Invoice } from '../../db/schema/invoice.ts';
import type { Subscription } from '../../db/schema/subscription.ts';
import {
  type LockedSubscription,
  recordSubscription,
  stateOf,
  subscriptionEventObject,
} from '../aggregates/subscription.ts';
import { reprice } from './content.ts';

/** Begins a trial, which bills nothing. */
export function beginTrial(em: EntityManager, at: LockedSubscription, trial: Period): void {
  const before = subscriptionEventObject(at);
  enterPeriod(at, trial);
  recordSubscription(em, at, { type: 'subscription.updated', before, reason: 'trial_began' });
}

/** Begins a period that is billed already. */
export async function beginPeriod(em: EntityManager, at: LockedSubscription, step: BeginStep): Promise<void> {
  const { subscription } = at;
  const before = subscriptionEventObject(at);
  const isFirst = subscription.status === 'not_started';
  enterPeriod(at, step);
  await countBilledAhead(em, at, step.period);
  if (isFirst && (await isPastDue(em, at))) subscription.status = 'past_due';
  recordSubscription(em, at, { type: 'subscription.updated', before, reason: 'period_began' });
}

/** Sets the current period, or the trial. */
export function enterPeriod({ subscription }: LockedSubscription, { startAt, endAt }: Period): void {
  Object.assign(subscription, { periodStartAt: new Date(startAt), periodEndAt: new Date(endAt) });
  if (subscription.status === 'not_started') subscription.status = 'active';
}

/** Sets the discounts that a bill leaves, also in a pending change that keeps them. */
export function countDiscounts(subscription: Subscription, after: SubscriptionDiscount[]): void {
  const pending = subscription.pendingChange ?? null;
  subscription.pendingChange = changeAfterBill(pending, { before: subscription.discounts, after });
  subscription.discounts = after;
}

/** Marks the current period, in arrears, as one that is still to be billed. */
export function openPeriod({ subscription }: LockedSubscription): void {
  Object.assign(subscription, { periodOpen: true, used: null, pastPrices: null });
}

/**
 * Counts a period that was billed ahead: a cycle of the contract, and a bill of each discount that its invoice has. Discounts that were
 * attached since are not counted.
 */
async function countBilledAhead(em: EntityManager, at: LockedSubscription, period: number): Promise<void> {
  const { subscription } = at;
  const { accountId, id, segment, discounts } = subscription;
  subscription.periodOpen = false;
  const isCycle = !shareOfPeriod(stateOf(at).schedule, period);
  if (isCycle) subscription.cyclesBilled += 1;
  if (isCycle && discounts.length > 0) {
    const invoice = await em.findOneOrFail(Invoice, { accountId, subscription: [accountId, id], segment, period });
    const used = new Set(invoice.discounts.map(({ coupon }) => coupon?.id));
    const after = discounts.flatMap((one) => (used.has(one.coupon.id) ? discountsAfterBill([one]) : [one]));
    countDiscounts(subscription, after);
  }
  await reprice(em, at);
}

async function isPastDue(em: EntityManager, { subscription }: LockedSubscription): Promise<boolean> {
  const { accountId, id } = subscription;
  return (await withPastDueInvoices(em, { accountId, ids: [id] })).has(id);
}
