import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { DateTime } from 'luxon';
import { proratedPrice } from '../../billing/subscriptions/proration.ts';
import {
  checkSnapDay,
  lastPeriodOf,
  periodAt,
  periodIndexAt,
  type Schedule,
  shareOfPeriod,
  startsShort,
} from '../../billing/time/periods.ts';

/** Periods that start on the n-th day of a week, month or year. */

type SnapInterval = 'week' | 'month' | 'year';
interface Snapped extends Schedule {
  interval: SnapInterval;
  snapDay: number;
}

const DAY = 86_400_000;
const HOUR = 3_600_000;

function schedule(anchor: string, every: [number, SnapInterval], snapDay: number): Snapped {
  return {
    anchorAt: Date.parse(`${anchor}T09:00:00Z`),
    zone: 'UTC',
    interval: every[1],
    intervalCount: every[0],
    snapDay,
  };
}

/** The days on which the first periods start. */
function starts(of: Schedule, count = 4): string[] {
  return Array.from({ length: count }, (_, n) => new Date(periodAt(of, n).startAt).toISOString().slice(0, 10));
}

test.each<[string, [number, SnapInterval], number, string[], boolean]>([
  ['2027-03-20', [1, 'month'], 1, ['2027-03-20', '2027-04-01', '2027-05-01', '2027-06-01'], true],
  ['2027-03-20', [1, 'month'], 25, ['2027-03-20', '2027-03-25', '2027-04-25', '2027-05-25'], true],
  ['2027-03-01', [1, 'month'], 1, ['2027-03-01', '2027-04-01', '2027-05-01', '2027-06-01'], false],
  ['2027-01-15', [1, 'month'], 31, ['2027-01-15', '2027-01-31', '2027-02-28', '2027-03-31'], true], // February ends with it
  ['2027-02-28', [1, 'month'], 31, ['2027-02-28', '2027-03-31', '2027-04-30', '2027-05-31'], false], // its day
  ['2027-02-20', [3, 'month'], 15, ['2027-02-20', '2027-03-15', '2027-06-15', '2027-09-15'], true], // every third
  ['2027-02-15', [3, 'month'], 15, ['2027-02-15', '2027-05-15', '2027-08-15', '2027-11-15'], false],
  ['2027-03-03', [1, 'week'], 1, ['2027-03-03', '2027-03-08', '2027-03-15', '2027-03-22'], true], // a Wednesday, then Mondays
  ['2027-03-03', [2, 'week'], 5, ['2027-03-03', '2027-03-05', '2027-03-19', '2027-04-02'], true], // every second Friday
  ['2027-03-03', [1, 'year'], 1, ['2027-03-03', '2028-01-01', '2029-01-01', '2030-01-01'], true],
  ['2027-03-03', [1, 'year'], 366, ['2027-03-03', '2027-12-31', '2028-12-31', '2029-12-31'], true], // 2028 is a leap year
])('from %s every %j on day %i: %j', (anchor, every, day, expected, isShort) => {
  const of = schedule(anchor, every, day);
  expect(starts(of)).toEqual(expected);
  expect([startsShort(of), shareOfPeriod(of, 0) !== null]).toEqual([isShort, isShort]);
});

test('periods keep the time of day of the anchor over a change of the clocks', () => {
  const of = { ...schedule('2027-03-20', [1, 'month'], 1), zone: 'Europe/Berlin' };
  expect(new Date(periodAt(of, 1).startAt).toISOString()).toBe('2027-04-01T08:00:00.000Z'); // 10:00 in Berlin, as on 20 March
});

const berlin = (anchorAt: string, day: number): Schedule => {
  return { ...schedule('2027-03-20', [1, 'month'], day), anchorAt: Date.parse(anchorAt), zone: 'Europe/Berlin' };
};
const startOf = (of: Schedule, n: number) => new Date(periodAt(of, n).startAt).toISOString();

test('a local time that the clocks skip becomes the first instant after it, and one that occurs twice the first', () => {
  expect(startOf(berlin('2027-03-20T01:30:00Z', 28), 1)).toBe('2027-03-28T01:00:00.000Z'); // there is no 02:30
  expect(startOf(berlin('2027-10-20T00:30:00Z', 31), 1)).toBe('2027-10-31T00:30:00.000Z'); // the first 02:30
  const second = berlin('2027-10-31T01:30:00Z', 31); // the second 02:30
  expect([startsShort(second), startOf(second, 0), startOf(second, 1)]).toEqual([
    false,
    '2027-10-31T01:30:00.000Z',
    '2027-11-30T01:30:00.000Z',
  ]);
});

test('the share counts the hours that the clocks skip', () => {
  const of = berlin('2027-03-20T09:00:00Z', 1); // an hour is skipped on 28 March
  expect(shareOfPeriod(of, 0)).toEqual({ numerator: 12 * DAY - HOUR, denominator: 31 * DAY - HOUR });
});

