import { Temporal } from 'temporal-polyfill';

// In this file, instants are epoch milliseconds, days are 'YYYY-MM-DD', and zones are IANA names.
// A malformed day or zone throws a RangeError.

export type Interval = 'day' | 'week' | 'month' | 'year';

const UNITS = { day: 'days', week: 'weeks', month: 'months', year: 'years' } as const;

/** The latest allowed date, epoch milliseconds: one second before the year 2200, UTC. */
export const LATEST = Date.UTC(2200, 0, 1) - 1000;

/** Caps a computed instant at the latest allowed date. */
export function capAtLatest(at: number): number {
  return Math.min(at, LATEST);
}

/**
 * Time of the next retry, capped at the latest allowed date. Null once `now` has reached that date: a capped retry would be due at once,
 * again and again.
 */
export function cappedRetry(now: number, at: number): number | null {
  return at > LATEST && now >= LATEST ? null : capAtLatest(at);
}

/**
 * The anchor's local time `count` intervals later (earlier if negative). Counts from the anchor, not from the previous result: an anchor on
 * the 31st falls on Feb 28 or 29 and then on the 31st again. A local time in a DST gap becomes the first instant after the gap, so two
 * counts may give the same instant. An ambiguous local time becomes the earlier instant.
 */
export function instantAfter(anchorAt: number, zone: string, step: { interval: Interval; count: number }): number {
  if (step.count === 0) return anchorAt; // also if the anchor is the later instant of an ambiguous hour
  const local = zoned(anchorAt, zone).toPlainDateTime();
  return instantOf(local.add({ [UNITS[step.interval]]: step.count }), zone);
}

/** A day of each week (1 Monday to 7), month (1 to 31) or year (1 to 366). A month or year that has fewer days ends with it. */
export interface NthDay {
  interval: 'week' | 'month' | 'year';
  day: number;
}

/**
 * The anchor's local time on the n-th day of the week, month or year that is `count` after that of the anchor. Treats gaps and ambiguous
 * times like `instantAfter`.
 */
export function instantOnNthDay(anchorAt: number, zone: string, on: NthDay & { count: number }): number {
  const local = zoned(anchorAt, zone).toPlainDateTime();
  const day = nthDay(local.toPlainDate(), on);
  return day.equals(local.toPlainDate()) ? anchorAt : instantOf(day.toPlainDateTime(local.toPlainTime()), zone);
}

function nthDay(from: Temporal.PlainDate, { interval, day, count }: NthDay & { count: number }): Temporal.PlainDate {
  switch (interval) {
    case 'week':
      return from.add({ weeks: count }).subtract({ days: from.dayOfWeek - day });
    case 'month': {
      const month = from.with({ day: 1 }).add({ months: count });
      return month.add({ days: Math.min(day, month.daysInMonth) - 1 });
    }
    case 'year': {
      const year = from.with({ month: 1, day: 1 }).add({ years: count });
      return year.add({ days: Math.min(day, year.daysInYear) - 1 });
    }
  }
}

/** The local calendar day in this zone. */
export function localDay(at: number, zone: string): string {
  return zoned(at, zone).toPlainDate().toString();
}

/** The first and the last day with a year of four digits. */
const [FIRST_DAY, LAST_DAY] = ['0001-01-01', '9999-12-31'];

/** Whether a text is a day of the calendar of the years 1 to 9999, such as 2027-03-31. */
export function isDay(text: string): boolean {
  try {
    return Temporal.PlainDate.from(text).toString() === text && text >= FIRST_DAY && text <= LAST_DAY;
  } catch {
    return false;
  }
}

/** Whether a text is the IANA name of a time zone or an alias of one, such as US/Eastern. */
export function isZone(text: string): boolean {
  try {
    // Offsets such as +05:00 are refused: PostgreSQL reads them with the opposite sign.
    return /^[A-Za-z]/.test(text) && new Intl.DateTimeFormat('en', { timeZone: text }) !== null;
  } catch {
    return false;
  }
}

/** First instant of a local day. For a day that the zone skipped: the first instant after it. */
export function startOfDay(day: string, zone: string): number {
  return instantOf(Temporal.PlainDate.from(day).toPlainDateTime(), zone);
}

/** The full hour of a local day, 0 to 24 (the end of the day). In a DST gap: the first instant after it. */
export function instantOfHour(day: string, hour: number, zone: string): number {
  return instantOf(Temporal.PlainDate.from(day).toPlainDateTime().add({ hours: hour }), zone);
}

/** Exclusive end of a local day: the start of the next one. */
export function endOfDay(day: string, zone: string): number {
  return startOfDay(addDaysToDay(day, 1), zone);
}

/** The same local time `days` later, which is not always a multiple of 24 hours. */
export function addDays(at: number, days: number, zone: string): number {
  return instantAfter(at, zone, { interval: 'day', count: days });
}

/** The calendar day `days` after another. */
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

/** Temporal moves a time in a DST gap on by the gap's length (02:30 becomes 03:30). This moves it to the end of the gap (03:00). */
function instantOf(local: Temporal.PlainDateTime, zone: string): number {
  const earlier = local.toZonedDateTime(zone, { disambiguation: 'earlier' });
  if (earlier.toPlainDateTime().equals(local)) return earlier.epochMilliseconds;
  const gap = earlier.getTimeZoneTransition('next');
  if (gap === null) throw new Error(`no end of the gap at ${local} in ${zone}`);
  return gap.epochMilliseconds;
}
