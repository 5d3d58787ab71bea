import { type Interval, instantAfter, LATEST } from './calendar.ts';

/** Consecutive billing periods. The first starts at the anchor; each lasts `intervalCount` intervals of local time in the zone. */
export interface Schedule {
  anchorAt: number;
  zone: string;
  interval: Interval;
  intervalCount: number;
}

/** Epoch milliseconds; `endAt` is exclusive and the start of the next period. */
export interface Period {
  startAt: number;
  endAt: number;
}

const DAY_MILLISECONDS = 86_400_000;
const AVERAGE_DAYS = { day: 1, week: 7, month: 30.436875, year: 365.2425 } as const;

/**
 * Period n, counted from 0 at the anchor; negative ones lie before it. A period is empty if the zone skipped its only day, as Pacific/Apia
 * skipped 30 December 2011.
 */
export function periodAt(schedule: Schedule, n: number): Period {
  return { startAt: startOf(schedule, n), endAt: startOf(schedule, n + 1) };
}

/** No two allowed dates are this far apart. */
const MOST_MILLISECONDS = 300 * 365.2425 * DAY_MILLISECONDS;

/** Whether period n ends after the latest allowed date. Any n is accepted, however large. */
export function endsTooLate(schedule: Schedule, n: number): boolean {
  return (n + 1) * averageOf(schedule) > MOST_MILLISECONDS || startOf(schedule, n + 1) > LATEST;
}

/** Index of the period that contains the instant; -1 for any instant before the anchor. */
export function periodIndexAt(schedule: Schedule, at: number): number {
  if (at < schedule.anchorAt) return -1;
  let n = Math.floor((at - schedule.anchorAt) / averageOf(schedule)); // a few periods off, because months differ in length
  while (startOf(schedule, n) > at) n -= 1;
  while (startOf(schedule, n + 1) <= at) n += 1;
  return n;
}

/**
 * Factor that converts the amount of a period to MRR, as an exact fraction. A year has 12 months, 52 weeks and 365 days, also in leap
 * years.
 */
export function monthlyFactor(interval: Interval, intervalCount: number): { numerator: number; denominator: number } {
  const perYear = { day: 365, week: 52, month: 12, year: 1 } as const;
  return { numerator: perYear[interval], denominator: 12 * intervalCount };
}

function averageOf({ interval, intervalCount }: Schedule): number {
  return AVERAGE_DAYS[interval] * intervalCount * DAY_MILLISECONDS;
}

function startOf({ anchorAt, zone, interval, intervalCount }: Schedule, n: number): number {
  return instantAfter(anchorAt, zone, { interval, count: n * intervalCount });
}
