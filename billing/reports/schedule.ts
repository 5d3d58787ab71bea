import { addDaysToDay, instantOfHour, LATEST, localDay } from '../time/calendar.ts';
import type { NextStep, Wait } from '../wait.ts';
import { type Asked, DAYS_AHEAD, daysOf, isAhead, isOfDay, type ReportName } from './report.ts';

export const everies = ['day', 'week', 'month'] as const;
export type Every = (typeof everies)[number];

/** Days of a scheduled report, relative to the local day on which it is sent. Reports of one day are of the last of them. */
export const ranges = ['previous_day', 'previous_week', 'previous_month', 'month_to_date'] as const;
export type Range = (typeof ranges)[number];

/** What a scheduled report is asked for at each run. */
export interface ScheduledParameters
  extends Pick<Asked, 'currency' | 'customer' | 'owner' | 'metadata' | 'options' | 'fields' | 'groupBy'> {
  range: Range;
}

/** A recipient who got nothing, and why. */
export interface Skipped {
  member: number;
  reason: string;
}

/** The last run of a schedule. `day`: the local day on which it was sent. `jobs`: their ids, one for each recipient who gets it. */
export interface ScheduleRun {
  /** ISO 8601. */
  at: string;
  day: string;
  jobs: number[];
  skipped: Skipped[];
}

/** When a report is sent: at a full hour by the clock of its zone. `day`: of the week (1 Monday to 7) or the month; null: each day. */
export interface ReportTimes {
  every: Every;
  day: number | null;
  hour: number;
  zone: string;
}

/** The last day of sending until an instant. A month that has fewer days ends with its last one. */
export function lastSending(times: ReportTimes, until: number): string {
  const today = localDay(until, times.zone);
  const isPast = (day: string) => day <= today && instantOfHour(day, times.hour, times.zone) <= until;
  return lastOnOrBefore(times, isPast(today) ? today : addDaysToDay(today, -1));
}

function lastOnOrBefore(times: ReportTimes, from: string): string {
  let day = from;
  while (!isSendingDay(times, day)) day = addDaysToDay(day, -1);
  return day;
}

function isSendingDay({ every, day }: ReportTimes, of: string): boolean {
  if (every === 'day' || day === null) return true;
  if (every === 'week') return weekday(of) === day;
  const isLast = addDaysToDay(of, 1).endsWith('-01');
  const date = Number(of.slice(8));
  return date === day || (isLast && date < day);
}

/** 1 (Monday) to 7. */
const weekday = (day: string): number => new Date(`${day}T00:00:00Z`).getUTCDay() || 7;

/** The sending that is due now, and when the next one comes. Of several that were missed, only the last one is made up for. */
export function nextSending(times: ReportTimes, lastDay: string, now: number): NextStep<string> {
  const last = lastSending(times, now);
  if (last > lastDay) return { due: last, waits: [waitFor(times, last)] };
  let next = addDaysToDay(last, 1);
  while (next <= lastDay || !isSendingDay(times, next)) next = addDaysToDay(next, 1);
  const wait = waitFor(times, next);
  return { due: null, waits: wait.at <= LATEST ? [wait] : [] };
}

function waitFor({ hour, zone }: ReportTimes, day: string): Wait {
  return { rule: 'report_schedule', at: instantOfHour(day, hour, zone), step: `mails the report of ${day}` };
}

/** What a report that is sent on a local day is asked for. */
export function askedOn(
  day: string,
  { report, zone, parameters }: { report: ReportName; zone: string; parameters: ScheduledParameters },
  of: Pick<Asked, 'accountId' | 'now' | 'knownAt'>,
): Asked {
  const { range, ...limits } = parameters;
  const [first, last] = isAhead(report) ? [day, addDaysToDay(day, DAYS_AHEAD - 1)] : spanOf(range, day);
  return { ...of, ...limits, ownerOn: null, zone, days: daysOf(isOfDay(report) ? last : first, last, zone) };
}

/** First and last day. A week begins on Monday. */
function spanOf(range: Range, sentOn: string): [first: string, last: string] {
  const yesterday = addDaysToDay(sentOn, -1);
  const firstOfMonth = `${sentOn.slice(0, 8)}01`;
  switch (range) {
    case 'previous_day':
      return [yesterday, yesterday];
    case 'previous_week': {
      const sunday = addDaysToDay(sentOn, -weekday(sentOn));
      return [addDaysToDay(sunday, -6), sunday];
    }
    case 'previous_month': {
      const last = addDaysToDay(firstOfMonth, -1);
      return [`${last.slice(0, 8)}01`, last];
    }
    case 'month_to_date':
      return [firstOfMonth, sentOn];
  }
}
