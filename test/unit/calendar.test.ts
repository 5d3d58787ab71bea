import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { DateTime, IANAZone } from 'luxon';
import {
  addDays,
  addDaysToDay,
  daysBetween,
  endOfDay,
  type Interval,
  instantAfter,
  localDay,
  startOfDay,
} from '../../billing/time/calendar.ts';

fc.configureGlobal({ seed: 20270301, numRuns: 400 });

const HOUR = 3_600_000;

function at(iso: string): number {
  return Date.parse(iso);
}

/** The instant, in UTC, after `count` intervals from an anchor in a zone. */
function after(anchor: string, zone: string, [count, interval]: [number, Interval]): string {
  return new Date(instantAfter(at(anchor), zone, { interval, count })).toISOString().replace('.000Z', 'Z');
}

describe('from an anchor', () => {
  test('the 31st falls on the last day of shorter months and on the 31st again', () => {
    const days = [1, 2, 3, 4, 13, 25].map((count) =>
      after('2027-01-31T09:00:00Z', 'UTC', [count, 'month']).slice(0, 10),
    );
    expect(days).toEqual(['2027-02-28', '2027-03-31', '2027-04-30', '2027-05-31', '2028-02-29', '2029-02-28']);
  });

  test('the 29th and the 30th lose days in February only', () => {
    expect(after('2027-01-30T09:00:00Z', 'UTC', [1, 'month'])).toBe('2027-02-28T09:00:00Z');
    expect(after('2028-01-30T09:00:00Z', 'UTC', [1, 'month'])).toBe('2028-02-29T09:00:00Z');
    expect(after('2027-01-29T09:00:00Z', 'UTC', [1, 'month'])).toBe('2027-02-28T09:00:00Z');
    expect(after('2027-01-30T09:00:00Z', 'UTC', [2, 'month'])).toBe('2027-03-30T09:00:00Z');
  });

  test('a leap day falls on the 28th of other years and on the 29th of the next leap year; 1900 and 2100 are none', () => {
    expect(after('2028-02-29T00:00:00Z', 'UTC', [1, 'year'])).toBe('2029-02-28T00:00:00Z');
    expect(after('2028-02-29T00:00:00Z', 'UTC', [4, 'year'])).toBe('2032-02-29T00:00:00Z');
    expect(after('2096-02-29T00:00:00Z', 'UTC', [4, 'year'])).toBe('2100-02-28T00:00:00Z');
    expect(after('2028-02-29T00:00:00Z', 'UTC', [12, 'month'])).toBe('2029-02-28T00:00:00Z');
  });

  test('the day is that of the zone, not of UTC', () => {
    // 1 February 00:30 in Kathmandu (+05:45) is still January in UTC
    expect(after('2027-01-31T18:45:00Z', 'Asia/Kathmandu', [1, 'month'])).toBe('2027-02-28T18:45:00Z');
    // 31 January 21:00 in St. John's (-03:30) is already February in UTC
    expect(after('2027-02-01T00:30:00Z', 'America/St_Johns', [1, 'month'])).toBe('2027-03-01T00:30:00Z');
  });

  test('the local time of day stays while the offset changes', () => {
    expect(after('2027-03-27T08:00:00Z', 'Europe/Berlin', [1, 'day'])).toBe('2027-03-28T07:00:00Z'); // 09:00 CET, CEST
    expect(after('2027-10-30T07:00:00Z', 'Europe/Berlin', [1, 'week'])).toBe('2027-11-06T08:00:00Z');
    expect(after('2027-03-28T00:00:00Z', 'Australia/Lord_Howe', [1, 'month'])).toBe('2027-04-28T00:30:00Z'); // half an hour
    expect(addDays(at('2027-03-27T08:00:00Z'), 1, 'Europe/Berlin')).toBe(at('2027-03-28T07:00:00Z'));
    expect(addDays(at('2027-03-28T07:00:00Z'), -1, 'Europe/Berlin')).toBe(at('2027-03-27T08:00:00Z'));
  });

  test('a skipped local time is the first instant after the gap', () => {
    // Berlin goes from 02:00 to 03:00 on 28 March 2027, at 01:00 UTC
    expect(after('2027-03-27T01:30:00Z', 'Europe/Berlin', [1, 'day'])).toBe('2027-03-28T01:00:00Z'); // 02:30: 03:00, not 03:30
    expect(after('2027-03-27T01:00:00Z', 'Europe/Berlin', [1, 'day'])).toBe('2027-03-28T01:00:00Z'); // 02:00
    expect(after('2027-03-27T01:59:59.999Z', 'Europe/Berlin', [1, 'day'])).toBe('2027-03-28T01:00:00Z');
    expect(after('2027-03-27T02:00:00Z', 'Europe/Berlin', [1, 'day'])).toBe('2027-03-28T01:00:00Z'); // 03:00 exists
    expect(after('2027-03-27T01:30:00Z', 'Europe/Berlin', [2, 'day'])).toBe('2027-03-29T00:30:00Z'); // 02:30 again
  });

  test('a repeated local time is its first instant, and the anchor keeps its own', () => {
    // Berlin goes from 03:00 back to 02:00 on 31 October 2027, at 01:00 UTC
    expect(after('2027-10-30T00:30:00Z', 'Europe/Berlin', [1, 'day'])).toBe('2027-10-31T00:30:00Z');
    expect(after('2027-10-31T01:30:00Z', 'Europe/Berlin', [0, 'day'])).toBe('2027-10-31T01:30:00Z');
    expect(after('2027-10-31T01:30:00Z', 'Europe/Berlin', [1, 'day'])).toBe('2027-11-01T01:30:00Z');
  });

  test('a skipped day is the start of the next one: Samoa had no 30 December 2011', () => {
    expect(after('2011-12-29T19:00:00Z', 'Pacific/Apia', [1, 'day'])).toBe('2011-12-30T10:00:00Z'); // 31 December 00:00
    expect(after('2011-11-30T19:00:00Z', 'Pacific/Apia', [1, 'month'])).toBe('2011-12-30T10:00:00Z');
    expect(after('2011-12-29T19:00:00Z', 'Pacific/Apia', [2, 'day'])).toBe('2011-12-30T19:00:00Z'); // 31 December 09:00
  });
});

