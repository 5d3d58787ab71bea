import type { EntityManager } from '../../../db/orm.ts';
import type { EventReason } from '../../../db/schema/event.ts';
import { LineItem } from '../../../db/schema/lineItem.ts';
import type { CancellationCause } from '../../../present/emails/subscriptionNotices.ts';
import { type LockedSubscription, recordSubscription, subscriptionEventObject } from '../../aggregates/subscription.ts';
import { type WrittenBill, writeBillOfAnyLine } from '../../bills/bills.ts';
import { holdBill } from '../../bills/heldBills.ts';
import type { DocumentLine } from '../../documents/lines.ts';
import { giveBackCoupons } from '../changes/pendingCoupons.ts';
import { takeUsage, usageTerms, writeTotals } from '../usage/usage.ts';
import { endRates } from '../usage/usageRates.ts';
import { tellThresholds } from '../usage/usageThresholds.ts';
import { mailCancellation } from './mails.ts';

/** Milliseconds after the end. Longer than a statement may take, so that usage that was being reported at the end is recorded by then. */
const LATE_USAGE_AFTER = 60_000;

/** What the final invoice of a subscription has. */
interface Final {
  at: Date;
  /** Lines besides pending ones; absent: none. */
  lines?: Partial<DocumentLine>[];
  /** True: the bill of the period has all usage. */
  isUsageBilled?: boolean;
}

/** The end of a subscription. */
export type End = Final &
  ({ status: 'canceled'; cause: CancellationCause } | { status: 'finished'; reason: EventReason });

/**
 * Ends a locked subscription, records the event, mails a cancellation, and writes the final invoice: the given lines, and the pending lines
 * of its changes with all others of the customer. Null: there is nothing to bill. The caller replans its wake-ups and numbers the invoice.
 */
export async function endSubscription(
  em: EntityManager,
  locked: LockedSubscription,
  end: End,
): Promise<WrittenBill | null> {
  const { subscription } = locked;
  await tellThresholds(em, locked); // while the period is known
  const before = subscriptionEventObject(locked);
  const { pendingChange = null } = subscription;
  subscription.status = end.status;
  if (end.status === 'canceled') subscription.canceledAt = end.at;
  else subscription.finishedAt = end.at;
  Object.assign(subscription, { periodStartAt: null, periodEndAt: null, pendingRenewal: false });
  Object.assign(subscription, { pauseAtPeriodEnd: false, resumeAt: null, pendingChange: null, pastPrices: null });
  await giveBackCoupons(em, subscription, pendingChange);
  if (end.status === 'canceled') {
    recordSubscription(em, locked, { type: 'subscription.deleted', before, reason: reasons[end.cause] });
    await mailCancellation(em, locked, { cause: end.cause, endedAt: end.at });
  } else recordSubscription(em, locked, { type: 'subscription.updated', before, reason: end.reason });
  await endRates(em, locked, end.at);
  const used = end.isUsageBilled ? null : await takeUsage(em, locked, { until: end.at, isFinal: true });
  if (subscription.hasUsage) subscription.lateUsageAt = new Date(locked.moment.now.getTime() + LATE_USAGE_AFTER);
  const lines = [...(end.lines ?? []), ...(used?.lines ?? [])];
  const isBilled = lines.length > 0 || (await hasPendingProration(em, locked));
  const hasUsage = used !== null && used.lines.length > 0;
  const written = isBilled ? await billPending(em, locked, { lines, date: end.at, hasUsage }) : null;
  if (used) await writeTotals(em, locked, { totals: used.totals, invoice: written?.invoice ?? null });
  return written;
}

/** Bills usage on an invoice of its own, with pending lines. Null: there is none. The caller numbers the invoice. */
export async function billUsage(
  em: EntityManager,
  locked: LockedSubscription,
  { until }: { until: Date },
): Promise<WrittenBill | null> {
  const { lines, totals } = await takeUsage(em, locked, { until });
  const written = lines.length > 0 ? await billPending(em, locked, { lines, date: until, hasUsage: true }) : null;
  await writeTotals(em, locked, { totals, invoice: written?.invoice ?? null });
  return written;
}

const reasons = { request: undefined, period_end: 'canceled_at_end', failed_payment: 'canceled_unpaid' } as const;

/** Whether a line that prorates a change of a subscription is still pending. */
async function hasPendingProration(
  em: EntityManager,
  { subscription, customer }: LockedSubscription,
): Promise<boolean> {
  const ids = subscription.prorations.map(({ lineId }) => lineId);
  if (ids.length === 0 || !customer.hasPendingLines) return false;
  await em.write();
  return (await em.count(LineItem, { accountId: customer.accountId, customer, id: { $in: ids } })) > 0;
}

/**
 * Bills the pending lines of a subscription's customer, and the given lines, at once. A negative sum goes to the credit balance. Usage gets
 * the percentages of the subscription's discounts (amounts are on the bill of the period) and its taxes. Null: there is nothing to bill. The caller numbers the invoice.
 */
export async function billPending(
  em: EntityManager,
  locked: LockedSubscription,
  { lines, date, hasUsage = false }: { lines: Partial<DocumentLine>[]; date: Date; hasUsage?: boolean },
): Promise<WrittenBill | null> {
  const { subscription, plan } = locked;
  const { discounts, taxes } = hasUsage ? await usageTerms(em, locked) : { discounts: [], taxes: null };
  const written = await writeBillOfAnyLine(em, locked, {
    currency: plan.currency,
    date,
    name: plan.name,
    shipTo: subscription.shipTo ?? null,
    lines,
    discounts,
    taxes,
    origin: 'subscription',
    billing: { subscription, of: null, collectLaterDays: 0 },
  });
  if (written) await holdBill(em, locked, written);
  return written;
}
