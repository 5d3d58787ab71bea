import { leftOfLines, type NetLine } from '../documents/creditedLines.ts';
import { type Money, minorUnits, subtract } from '../money/money.ts';
import { decimalText, divideRounded, exact, least, roundedUnits } from '../money/units.ts';

// In this file, days are whole numbers: local days since 1 January 1970.

/** A line of an issued invoice, with the days over which its revenue is recognised. */
export interface BilledLine {
  /** Posted revenue. Not negative. */
  net: Money;
  /** The day on which its invoice counts. */
  day: number;
  /** First day of its service. */
  from: number;
  /** The day after its service, later than `from`. */
  until: number;
}

/** What a credit takes off a line on a day. */
export interface DatedCredit {
  day: number;
  amount: Money;
}

/** A line at the end of a day. `billed` less `credited` is `recognized` and `deferred` together. */
export interface Recognition {
  billed: Money;
  credited: Money;
  recognized: Money;
  /** Never negative, and zero once the service has ended. */
  deferred: Money;
}

/** What is so from a day on, minor units. `served`: days of the service that `recognized` contains. */
interface Leg {
  day: number;
  billed: bigint;
  credited: bigint;
  recognized: bigint;
  deferred: bigint;
  served: number;
}

/**
 * The revenue of a line, by day. It is recognised evenly over the days of its service; what is billed late is recognised up to its day at once.
 * A credit takes what is not recognised yet at the end of its day, and then reverses. What is left is recognised evenly over the days that are
 * left. A credit from before the bill is a reversal, which the bill makes up for.
 */
export function recognitionOf(
  { net, day: billedOn, from, until }: BilledLine,
  credits: readonly DatedCredit[],
  currency: string,
): (day: number) => Recognition {
  const decimals = minorUnits(currency);
  const units = (amount: Money) => roundedUnits(exact(amount), decimals);
  const length = until - from;
  const servedBefore = (day: number) => Math.min(Math.max(day - from, 0), length);
  const changes = [
    { day: billedOn, billed: units(net), credited: 0n },
    ...credits.map(({ day, amount }) => ({ day, billed: 0n, credited: units(amount) })),
  ].toSorted((one, other) => one.day - other.day);
  const legs: Leg[] = [];
  const stateAt = (day: number, served: number): Leg => {
    const leg = legs.findLast((one) => one.day <= day);
    if (!leg) return { day, billed: 0n, credited: 0n, recognized: 0n, deferred: 0n, served: 0 };
    const [part, whole] = [BigInt(served - leg.served), BigInt(length - leg.served)];
    const earned = whole === 0n ? leg.deferred : divideRounded(leg.deferred * part, whole);
    return { ...leg, day, recognized: leg.recognized + earned, deferred: leg.deferred - earned, served };
  };
  for (const { day, billed, credited } of changes) {
    const isEarning = billedOn <= day && legs.some((leg) => leg.billed !== 0n);
    legs.push(changed(stateAt(day, isEarning ? servedBefore(day + 1) : 0), billed, credited));
  }
  return (day) => {
    const { billed, credited, recognized, deferred } = stateAt(day, servedBefore(day + 1));
    const money = (value: bigint) => decimalText(value, decimals);
    return {
      billed: money(billed),
      credited: money(credited),
      recognized: money(recognized),
      deferred: money(deferred),
    };
  };
}

function changed(leg: Leg, billed: bigint, credited: bigint): Leg {
  const reversed = least(leg.recognized, 0n);
  const isBill = billed !== 0n;
  const deferred = leg.deferred + billed + (isBill ? reversed : 0n);
  const cut = least(credited, deferred);
  return {
    ...leg,
    billed: leg.billed + billed,
    credited: leg.credited + credited,
    deferred: deferred - cut,
    recognized: leg.recognized - (isBill ? reversed : 0n) - (credited - cut),
  };
}

/** A credit of some lines of an invoice, with the day on which it counts. */
export interface NamingCredit extends NetLine {
  day: number;
}

/** What the credits of an invoice take off each of its lines, day by day. The rule is that of credit notes: `leftOfLines`. */
export function creditsByLine(
  lines: readonly NetLine[],
  credits: readonly NamingCredit[],
  currency: string,
): DatedCredit[][] {
  const taken = lines.map((): DatedCredit[] => []);
  let before = lines.map(({ net }) => net);
  const days = [...new Set(credits.map(({ day }) => day))].toSorted((one, other) => one - other);
  for (const day of days) {
    const until = credits.filter((credit) => credit.day <= day);
    const left = leftOfLines(lines, until, currency);
    for (const [index, credited] of taken.entries())
      credited.push({ day, amount: subtract(before[index] ?? '0', left[index] ?? '0') });
    before = left;
  }
  return taken;
}
