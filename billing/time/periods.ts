import { Refusal } from '../refusal.ts';
import { type Interval, instantAfter, instantOnNthDay, LATEST, type NthDay } from './calendar.ts';

/**
 * Consecutive billing periods. The first starts at the anchor; each lasts `intervalCount` intervals of local time in the zone. With a snap
 * day, all but the first start on that day of a week, month or year. The first one is then shorter, unless the anchor is on such a day.
 */
export interface Schedule {
  anchorAt: number;
  zone: string;
  interval: Interval;
  intervalCount: number;
  /** 1 to 7 for weeks (Monday to Sunday), to 31 for months, to 366 for years; null: periods are counted from the anchor. */
  snapDay: number | null;
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
  const whole = startsShort(schedule) ? n : n + 1;
  return whole * averageOf(schedule) > MOST_MILLISECONDS || startOf(schedule, n + 1) > LATEST;
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

function startOf(schedule: Schedule, n: number): number {
  const { anchorAt, zone, interval, intervalCount } = schedule;
  const days = snapDays(schedule);
  if (!days) return instantAfter(anchorAt, zone, { interval, count: n * intervalCount });
  if (n === 0) return anchorAt;
  return days.at((n > 0 && startsShort(schedule) ? n - 1 : n) * intervalCount);
}

/** The snap days of a schedule. `at(n)`: the n-th one on or after the anchor's day, from 0. Null: it has none. */
function snapDays({ anchorAt, zone, interval, snapDay }: Schedule): { at(n: number): number } | null {
  if (snapDay === null || interval === 'day') return null;
  const on: NthDay = { interval, day: snapDay };
  const first = instantOnNthDay(anchorAt, zone, { ...on, count: 0 }) < anchorAt ? 1 : 0;
  return { at: (n) => instantOnNthDay(anchorAt, zone, { ...on, count: first + n }) };
}

/** Whether the first period is shorter than the others, because the anchor is not on a snap day. */
export function startsShort(schedule: Schedule): boolean {
  const days = snapDays(schedule);
  return days !== null && days.at(0) > schedule.anchorAt;
}

/** A part of a period as a fraction of it, in milliseconds. */
export interface Share {
  numerator: number;
  denominator: number;
}

/**
 * The part of a whole period that period n lasts. Null: it is a whole one. A short first period is a part of the one that ends with it.
 */
export function shareOfPeriod(schedule: Schedule, n: number): Share | null {
  const days = snapDays(schedule);
  if (n !== 0 || !days || !startsShort(schedule)) return null;
  const [startAt, endAt] = [days.at(-schedule.intervalCount), days.at(0)];
  return { numerator: endAt - schedule.anchorAt, denominator: endAt - startAt };
}

/** Highest snap day of each interval. */
const MOST_SNAP_DAY = { week: 7, month: 31, year: 366 };

/** Refuses a snap day that does not exist in the interval. `param`: the request field that the refusal names. */
export function checkSnapDay(
  snapDay: number | null,
  interval: Interval,
  param: 'snap_to_nth_day' | 'plan' = 'snap_to_nth_day',
): void {
  if (snapDay === null) return;
  if (interval === 'day')
    throw new Refusal(
      'parameter_invalid',
      'A plan by the day has no day to snap to: it takes no snap_to_nth_day',
      param,
    );
  const most = MOST_SNAP_DAY[interval];
  if (snapDay <= most) return;
  throw new Refusal(
    'parameter_invalid',
    `Snap to nth day must be from 1 to ${most} for a plan by the ${interval}: ${snapDay}`,
    param,
  );
}

/** Index of a contract's last period. The contract has `cycles` whole periods. */
export function lastPeriodOf(schedule: Schedule, cycles: number): number {
  return startsShort(schedule) ? cycles : cycles - 1;
}
