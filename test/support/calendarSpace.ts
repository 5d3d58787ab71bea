import { DateTime } from 'luxon';
import type { Interval } from '../../billing/time/calendar.ts';
import { addIntervals, instantsOf, type OracleZone, oracleZone, wallsAtChanges } from './calendarOracle.ts';

// The cases of the calendar's torture test: each anchor below, and each step from it within ten years.

const DAY = 86_400_000;
const YEARS = 10;

export const ZONES = [
  'Pacific/Apia',
  'America/St_Johns',
  'Asia/Kathmandu',
  'Europe/Berlin',
  'Australia/Lord_Howe',
  'UTC',
] as const;

/**
 * A leap year and a common year. In the ten years from 2008, Samoa skipped 30 December 2011 and used summer time, and Newfoundland changed
 * its clocks a minute after midnight. The ten years from 2027 are in the future.
 */
const FIRST_YEARS = [2008, 2027];

/** Days 28 to 31 of every month in `FIRST_YEARS`, as midnight in UTC. */
export const DATES: readonly number[] = FIRST_YEARS.flatMap((year) =>
  Array.from({ length: 12 }, (_, month) => month + 1).flatMap((month) =>
    [28, 29, 30, 31].flatMap((day) => {
      const date = DateTime.utc(year, month, day);
      return date.isValid ? [date.toMillis()] : [];
    }),
  ),
);

export interface Step {
  interval: Interval;
  count: number;
}

/** Every step within ten years. They include all period starts for any number of intervals per period. */
export const STEPS: readonly Step[] = (
  [
    ['day', 3652],
    ['week', 521],
    ['month', 12 * YEARS],
    ['year', YEARS],
  ] as const
).flatMap(([interval, most]) => Array.from({ length: most }, (_, index) => ({ interval, count: index + 1 })));

export interface TorturedZone {
  zone: OracleZone;
  /** Milliseconds since midnight: midnight, noon, the last millisecond, and the edges of each change of the zone's offset. */
  timesOfDay: readonly number[];
}

export function torturedZone(name: string): TorturedZone {
  const zone = oracleZone(name, Date.UTC(2007, 0, 1), Date.UTC(2058, 0, 1));
  const edges = wallsAtChanges(zone).map((wall) => ((wall % DAY) + DAY) % DAY);
  const timesOfDay = [...new Set([0, DAY / 2, DAY - 1, ...edges])].sort((a, b) => a - b);
  return { zone, timesOfDay };
}

/** The instants that show a date and a time of day: none in a gap, two where the time is repeated. */
export function anchorsAt({ zone }: TorturedZone, date: number, timeOfDay: number): number[] {
  return instantsOf(zone, date + timeOfDay);
}

/** The date after each step from a date, as midnight in UTC, in the order of `STEPS`. */
export function destinationsOf(date: number): number[] {
  return STEPS.map(({ interval, count }) => addIntervals(date, interval, count));
}