describe('days', () => {
  test('are those of the zone', () => {
    expect(localDay(at('2027-01-01T04:59:59.999Z'), 'America/New_York')).toBe('2026-12-31');
    expect(localDay(at('2027-01-01T05:00:00Z'), 'America/New_York')).toBe('2027-01-01');
    expect(localDay(at('2026-12-31T18:15:00Z'), 'Asia/Kathmandu')).toBe('2027-01-01');
  });

  test('start at their first instant, which need not be midnight', () => {
    expect(startOfDay('2027-01-01', 'Asia/Kathmandu')).toBe(at('2026-12-31T18:15:00Z'));
    expect(startOfDay('2018-11-04', 'America/Sao_Paulo')).toBe(at('2018-11-04T03:00:00Z')); // 01:00: no 00:00
    expect(startOfDay('2027-11-07', 'America/Havana')).toBe(at('2027-11-07T04:00:00Z')); // 00:00 comes twice
    expect(startOfDay('2011-12-30', 'Pacific/Apia')).toBe(startOfDay('2011-12-31', 'Pacific/Apia'));
  });

  test('end where the next one starts, after 23, 25 or no hours too', () => {
    const hours = (day: string, zone: string) => (endOfDay(day, zone) - startOfDay(day, zone)) / HOUR;
    expect([hours('2027-03-28', 'Europe/Berlin'), hours('2027-10-31', 'Europe/Berlin')]).toEqual([23, 25]);
    expect([hours('2027-10-03', 'Australia/Lord_Howe'), hours('2011-12-30', 'Pacific/Apia')]).toEqual([23.5, 0]);
  });

  test('are counted by the calendar', () => {
    expect(addDaysToDay('2028-02-28', 1)).toBe('2028-02-29');
    expect(addDaysToDay('2027-03-01', -1)).toBe('2027-02-28');
    expect(daysBetween('2027-12-31', '2028-12-31')).toBe(366);
    expect(daysBetween('2027-03-29', '2027-03-27')).toBe(-2);
  });

  test('that do not exist are refused, as are unknown zones', () => {
    expect(() => startOfDay('2027-02-29', 'UTC')).toThrow(RangeError);
    expect(() => daysBetween('2027-01-01', 'soon')).toThrow(RangeError);
    expect(() => localDay(0, 'Europe/Atlantis')).toThrow(RangeError);
  });
});

/** The oracle uses only offsets from luxon. It tries each offset that is in force around that time. */
function firstInstant(wall: number, zone: IANAZone): number {
  const around = [-26, -13, 0, 13, 26].map((hours) => zone.offset(wall + hours * HOUR) * 60_000);
  const readings = around.map((offset) => wall - offset).filter((instant) => wallClock(instant, zone) === wall);
  if (readings.length > 0) return Math.min(...readings);
  return changeBetween(wall - Math.max(...around), wall - Math.min(...around), zone);
}

