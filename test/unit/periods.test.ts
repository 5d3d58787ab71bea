import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { DateTime } from 'luxon';
import { proportion } from '../../billing/money/money.ts';
import type { Interval } from '../../billing/time/calendar.ts';
import { monthlyFactor, periodAt, periodIndexAt, type Schedule } from '../../billing/time/periods.ts';

fc.configureGlobal({ seed: 20270301, numRuns: 400 });

function schedule(anchor: string, zone: string, [intervalCount, interval]: [number, Interval]): Schedule {
  return { anchorAt: Date.parse(anchor), zone, interval, intervalCount, snapDay: null };
}

/** A period as "start – end" in UTC, to the minute. */
function shown(of: Schedule, n: number): string {
  const { startAt, endAt } = periodAt(of, n);
  return [startAt, endAt].map((instant) => new Date(instant).toISOString().slice(0, 16)).join(' – ');
}

function indexAt(of: Schedule, iso: string): number {
  return periodIndexAt(of, Date.parse(iso));
}

describe('periods', () => {
  test('from 31 January start on the last day of shorter months, at the same local time', () => {
    const monthly = schedule('2027-01-31T08:00:00Z', 'Europe/Berlin', [1, 'month']);
    expect([0, 1, 2, 3].map((n) => shown(monthly, n))).toEqual([
      '2027-01-31T08:00 – 2027-02-28T08:00',
      '2027-02-28T08:00 – 2027-03-31T07:00', // summer time
      '2027-03-31T07:00 – 2027-04-30T07:00',
      '2027-04-30T07:00 – 2027-05-31T07:00',
    ]);
    expect(shown(monthly, -1)).toBe('2026-12-31T08:00 – 2027-01-31T08:00');
  });

  test('can span several intervals', () => {
    expect(shown(schedule('2027-08-31T00:00:00Z', 'UTC', [3, 'month']), 2)).toBe('2028-02-29T00:00 – 2028-05-31T00:00');
    expect(shown(schedule('2028-02-29T00:00:00Z', 'UTC', [2, 'year']), 1)).toBe('2030-02-28T00:00 – 2032-02-29T00:00');
    expect(shown(schedule('2027-01-01T00:00:00Z', 'UTC', [2, 'week']), 1)).toBe('2027-01-15T00:00 – 2027-01-29T00:00');
    expect(shown(schedule('2027-01-01T00:00:00Z', 'UTC', [90, 'day']), 1)).toBe('2027-04-01T00:00 – 2027-06-30T00:00');
  });

  test('hold the instant they start at and not the one they end at', () => {
    const monthly = schedule('2027-01-31T08:00:00Z', 'Europe/Berlin', [1, 'month']);
    expect(indexAt(monthly, '2027-01-31T07:59:59.999Z')).toBe(-1);
    expect(indexAt(monthly, '1970-01-01T00:00:00Z')).toBe(-1);
    expect(indexAt(monthly, '2027-01-31T08:00:00Z')).toBe(0);
    expect(indexAt(monthly, '2027-02-28T07:59:59.999Z')).toBe(0);
    expect(indexAt(monthly, '2027-02-28T08:00:00Z')).toBe(1);
    expect(indexAt(monthly, '2127-01-31T08:00:00Z')).toBe(1200);
  });

  test('are empty where the zone skipped their whole day', () => {
    const daily = schedule('2011-12-28T10:00:00Z', 'Pacific/Apia', [1, 'day']); // midnight
    expect([0, 1, 2].map((n) => shown(daily, n))).toEqual([
      '2011-12-28T10:00 – 2011-12-29T10:00',
      '2011-12-29T10:00 – 2011-12-30T10:00',
      '2011-12-30T10:00 – 2011-12-30T10:00', // 30 December
    ]);
    expect(indexAt(daily, '2011-12-30T10:00:00Z')).toBe(3); // 31 December
  });
});

