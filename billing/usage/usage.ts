import { type Pricing, planLines } from '../documents/pricing.ts';
import { add, type Money, multiply, roundMoney, subtract, sum } from '../money/money.ts';
import { type Period, periodAt, periodIndexAt, type Schedule } from '../time/periods.ts';

/** A plan or add-on that bills usage, as it is kept with its rate. */
export interface UsageComponent {
  /** Id of the add-on; null: the plan of the subscription. */
  addonId: number | null;
  pricing: Pricing;
  /** Text on its lines. */
  description: string | null;
  /** The tax rates of its item, if it is taxable. */
  taxRateIds: readonly number[];
  name: string;
  planCode: string;
  itemCode: string | null;
  glAccount: string | null;
  discountable: boolean;
  taxable: boolean;
}

/** Usage of a span whose records are marked with the id of the total that its bill will write. Epoch milliseconds. */
export interface CollectedUsage extends Period {
  totalId: number;
  /** Number of bills that took usage of the span before. */
  turn: number;
  /** Decimal text. */
  quantity: string;
  records: number;
}

/** The time in which a rate counts. Epoch milliseconds. */
export interface RateTime {
  fromAt: number;
  /** Null: it still counts. */
  untilAt: number | null;
  /** End of the usage that bills have taken; null: none has. */
  billedUntil: number | null;
}

/** Maximum number of spans that a rate has on one bill. Usage that has waited longer is not split at further period ends. */
const MOST_SPANS = 60;

/** How far in the future usage may be, because clocks of clients differ. Milliseconds. */
export const MOST_AHEAD = 60_000;

/** Maximum number of usage records of one request. */
export const MOST_RECORDS = 1000;

/**
 * The spans of a rate's usage that a bill takes: what was not billed until an instant, split where periods start and where the trial ends.
 * They follow each other without gaps. A rate that ended as it began has one span without length: usage may have been reported at that time.
 */
export function spansToBill(
  { fromAt, untilAt, billedUntil }: RateTime,
  { until, schedule, trialEndAt }: { until: number; schedule: Schedule; trialEndAt: number | null },
): Period[] {
  const startAt = billedUntil ?? fromAt;
  const endAt = Math.min(until, untilAt ?? until);
  if (startAt === untilAt && billedUntil === null && startAt <= until) return [{ startAt, endAt: startAt }];
  if (startAt >= endAt) return [];
  const cuts = new Set<number>();
  if (trialEndAt !== null && trialEndAt > startAt && trialEndAt < endAt) cuts.add(trialEndAt);
  let n = periodIndexAt(schedule, startAt) + 1;
  for (; cuts.size < MOST_SPANS - 1; n++) {
    const start = periodAt(schedule, n).startAt;
    if (start >= endAt) break;
    if (start > startAt) cuts.add(start);
  }
  const bounds = [startAt, ...[...cuts].toSorted((one, other) => one - other), endAt];
  return bounds.slice(1).map((end, index) => ({ startAt: bounds[index] ?? startAt, endAt: end }));
}

/** The price of usage, before discounts: the sum of its lines, each rounded to minor units. */
export function usageAmount(pricing: Pricing, quantity: string, currency: string): Money {
  const amounts = planLines(pricing, quantity).map((line) => multiply(line.quantity, line.unitCost, currency));
  return sum(amounts, currency);
}

/** Usage of a span that bills have taken: decimal text, and its price before discounts. */
export interface TakenBefore {
  quantity: string;
  amount: Money;
}

/**
 * The price of late usage before discounts: the price of its span with it less what bills have for it. Negative for a correction. `before`
 * can be negative if the usage that was corrected is unbilled again.
 */
export function lateAmount(
  pricing: Pricing,
  { before, late }: { before: TakenBefore; late: string },
  currency: string,
): Money {
  const billed = roundMoney(before.amount, currency);
  return subtract(usageAmount(pricing, add(before.quantity, late), currency), billed);
}