function wallClock(instant: number, zone: IANAZone): number {
  return instant + zone.offset(instant) * 60_000;
}

/** Binary search: the first instant of the new offset. */
function changeBetween(from: number, to: number, zone: IANAZone): number {
  let [before, behind] = [from, to];
  while (behind - before > 1) {
    const middle = Math.floor((before + behind) / 2);
    if (zone.offset(middle) === zone.offset(from)) before = middle;
    else behind = middle;
  }
  return behind;
}

const ZONES = ['Pacific/Apia', 'America/St_Johns', 'Asia/Kathmandu', 'Europe/Berlin', 'Australia/Lord_Howe', 'UTC'];

/** All changes of the offset from 1985 to 2045. */
function changesOf(zone: IANAZone): number[] {
  const weeks = Array.from({ length: 60 * 52 }, (_, week) => Date.UTC(1985, 0, 1) + week * 168 * HOUR);
  return weeks.flatMap((week) => {
    const next = week + 168 * HOUR;
    return zone.offset(week) === zone.offset(next) ? [] : [changeBetween(week, next, zone)];
  });
}

const CHANGES = ZONES.map((name) => {
  const zone = IANAZone.create(name);
  return { name, zone, changes: changesOf(zone) };
});

/** A random zone and wall clock: any wall clock, or one within a day or three hours of a change of the offset. */
const place = fc.constantFrom(...CHANGES).chain(({ name, zone, changes }) => {
  const any = fc.integer({ min: Date.UTC(1985, 0, 1), max: Date.UTC(2045, 0, 1) });
  if (changes.length === 0) return any.map((wall) => ({ name, zone, wall }));
  const minutes = fc.oneof(fc.integer({ min: -90, max: 90 }), fc.integer({ min: -1560, max: 1560 }));
  const near = fc
    .tuple(fc.constantFrom(...changes), minutes)
    .map(([change, minute]) => wallClock(change - 1, zone) + 1 + minute * 60_000);
  return fc.oneof({ weight: 1, arbitrary: any }, { weight: 3, arbitrary: near }).map((wall) => ({ name, zone, wall }));
});

const step = fc.record({
  interval: fc.constantFrom<Interval>('day', 'week', 'month', 'year'),
  count: fc.integer({ min: -40, max: 40 }).filter((count) => count !== 0),
});

function moved(wall: number, { interval, count }: { interval: Interval; count: number }): number {
  return DateTime.fromMillis(wall, { zone: 'utc' })
    .plus({ [interval]: count })
    .toMillis();
}

describe('whatever the zone and the anchor', () => {
  test('the instant is the first that shows the wall clock, or the end of the gap', () => {
    fc.assert(
      fc.property(place, step, ({ name, zone, wall }, { interval, count }) => {
        const anchorAt = firstInstant(moved(wall, { interval, count: -count }), zone); // the result is then near a change
        const expected = firstInstant(moved(wallClock(anchorAt, zone), { interval, count }), zone);
        expect(instantAfter(anchorAt, name, { interval, count })).toBe(expected);
      }),
      { numRuns: 2500 },
    );
  });

  test('later counts give later instants, or equal ones at the end of a gap', () => {
    fc.assert(
      fc.property(place, step, ({ name, zone, wall }, { interval, count }) => {
        const anchorAt = firstInstant(wall, zone);
        const next = instantAfter(anchorAt, name, { interval, count: count + 1 });
        expect(next).toBeGreaterThanOrEqual(instantAfter(anchorAt, name, { interval, count }));
      }),
    );
  });

  test('days start, end and print as in luxon', () => {
    fc.assert(
      fc.property(place, fc.integer({ min: -800, max: 800 }), ({ name, zone, wall }, days) => {
        const day = DateTime.fromMillis(wall, { zone: 'utc' }).toISODate() ?? '';
        const instant = firstInstant(wall, zone);
        const other = moved(Date.parse(day), { interval: 'day', count: days });
        expect(localDay(instant, name)).toBe(DateTime.fromMillis(instant, { zone: name }).toISODate());
        expect(startOfDay(day, name)).toBe(firstInstant(Date.parse(day), zone));
        expect(endOfDay(day, name)).toBe(firstInstant(Date.parse(day) + 24 * HOUR, zone));
        expect(addDaysToDay(day, days)).toBe(DateTime.fromMillis(other, { zone: 'utc' }).toISODate());
        expect(daysBetween(day, addDaysToDay(day, days))).toBe(days);
      }),
    );
  });
});
