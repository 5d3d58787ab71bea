import { Temporal } from 'temporal-polyfill';

/** Instants are epoch milliseconds, days are 'YYYY-MM-DD', zones are IANA names; a malformed day or zone throws a RangeError. */
export type Interval = 'day' | 'week' | 'month' | 'year';

const UNITS = { day: 'days', week: 'weeks', month: 'months', year: 'years' } as const;

/** The last instant that a date may be: the end of 2199. What is derived from other dates stays within it, too. */
export const LATEST = Date.UTC(2200, 0, 1) - 1000;

/** An instant that nobody asked for, held at the last one that a date may be. */
export function heldAtLatest(at: number): number {
  return Math.min(at, LATEST);
}

/** When to try again, held at the last instant that a date may be. Null at that instant: held there it would be due at once, again and again. */
export function heldRetry(now: number, at: number): number | null {
  return at > LATEST && now >= LATEST ? null : heldAtLatest(at);
}

/**
 * The anchor's wall clock, `count` intervals later (earlier if negative). Counted from the anchor, never from the last result: an
 * anchor on the 31st falls on Feb 28 or 29 and on the 31st again. A local time that does not exist means the first instant after the
 * gap, so that two counts may meet there; one that comes twice means the first.
 */
export function instantAfter(anchorAt: number, zone: string, step: { interval: Interval; count: number }): number {
  if (step.count === 0) return anchorAt; // also when it is the second of an ambiguous hour
  const local = zoned(anchorAt, zone).toPlainDateTime();
  return instantOf(local.add({ [UNITS[step.interval]]: step.count }), zone);
}

/** The calendar day on the wall in this zone. */
export function localDay(at: number, zone: string): string {
  return zoned(at, zone).toPlainDate().toString();
}

/** The first instant of a local day; of a day that the zone skipped, the first instant after it. */
export function startOfDay(day: string, zone: string): number {
  return instantOf(Temporal.PlainDate.from(day).toPlainDateTime(), zone);
}

/** Exclusive: the start of the next local day. */
export function endOfDay(day: string, zone: string): number {
  return startOfDay(addDaysToDay(day, 1), zone);
}

/** The same wall clock `days` later, which need not be a multiple of 24 hours. */
export function addDays(at: number, days: number, zone: string): number {
  return instantAfter(at, zone, { interval: 'day', count: days });
}

export function addDaysToDay(day: string, days: number): string {
  return Temporal.PlainDate.from(day).add({ days }).toString();
}

/** Calendar days from one day to another, negative when the second is earlier. */
export function daysBetween(fromDay: string, toDay: string): number {
  return Temporal.PlainDate.from(fromDay).until(Temporal.PlainDate.from(toDay)).days;
}

function zoned(at: number, zone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone);
}

/** Temporal's own rule for a gap moves on by the gap's length (02:30 becomes 03:30); ours is the gap's end (03:00). */
function instantOf(local: Temporal.PlainDateTime, zone: string): number {
  const earlier = local.toZonedDateTime(zone, { disambiguation: 'earlier' });
  if (earlier.toPlainDateTime().equals(local)) return earlier.epochMilliseconds;
  const gap = earlier.getTimeZoneTransition('next');
  if (gap === null) throw new Error(`no end of the gap at ${local} in ${zone}`);
  return gap.epochMilliseconds;
}
