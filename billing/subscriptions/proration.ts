import { type Money, minorUnits, multiply, proportion, sum } from '../money/money.ts';
import { decimalText, divideRounded, exact, roundedUnits } from '../money/units.ts';
import { Refusal } from '../refusal.ts';
import type { Period, Share } from '../time/periods.ts';

/** Billing of a change within a period: `true`: on the next bill; `now`: at once; `false`: not at all. */
export const prorations = [true, false, 'now'] as const;
export type Proration = (typeof prorations)[number];

interface PricedLine {
  quantity: string;
  unitCost: string;
}

/** The price of a whole period: the sum of the lines that bill it. */
export function wholePrice(lines: readonly PricedLine[], currency: string): Money {
  const amounts = lines.map(({ quantity, unitCost }) => multiply(quantity, unitCost, currency));
  return sum(amounts, currency);
}

/** Prices a share of a period: that share of the whole period's lines, rounded to minor units. */
export function proratedPrice(lines: readonly PricedLine[], share: Share, currency: string): Money {
  return proportion(wholePrice(lines, currency), share, currency);
}

/** The share of a billed stretch that is left at an instant, epoch milliseconds. Null: nothing is left. */
export function shareLeft({ startAt, endAt }: Period, at: number): Share | null {
  const left = endAt - Math.max(at, startAt);
  return left > 0 ? { numerator: left, denominator: endAt - startAt } : null;
}

/** An amount that was billed, or is pending, for a stretch. */
interface BilledAmount extends Period {
  amount: Money;
}

/** The unused rest of billed amounts at an instant, rounded once. */
export function unusedRest(billed: readonly BilledAmount[], at: number, currency: string): Money {
  const decimals = minorUnits(currency);
  const rests = new Map<bigint, bigint>();
  for (const { amount, ...stretch } of billed) {
    const share = shareLeft(stretch, at);
    if (!share) continue;
    const denominator = BigInt(share.denominator);
    const rest = roundedUnits(exact(amount), decimals) * BigInt(share.numerator);
    rests.set(denominator, (rests.get(denominator) ?? 0n) + rest);
  }
  const denominator = [...rests.keys()].reduce((all, one) => all * one, 1n);
  const numerator = [...rests].reduce((all, [one, rest]) => all + rest * (denominator / one), 0n);
  return decimalText(divideRounded(numerator, denominator), decimals);
}

/** The price of one component of a subscription: its plan or an add-on. */
export interface ComponentPrice {
  /** Id of the add-on; null: the plan of the subscription. */
  addonId: number | null;
  quantity: string;
  /** Text that is the same for the same plan or item at the same price. */
  price: string;
}

/** The components whose price a change ends, and those whose price it begins. A component that changes is in both. */
export function changedComponents(
  before: readonly ComponentPrice[],
  after: readonly ComponentPrice[],
): { ended: ComponentPrice[]; begun: ComponentPrice[] } {
  return { ended: before.filter((one) => !hasSame(after, one)), begun: after.filter((one) => !hasSame(before, one)) };
}

function hasSame(prices: readonly ComponentPrice[], { addonId, quantity, price }: ComponentPrice): boolean {
  return prices.some((one) => one.addonId === addonId && one.quantity === quantity && one.price === price);
}

/** A line that prorates a change within a billed period. A subscription keeps it until the period has ended. */
export interface ProratedLine {
  lineId: number;
  /** Ids of the lines whose unused rest it credits; null: it charges the rest of the period. */
  credited: number[] | null;
  /** Segment of the period; null: it takes back lines of a period that does not begin. */
  segment: number | null;
  /** End of the period, epoch milliseconds. */
  endAt: number;
  /** Time from which on the change counts, epoch milliseconds. Absent on lines of earlier versions. */
  from?: number;
  /** The part of a credit that takes back charges of changes that count from the same time. */
  undone?: Money;
}

/** Maximum number of prorated lines that a subscription keeps. */
const MOST_PRORATED = 2000;

/** Refuses a change that would prorate too often in one period. */
export function checkProratedCount(count: number): void {
  if (count <= MOST_PRORATED) return;
  throw new Refusal(
    'limit_exceeded',
    `The period has ${MOST_PRORATED} prorated lines: send prorate: false, or when: renewal`,
    'prorate',
  );
}

/** Input of `checkProrationDate`. Epoch milliseconds; null: no period has begun, or nothing has changed in it. */
export interface ProrationLimits {
  periodStartAt: number | null;
  periodEndAt: number | null;
  changedAt: number | null;
  now: number;
}

/** Refuses a proration date outside the current period, before the last change in it, or in the future. */
export function checkProrationDate(
  date: number,
  { periodStartAt, periodEndAt, changedAt, now }: ProrationLimits,
): void {
  const refuse = (why: string) => new Refusal('parameter_invalid', `Proration date must ${why}`, 'proration_date');
  // After a pause, the last period has ended and the next one has not begun.
  if (periodStartAt === null || periodEndAt === null || periodEndAt <= now)
    throw refuse('be absent: no period is billed');
  if (date > now) throw refuse('not be in the future');
  if (inSeconds(date) < inSeconds(periodStartAt) || date >= periodEndAt) throw refuse('lie within the current period');
  if (changedAt !== null && inSeconds(date) < inSeconds(changedAt))
    throw refuse('not be before the last change in the period');
}

/** Whole seconds, the precision of requests. */
const inSeconds = (at: number) => Math.floor(at / 1000);