test('a month of a yearly, quarterly, weekly and daily price', () => {
  const monthly = (amount: string, interval: Interval, count: number) =>
    proportion(amount, monthlyFactor(interval, count), 'usd');
  expect(monthly('1200.00', 'year', 1)).toBe('100.00');
  expect(monthly('2400.00', 'year', 2)).toBe('100.00');
  expect(monthly('100.00', 'month', 1)).toBe('100.00');
  expect(monthly('100.00', 'month', 3)).toBe('33.33');
  expect(monthly('12.00', 'week', 1)).toBe('52.00');
  expect(monthly('12.00', 'day', 1)).toBe('365.00');
  expect(monthly('120.00', 'day', 10)).toBe('365.00');
});

const ZONES = ['Pacific/Apia', 'America/St_Johns', 'Asia/Kathmandu', 'Europe/Berlin', 'Australia/Lord_Howe', 'UTC'];

/** Random anchors, often at the end of a month. Between 04:00 and 22:00 no clock of these zones changes. */
function anyAnchor(hours: { min: number; max: number }): fc.Arbitrary<Schedule> {
  const day = fc.oneof(fc.integer({ min: 28, max: 31 }), fc.integer({ min: 1, max: 31 }));
  const years = fc.integer({ min: 1990, max: 2040 });
  return fc
    .record({
      date: fc.tuple(years, fc.integer({ min: 1, max: 12 }), day, fc.integer(hours), fc.integer({ min: 0, max: 59 })),
      zone: fc.constantFrom(...ZONES),
      interval: fc.constantFrom<Interval>('day', 'week', 'month', 'year'),
      intervalCount: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 14 })),
      snapDay: fc.constant(null),
    })
    .map(({ date: [year, month, wanted, hour, minute], zone, ...every }) => {
      const day = Math.min(wanted, DateTime.utc(year, month).daysInMonth ?? 28);
      return { anchorAt: DateTime.fromObject({ year, month, day, hour, minute }, { zone }).toMillis(), zone, ...every };
    });
}

describe('whatever the schedule', () => {
  test('periods start where luxon counts from the anchor', () => {
    fc.assert(
      fc.property(anyAnchor({ min: 4, max: 21 }), fc.integer({ min: 0, max: 60 }), (of, n) => {
        const anchor = DateTime.fromMillis(of.anchorAt, { zone: of.zone });
        const start = anchor.plus({ [of.interval]: n * of.intervalCount });
        const skipped = of.zone === 'Pacific/Apia' && periodAt(of, n).startAt === Date.parse('2011-12-30T10:00:00Z');
        if (!skipped) expect(periodAt(of, n).startAt).toBe(start.toMillis());
      }),
      { numRuns: 1000 },
    );
  });

  test('periods follow one another without gap or overlap', () => {
    fc.assert(
      fc.property(anyAnchor({ min: 0, max: 23 }), fc.integer({ min: -20, max: 200 }), (of, n) => {
        const { startAt, endAt } = periodAt(of, n);
        expect(periodAt(of, n + 1).startAt).toBe(endAt);
        expect(endAt).toBeGreaterThanOrEqual(startAt);
        expect(periodAt(of, 0).startAt).toBe(of.anchorAt);
      }),
    );
  });

  test('every instant from the anchor on is in the period found for it, at its edges too', () => {
    fc.assert(
      fc.property(
        anyAnchor({ min: 0, max: 23 }),
        fc.integer({ min: 0, max: 2000 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (of, n, part) => {
          const { startAt, endAt } = periodAt(of, n);
          fc.pre(startAt < endAt);
          const within = startAt + Math.floor((endAt - startAt - 1) * part);
          expect([startAt, within, endAt - 1].map((instant) => periodIndexAt(of, instant))).toEqual([n, n, n]);
          expect(periodIndexAt(of, startAt - 1)).toBeLessThan(n);
        },
      ),
    );
  });
});
