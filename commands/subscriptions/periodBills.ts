import { shareOfPeriod } from '../../billing/periods.ts';
import { discountsAfterBill } from '../../billing/recurring.ts';
import { type BilledStretch, hasTime } from '../../billing/stretches.ts';
import type { EntityManager } from '../../db/orm.ts';
import { type LockedSubscription, stateOf } from '../aggregates/subscription.ts';
import { type WrittenBill, writeBill } from '../bills/bills.ts';
import { openTax } from '../catalog/adjustments.ts';
import { contentOf, priceSubscription, type SubscriptionContent } from './content.ts';
import { linesOfPeriod } from './pastPrices.ts';

/** The bill of a period. */
interface PeriodBill {
  period: number;
  date: Date;
  /** The parts of the period that have lines of their own: the whole of it, or in arrears those in which it was in use. */
  stretches: readonly BilledStretch[];
}

export interface WrittenPeriodBill {
  written: WrittenBill;
  /** The content of a regular bill. */
  whole: SubscriptionContent;
}

/** Writes the bill of a period. Changes nothing of the subscription. */
export async function writePeriodBill(
  em: EntityManager,
  at: LockedSubscription,
  { period, date, stretches }: PeriodBill,
): Promise<WrittenPeriodBill> {
  const { subscription, plan } = at;
  const whole = await contentOf(em, at);
  const lines = linesOfPeriod(at, { whole, n: period, stretches });
  const isBackfilled = date.getTime() < stateOf(at).anchoredAt;
  const written = await writeBill(em, at, {
    currency: plan.currency,
    date,
    name: plan.name,
    shipTo: subscription.shipTo ?? null,
    ...whole,
    lines,
    // Bills that were due before the start was set are charged at most one a day.
    billing: {
      subscription,
      of: { segment: subscription.segment, period },
      collectLaterDays: isBackfilled ? period : 0,
    },
  });
  return { written, whole };
}

/**
 * Counts a billed period: a cycle of the contract and a bill of each discount, unless it is a short first one, or was paused throughout.
 * Prices the subscription.
 */
export function countPeriod(
  at: LockedSubscription,
  { period, stretches }: Pick<PeriodBill, 'period' | 'stretches'>,
  { written, whole }: WrittenPeriodBill,
): void {
  const { subscription } = at;
  if (hasTime(stretches) && !shareOfPeriod(stateOf(at).schedule, period)) {
    subscription.cyclesBilled += 1;
    subscription.discounts = discountsAfterBill(subscription.discounts);
  }
  priceSubscription(at, { lines: whole.lines, taxes: written.invoice.taxes.map(openTax) });
}
