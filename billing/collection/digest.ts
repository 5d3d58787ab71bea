import { addDaysToDay, instantOfHour, LATEST, localDay } from '../time/calendar.ts';
import type { NextStep, Wait } from '../wait.ts';

/** When the team of an account gets its digest: each day at a full hour in the time zone of the account. */
export interface DigestSchedule {
  hour: number;
  zone: string;
}

/** A digest. `day`: the local day that it tells of, the one before it is sent. `at`: epoch milliseconds. */
export interface DigestRun {
  day: string;
  at: number;
}

/** The last digest until an instant. */
export function lastDigest(schedule: DigestSchedule, until: number): DigestRun {
  const today = runOn(schedule, localDay(until, schedule.zone));
  return today.at <= until ? today : dayBefore(schedule, today);
}

/**
 * The digest that is due now, and when the next one comes. `lastDay`: the last day that was told: no day is told twice, also if hour or
 * zone change. Of several days that were missed, only the last one is told.
 */
export function nextDigest(schedule: DigestSchedule, lastDay: string, now: number): NextStep<DigestRun> {
  const last = lastDigest(schedule, now);
  if (last.day > lastDay) return { due: last, waits: [waitFor(last)] };
  const next = runOn(schedule, addDaysToDay(lastDay, 2));
  return { due: null, waits: next.at <= LATEST ? [waitFor(next)] : [] };
}

/** The digest that is sent on a local day. */
function runOn({ hour, zone }: DigestSchedule, sentOn: string): DigestRun {
  return { day: addDaysToDay(sentOn, -1), at: instantOfHour(sentOn, hour, zone) };
}

const dayBefore = (schedule: DigestSchedule, { day }: DigestRun): DigestRun => runOn(schedule, day);

const waitFor = ({ day, at }: DigestRun): Wait => ({ rule: 'digest', at, step: `mails the digest of ${day}` });
