import { discountsAfterBill } from '../../../billing/subscriptions/recurring.ts';
import { shareOfPeriod } from '../../../billing/time/periods.ts';
import { type BilledStretch, hasTime } from '../../../billing/time/stretches.ts';
import type { EntityManager } from '../../../db/orm.ts';
import { type LockedSubscription, stateOf } from '../../aggregates/subscription.ts';
import { type WrittenBill, writeBillOfAnyLine } from '../../bills/bills.ts';
import { openTax } from '../../catalog/adjustments.ts';
import { originOfBill } from '../../invoices/issueMail.ts';
import { contentOf, priceSubscription, reprice, type SubscriptionContent } from '../changes/content.ts';
import { linesOfPeriod } from '../prices/pastPrices.ts';
import { takeUsage, writeTotals } from '../usage/usage.ts';

/** The bill of a period. */
interface PeriodBill {
  period: number;
  date: Date;
  /** End of the usage that it takes; null: it takes none. */
  usedUntil: Date | null;
  /** Whether the period ends early, so that components without usage have no line. */
  endsEarly?: boolean;
  /** Whether the subscription ends with the period, and all usage is meant. */
  isFinal?: boolean;
  /** Each of these parts of the period has lines of its own: the whole period, or in arrears the parts in which it was in use. */
  stretches: readonly BilledStretch[];
}

export interface WrittenPeriodBill {
  /** Null: there was nothing to bill. */
  written: WrittenBill | null;
  /** The content of a regular bill. */
  whole: SubscriptionContent;
  /** Whether the bill is one of its discounts: not if it has nothing but late usage, which has the discounts of earlier bills. */
  usesDiscounts: boolean;
}

/** Writes the bill of a period, unless it would have no line. Marks the usage that it takes. Changes nothing else of the subscription. */
export async function writePeriodBill(
  em: EntityManager,
  locked: LockedSubscription,
  { period, date, stretches, usedUntil, endsEarly = false, isFinal = false }: PeriodBill,
): Promise<WrittenPeriodBill> {
  const { subscription, plan } = locked;
  const whole = await contentOf(em, locked);
  const used = usedUntil ? await takeUsage(em, locked, { until: usedUntil, showsZero: !endsEarly, isFinal }) : null;
  const lines = [...linesOfPeriod(locked, { whole, n: period, stretches }), ...(used?.lines ?? [])];
  const isOnlyLate = lines.length > 0 && lines.every((line) => used?.late.has(line));
  const { anchoredAt } = stateOf(locked);
  const isBackfilled = date.getTime() < anchoredAt;
  const written = await writeBillOfAnyLine(em, locked, {
    currency: plan.currency,
    date,
    name: plan.name,
    shipTo: subscription.shipTo ?? null,
    lines,
    discounts: isOnlyLate ? [] : whole.discounts,
    taxes: whole.taxes,
    origin: originOfBill({ date, anchoredAt: new Date(anchoredAt), timeZone: subscription.timeZone }),
    // Bills that were due before the start was set are charged at most one a day.
    billing: {
      subscription,
      of: { segment: subscription.segment, period },
      collectLaterDays: isBackfilled ? period : 0,
    },
  });
  if (used) await writeTotals(em, locked, { totals: used.totals, invoice: written?.invoice ?? null, terms: whole });
  return { written, whole, usesDiscounts: written !== null && !isOnlyLate };
}

/**
 * Counts a billed period: a cycle of the contract and a bill of each discount, unless it is a short first one, or was paused throughout.
 * Prices the subscription.
 */
export async function countPeriod(
  em: EntityManager,
  locked: LockedSubscription,
  {
    period,
    stretches,
    bill: { written, whole, usesDiscounts },
  }: Pick<PeriodBill, 'period' | 'stretches'> & { bill: WrittenPeriodBill },
): Promise<void> {
  const { subscription } = locked;
  if (hasTime(stretches) && !shareOfPeriod(stateOf(locked).schedule, period)) {
    subscription.cyclesBilled += 1;
    if (usesDiscounts) subscription.discounts = discountsAfterBill(subscription.discounts);
  }
  if (written) priceSubscription(locked, { lines: whole.lines, taxes: written.invoice.taxes.map(openTax) });
  else await reprice(em, locked);
}
