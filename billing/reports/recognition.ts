import { leftOfLines, type NetLine } from '../documents/creditedLines.ts';
import { type Money, minorUnits, subtract } from '../money/money.ts';
import { divideRounded, exact, least, roundedUnits } from '../money/units.ts';

// In this file, days are whole numbers: local days since 1 January 1970.

/** A line of an issued invoice, with the days over which its revenue is recognized. */
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

/** A line at the end of a day, minor units. `billed` less `credited` is `recognized` and `deferred` together. */
export interface Recognition {
  billed: bigint;
  credited: bigint;
  recognized: bigint;
  /** Never negative, and zero once the service has ended. */
  deferred: bigint;
}

/** What is so from a day on. `served`: days of the service that `recognized` contains. */
interface Leg extends Recognition {
  day: number;
  served: number;
}

const NOTHING: Recognition = { billed: 0n, credited: 0n, recognized: 0n, deferred: 0n };

/**
 * The revenue of a line, by day. It is recognized evenly over the days of its service; what is billed late is recognized up to its day at once.
 * A credit takes what is not recognized yet at the end of its day, and then reverses. What is left is recognized evenly over the days that are
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
  const bill = { day: billedOn, billed: units(net), credited: 0n };
  const changes = [bill, ...credits.map(({ day, amount }) => ({ day, billed: 0n, credited: units(amount) }))];
  const legs: Leg[] = [];
  const servedUntil = (day: number) => Math.min(Math.max(day + 1 - from, 0), length);
  const at = (day: number): Recognition => {
    const leg = legs.findLast((one) => one.day <= day);
    if (!leg) return NOTHING;
    const { billed, credited, recognized, deferred, served } = leg;
    const [part, whole] = [servedUntil(day) - served, length - served];
    const earned = whole === 0 ? deferred : divideRounded(deferred * BigInt(part), BigInt(whole));
    return { billed, credited, recognized: recognized + earned, deferred: deferred - earned };
  };
  for (const change of changes.toSorted((one, other) => one.day - other.day)) {
    const { day } = change;
    const isServed = change !== bill && billedOn <= day;
    legs.push({ ...changed(at(day), change), day, served: isServed ? servedUntil(day) : 0 });
  }
  return at;
}

function changed(before: Recognition, change: { billed: bigint; credited: bigint }): Recognition {
  const { billed, credited } = change;
  // A bill makes up for a reversal.
  const reversed = billed === 0n ? 0n : least(before.recognized, 0n);
  const deferred = before.deferred + billed + reversed;
  const cut = least(credited, deferred);
  return {
    billed: before.billed + billed,
    credited: before.credited + credited,
    recognized: before.recognized - reversed - (credited - cut),
    deferred: deferred - cut,
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
