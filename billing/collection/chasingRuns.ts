import { Temporal } from 'temporal-polyfill';
import { addDaysToDay, instantOfHour } from '../time/calendar.ts';
import type { Timetable } from './cadence.ts';

/** Last hour of the day until which a run that was missed is made up on its day. */
const LATEST_HOUR = 20;

/** Most days that a search looks ahead. */
const MOST_DAYS = 400;

/**
 * The first run on or after a day whose time has not ended, epoch milliseconds; it lies before `now` if it has begun. A run begins at the
 * hour of the timetable. It can be made up until 20:00, or for an hour if it begins later. Null: there is none within 400 days.
 */
export function nextRun(
  timetable: Timetable,
  search: { from: string; now: number; zone: string; isWorkingDay: (day: string) => boolean },
): number | null {
  const { timeOfDay } = timetable;
  const { from, now, zone } = search;
  for (let ahead = 0; ahead < MOST_DAYS; ahead += 1) {
    const day = addDaysToDay(from, ahead);
    const endsAt = instantOfHour(day, Math.max(LATEST_HOUR, timeOfDay + 1), zone);
    if (endsAt > now && isRunDay(timetable, day, search.isWorkingDay)) return instantOfHour(day, timeOfDay, zone);
  }
  return null;
}

/** Most consecutive days on which nobody works. */
const MOST_FREE_DAYS = 14;

/** Whether a cadence runs on a day. A day of the week or month on which nobody works is made up on the next working day. */
function isRunDay(timetable: Timetable, day: string, isWorkingDay: (day: string) => boolean): boolean {
  if (!isWorkingDay(day)) return false;
  if (isNamed(timetable, day)) return true;
  if (timetable.frequency === 'daily') return false;
  for (let back = 1; back <= MOST_FREE_DAYS; back += 1) {
    const earlier = addDaysToDay(day, -back);
    if (isWorkingDay(earlier)) return false;
    if (isNamed(timetable, earlier)) return true;
  }
  return false;
}

/** Whether a timetable names a day. The last day of a short month stands for the days that it does not have. */
function isNamed({ frequency, runDays }: Timetable, day: string): boolean {
  if (frequency === 'daily') return true;
  const date = Temporal.PlainDate.from(day);
  if (frequency === 'day_of_week') return runDays.includes(date.dayOfWeek);
  return runDays.some((named) => Math.min(named, date.daysInMonth) === date.day);
}
