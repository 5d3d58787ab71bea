import { DateTime } from 'luxon';
import { addIntervals, firstInstant, type OracleZone, oracleZone, wallClock } from './calendarOracle.ts';
import { Rational } from './rational.ts';
import type { Interval } from './subscriptionOracleTerms.ts';

// Periods of the oracle of subscriptions. Instants are epoch milliseconds.

const DAY = 86_400_000;

export interface Schedule {
  zone: string;
  /** Start of the first period. */
  anchor: number;
  interval: Interval;
  intervalCount: number;
  snapDay: number | null;
}

/** `end` is exclusive. `wholeStart` is before `start` for a short first period: the whole period that ends with it. */
export interface Period {
  start: number;
  end: number;
  wholeStart: number;
}

export function periodOf(schedule: Schedule, n: number): Period {
  const start = boundary(schedule, n);
  const isShort = n === 0 && startsShort(schedule);
  const wholeStart = isShort ? snapBoundary(schedule, -1) : start;
  return { start, end: boundary(schedule, n + 1), wholeStart };
}

/** Whether the first period is prorated because the anchor is on no snap day. */
export function startsShort(schedule: Schedule): boolean {
  if (schedule.snapDay === null) return false;
  return snapDate(schedule, firstSnap(schedule)) !== anchorDate(schedule);
}

/** The same local time, a number of days earlier. */
export function daysBefore(name: string, at: number, days: number): number {
  const zone = zoneOf(name);
  return days === 0 ? at : firstInstant(zone, wallClock(zone, at) - days * DAY);
}

/** The share that a span has of another, exactly. */
export function shareOf(span: number, of: number): Rational {
  return new Rational(BigInt(span), BigInt(of));
}

/** The last snap day that an interval has. */
export function lastSnapDay(interval: Interval): number {
  return { day: 0, week: 7, month: 31, year: 366 }[interval];
}

/** Number of days of the shortest period of an interval. */
export function shortestDays({ interval, intervalCount }: { interval: Interval; intervalCount: number }): number {
  return intervalCount * { day: 1, week: 7, month: 28, year: 365 }[interval];
}

const zones = new Map<string, OracleZone>();

export function zoneOf(name: string): OracleZone {
  const known = zones.get(name) ?? oracleZone(name, Date.UTC(1990, 0, 1), Date.UTC(2065, 0, 1));
  zones.set(name, known);
  return known;
}

/** Start of the period n of a schedule. Local time of the anchor is kept. */
function boundary(schedule: Schedule, n: number): number {
  if (n === 0) return schedule.anchor;
  if (schedule.snapDay !== null) return snapBoundary(schedule, startsShort(schedule) ? n - 1 : n);
  const { anchor, interval, intervalCount } = schedule;
  const zone = zoneOf(schedule.zone);
  return firstInstant(zone, addIntervals(wallClock(zone, anchor), interval, n * intervalCount));
}

/** The anchor's local midnight, as milliseconds of the same digits in UTC. */
function anchorDate({ zone, anchor }: Schedule): number {
  const wall = wallClock(zoneOf(zone), anchor);
  return wall - (((wall % DAY) + DAY) % DAY);
}

/** The start of the i-th whole period: every n-th snap day from the first one on or after the anchor. */
function snapBoundary(schedule: Schedule, i: number): number {
  const zone = zoneOf(schedule.zone);
  const timeOfDay = wallClock(zone, schedule.anchor) - anchorDate(schedule);
  return firstInstant(zone, snapDate(schedule, firstSnap(schedule) + i * schedule.intervalCount) + timeOfDay);
}

/** Number of intervals from the anchor's week, month or year to the first snap day: 0 or 1. */
function firstSnap(schedule: Schedule): number {
  return snapDate(schedule, 0) >= anchorDate(schedule) ? 0 : 1;
}

/**
 * The snap day in the k-th week, month or year after the anchor's. Day 1 of a week is Monday. A day that a month or a
 * year lacks is its last.
 */
function snapDate(schedule: Schedule, k: number): number {
  const snapDay = schedule.snapDay ?? 1;
  const date = DateTime.fromMillis(anchorDate(schedule), { zone: 'utc' });
  if (schedule.interval === 'week') {
    return date.plus({ days: 7 * k + snapDay - date.weekday }).toMillis();
  }
  if (schedule.interval === 'month') {
    const month = date.set({ day: 1 }).plus({ months: k });
    return month.set({ day: Math.min(snapDay, month.daysInMonth ?? 0) }).toMillis();
  }
  if (schedule.interval === 'year') {
    const year = DateTime.utc(date.year + k, 1, 1);
    return year.set({ ordinal: Math.min(snapDay, year.isInLeapYear ? 366 : 365) }).toMillis();
  }
  throw new Error('a day has no snap day');
}