test('a short first period is a part of the whole one that ends with it', () => {
  const of = schedule('2027-03-20', [1, 'month'], 1);
  expect(shareOfPeriod(of, 0)).toEqual({ numerator: 12 * DAY, denominator: 31 * DAY }); // 20 March to 1 April, of 1 March to 1 April
  expect(shareOfPeriod(of, 1)).toBeNull();
  expect(shareOfPeriod(schedule('2027-03-01', [1, 'month'], 1), 0)).toBeNull();
  const quarterly = schedule('2027-02-20', [3, 'month'], 15);
  expect(shareOfPeriod(quarterly, 0)).toEqual({ numerator: 23 * DAY, denominator: 90 * DAY }); // of 15 December to 15 March
});

test('a short first period is no cycle of a contract', () => {
  const short = schedule('2027-03-20', [1, 'month'], 1);
  expect(new Date(periodAt(short, lastPeriodOf(short, 2)).endAt).toISOString()).toBe('2027-06-01T09:00:00.000Z'); // April and May
  const whole = schedule('2027-03-01', [1, 'month'], 1);
  expect(new Date(periodAt(whole, lastPeriodOf(whole, 2)).endAt).toISOString()).toBe('2027-05-01T09:00:00.000Z');
});

test('the share of the billed amounts is rounded once', () => {
  const share = { numerator: 12, denominator: 31 };
  expect(proratedPrice([{ quantity: '1', unitCost: '10' }], share, 'usd')).toBe('3.87'); // 10 x 12 / 31 = 3.870…
  const tiers = [
    { quantity: '10', unitCost: '5' },
    { quantity: '3', unitCost: '4' },
  ];
  expect(proratedPrice(tiers, share, 'usd')).toBe('24.00'); // (50 + 12) x 12 / 31
  const cents = { quantity: '1', unitCost: '0.04' };
  expect(proratedPrice([cents, cents], share, 'usd')).toBe('0.03'); // 0.08 x 12 / 31 = 0.031; each alone would be 0.02
  expect(proratedPrice([{ quantity: '3', unitCost: '500' }], share, 'jpy')).toBe('581'); // 1500 x 12 / 31 = 580.6…
});

const most = { week: 7, month: 31, year: 366 };

/** Random schedules with a snap day. Between 04:00 and 22:00 no clock of these zones changes. */
const anySchedule: fc.Arbitrary<Snapped> = fc
  .record({
    at: fc.record({
      year: fc.integer({ min: 1990, max: 2040 }),
      month: fc.integer({ min: 1, max: 12 }),
      day: fc.integer({ min: 1, max: 28 }),
      hour: fc.integer({ min: 4, max: 21 }),
    }),
    zone: fc.constantFrom('America/St_Johns', 'Asia/Kathmandu', 'Europe/Berlin', 'Australia/Lord_Howe', 'UTC'),
    interval: fc.constantFrom<SnapInterval>('week', 'month', 'year'),
    intervalCount: fc.integer({ min: 1, max: 3 }),
    snap: fc.integer({ min: 0, max: 365 }),
  })
  .map(({ at, zone, snap, ...every }) => {
    const anchorAt = DateTime.fromObject(at, { zone }).toMillis();
    return { anchorAt, zone, ...every, snapDay: 1 + (snap % most[every.interval]) };
  });

/** Whether this day is the snap day of its week, month or year, or ends a month or year that has no such day. */
function isSnapDay(day: DateTime, { interval, snapDay }: Snapped): boolean {
  if (interval === 'week') return day.weekday === snapDay;
  if (interval === 'month') return day.day === Math.min(snapDay, day.daysInMonth ?? 0);
  return day.ordinal === Math.min(snapDay, day.isInLeapYear ? 366 : 365);
}

/** The first snap days on or after the anchor's day, found day by day with another library. */
function snapDaysFrom(of: Snapped, count: number): number[] {
  const found: number[] = [];
  for (
    let day = DateTime.fromMillis(of.anchorAt, { zone: of.zone });
    found.length < count;
    day = day.plus({ days: 1 })
  ) {
    if (isSnapDay(day, of)) found.push(day.toMillis());
  }
  return found;
}

test('periods start at the anchor and on every n-th snap day after it, in any zone', () => {
  fc.assert(
    fc.property(anySchedule, (of) => {
      const { intervalCount, anchorAt } = of;
      const days = snapDaysFrom(of, 3 * intervalCount + 1);
      const everyNth = days.filter((_, index) => index % intervalCount === 0);
      const expected = everyNth[0] === anchorAt ? everyNth : [anchorAt, ...everyNth];
      expect([0, 1, 2, 3].map((n) => periodAt(of, n).startAt)).toEqual(expected.slice(0, 4));
      expect(startsShort(of)).toBe(everyNth[0] !== anchorAt);
      for (const n of [0, 1, 2, 3]) {
        const { startAt, endAt } = periodAt(of, n);
        expect([startAt, endAt - 1].map((at) => periodIndexAt(of, at))).toEqual([n, n]);
      }
      const share = shareOfPeriod(of, 0);
      if (share) expect(share.numerator).toBeLessThan(share.denominator);
    }),
    { seed: 20270301, numRuns: 200 },
  );
});

test.each<[SnapInterval, number]>([
  ['week', 7],
  ['month', 31],
  ['year', 366],
])('a plan by the %s has days up to %i', (interval, last) => {
  expect(() => checkSnapDay(last, interval)).not.toThrow();
  expect(() => checkSnapDay(last + 1, interval)).toThrow(`must be from 1 to ${last}`);
});
