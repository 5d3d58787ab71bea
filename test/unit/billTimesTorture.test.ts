import { expect, test } from '@jest/globals';
import type { SubscriptionStep } from '../../billing/subscriptions/subscriptionSteps.ts';
import { trialEnd } from '../../billing/subscriptions/trial.ts';
import type { Interval } from '../../billing/time/calendar.ts';
import { addIntervals, firstInstant, type OracleZone, wallClock } from '../support/calendarOracle.ts';
import { anchorsAt, DATES, type TorturedZone, torturedZone, ZONES } from '../support/calendarSpace.ts';
import { randomOf } from '../support/random.ts';
import { lastSnapDay, periodOf } from '../support/subscriptionOraclePeriods.ts';
import { stateFrom, walk } from '../support/subscriptionWalk.ts';

// Ten years of subscriptions that bill ahead, in arrears, after a trial or on a snap day, compared with the second calendar.

const SEED = 20_270_302;
const WALKS = 100;
const YEARS = 10;
const YEAR = 365.2425 * 86_400_000;

interface Case {
  tortured: TorturedZone;
  startAt: number;
  interval: Interval;
  intervalCount: number;
  billIn: 'advance' | 'arrears';
  advanceDays: number;
  trialDays: number;
  snapDay: number | null;
}

/** Intervals of which ten years have at most 130, with a lower limit of their days. */
const EVERY: readonly [Interval, number, number][] = [
  ['day', 30, 30],
  ['day', 61, 61],
  ['week', 5, 35],
  ['week', 4, 28],
  ['week', 52, 364],
  ['month', 1, 28],
  ['month', 3, 84],
  ['month', 7, 196],
  ['year', 1, 365],
  ['year', 2, 730],
];

function* cases(count: number): Generator<Case> {
  const random = randomOf(SEED);
  const oneOf = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)];
  const zones = ZONES.map(torturedZone);
  for (let made = 0; made < count; ) {
    const tortured = oneOf(zones);
    const every = oneOf(EVERY);
    if (!tortured || !every) return;
    const [interval, intervalCount, shortest] = every;
    const startAt = oneOf(anchorsAt(tortured, oneOf(DATES) ?? 0, oneOf(tortured.timesOfDay) ?? 0));
    if (startAt === undefined) continue; // a gap has no start
    const billIn = random() < 0.4 ? 'arrears' : 'advance';
    const advanceDays = billIn === 'arrears' ? 0 : (oneOf([0, 1, 5, shortest - 1]) ?? 0);
    const snaps = interval !== 'day' && random() < 0.5;
    const snapDay = snaps ? 1 + Math.floor(random() * lastSnapDay(interval)) : null;
    const trialDays = oneOf([0, 1, 14, 730]) ?? 0;
    made += 1;
    yield { tortured, startAt, interval, intervalCount, billIn, advanceDays, trialDays, snapDay };
  }
}

/** An instant moved by intervals of local time, by the second calendar. */
function moved(zone: OracleZone, at: number, [interval, count]: [Interval, number]): number {
  return count === 0 ? at : firstInstant(zone, addIntervals(wallClock(zone, at), interval, count));
}

const timesOf = (steps: readonly SubscriptionStep[], kind: 'bill' | 'begin') =>
  steps.flatMap((step) => (step.kind === kind ? [step.at] : []));

test('over ten years each period is billed once, ahead, at its start or in arrears, when luxon says', () => {
  for (const one of cases(WALKS)) {
    const { tortured, startAt, interval, intervalCount, billIn, advanceDays, trialDays, snapDay } = one;
    const { zone } = tortured;
    const anchorAt = moved(zone, startAt, ['day', trialDays]);
    expect(trialEnd({ days: trialDays, endAt: null }, startAt, zone.name) ?? startAt).toBe(anchorAt);
    const schedule = { anchorAt, zone: zone.name, interval, intervalCount, snapDay };
    const trial = trialDays > 0 ? { startAt, endAt: anchorAt } : null;
    const from = stateFrom(anchorAt, { schedule, billIn, advanceDays, trial, anchoredAt: startAt });
    const { steps } = walk(from, startAt + YEARS * YEAR);
    const about = JSON.stringify({ ...one, tortured: zone.name });

    const bills = steps.filter((step) => step.kind === 'bill');
    const ofOracle = { anchor: anchorAt, zone: zone.name, interval, intervalCount, snapDay };
    const startOf = (n: number) => periodOf(ofOracle, n).start;
    const starts = Array.from({ length: bills.length + 1 }, (_, n) => startOf(n));
    const spans = bills.map((bill) => [bill.period, bill.startAt, bill.endAt]);
    expect([about, spans]).toEqual([about, bills.map((_, n) => [n, starts[n], starts[n + 1]])]);

    const due = bills.map((_, n) => {
      if (billIn === 'arrears') return startOf(n + 1);
      return Math.max(moved(zone, startOf(n), ['day', -advanceDays]), n === 0 ? startAt : startOf(n - 1));
    });
    expect([about, timesOf(steps, 'bill')]).toEqual([about, due]);

    // In advance, a period that is billed at its start begins with its bill. The last one may not have begun yet.
    const begun = timesOf(steps, 'begin');
    const later = starts.slice(0, bills.length).filter((at, n) => (due[n] ?? 0) < at);
    if (billIn === 'arrears') expect([about, begun]).toEqual([about, starts]);
    else expect([about, begun]).toEqual([about, later.slice(0, begun.length)]);
    if (billIn === 'advance') expect(begun.length).toBeGreaterThanOrEqual(later.length - 1);

    const times = steps.map(({ at }) => at);
    expect([about, times]).toEqual([about, times.toSorted((a, b) => a - b)]);
    expect(bills.length).toBeGreaterThan(2);
  }
});

test('a bill ahead that falls into a gap of the clocks is due at the first instant after it', () => {
  const berlin = torturedZone('Europe/Berlin').zone;
  const anchorAt = Date.parse('2027-01-31T01:30:00Z'); // 02:30
  const schedule = { anchorAt, zone: berlin.name, interval: 'month' as const, intervalCount: 1, snapDay: null };
  const { steps } = walk(stateFrom(anchorAt, { schedule, advanceDays: 3 }), Date.parse('2027-11-01T00:00:00Z'));
  const bills = timesOf(steps, 'bill').map((at) => new Date(at).toISOString().slice(0, 16));
  // 31 March 02:30 less 3 days is 28 March, on which 02:30 does not exist: 03:00, 01:00 UTC.
  expect(bills[2]).toBe('2027-03-28T01:00');
  // 31 October 02:30 occurs twice. 28 October has it once, in summer time.
  expect(bills[9]).toBe('2027-10-28T00:30');
});
