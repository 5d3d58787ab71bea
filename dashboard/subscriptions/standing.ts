import type { StandingWords } from '../../words/subscribing/wording.ts';
import type { Row } from '../kinds/kind.ts';

/** A sentence about how a subscription stands: its name, the days that it names as UNIX times, and what it counts. */
export interface Sentence {
  name: Exclude<keyof StandingWords, 'renewal' | 'reason' | 'comment'>;
  days: Readonly<Record<string, number>>;
  count?: number;
  /** Whether somebody should look at it. */
  isGrave?: boolean;
}

/** Whether a subscription has ended. */
export const hasEnded = ({ status }: Row): boolean => status === 'canceled' || status === 'finished';

const timeIn = (row: Row, name: string): number | null => {
  const value = row[name];
  return typeof value === 'number' ? value : null;
};

/** How a subscription stands at a time, the most important sentence first. */
export function standingOf(row: Row, at: number): Sentence[] {
  const [start, end] = [timeIn(row, 'period_start'), timeIn(row, 'period_end')];
  const canceled = timeIn(row, 'canceled_at');
  if (row.status === 'canceled')
    return [{ name: 'canceled', days: canceled === null ? {} : { end: canceled }, isGrave: true }];
  if (row.status === 'finished') return [{ name: 'finished', days: {}, isGrave: true }];
  const isInTrial = isTrying(row, at);
  const sentences: (Sentence | false | null)[] = [
    row.status === 'past_due' && { name: 'pastDue', days: {}, isGrave: true },
    row.pending_renewal === true && { name: 'waits', days: {}, isGrave: true },
    pauseOf(row, end),
    endOf(row, end),
    row.status === 'not_started' && startOf(row),
    isInTrial && { name: 'trial', days: { end: timeIn(row, 'trial_end') ?? at } },
    !isInTrial &&
      row.pending_renewal !== true &&
      start !== null &&
      end !== null &&
      end > at && { name: 'runs', days: { start, end } },
    row.pending_renewal !== true && contractOf(row),
    billOf(row),
  ];
  return sentences.filter((one): one is Sentence => Boolean(one));
}

/** Whether a trial is not over. */
export const isTrying = (row: Row, at: number): boolean => (timeIn(row, 'trial_end') ?? at) > at;

/** Whether a change of the price can count from a time: a period is in progress. */
export function isRunning(row: Row, at: number): boolean {
  const [start, end] = [timeIn(row, 'period_start'), timeIn(row, 'period_end')];
  return start !== null && end !== null && start <= at && at < end && !isTrying(row, at) && !hasEnded(row);
}

function startOf(row: Row): Sentence | null {
  const start = timeIn(row, 'start_date');
  return start === null ? null : { name: 'notStarted', days: { start } };
}

function pauseOf(row: Row, end: number | null): Sentence | null {
  const resume = timeIn(row, 'resume_at');
  if (row.paused === true)
    return resume === null
      ? { name: 'paused', days: {}, isGrave: true }
      : { name: 'pausedUntil', days: { resume }, isGrave: true };
  if (row.pause_at_period_end !== true || end === null) return null;
  return resume === null
    ? { name: 'pauses', days: { end }, isGrave: true }
    : { name: 'pausesUntil', days: { end, resume }, isGrave: true };
}

function endOf(row: Row, end: number | null): Sentence | null {
  const last = timeIn(row, 'contract_period_end') ?? end;
  return row.cancel_at_period_end === true && last !== null
    ? { name: 'ends', days: { end: last }, isGrave: true }
    : null;
}

function contractOf(row: Row): Sentence | null {
  const [start, end] = [timeIn(row, 'contract_period_start'), timeIn(row, 'contract_period_end')];
  const { cycles } = row;
  if (typeof cycles !== 'number' || start === null || end === null) return null;
  return { name: 'contract', days: { start, end }, count: cycles };
}

function billOf(row: Row): Sentence | null {
  if (row.bill_in === 'arrears') return { name: 'arrears', days: {} };
  const { bill_in_advance_days: ahead } = row;
  return typeof ahead === 'number' && ahead > 0 ? { name: 'ahead', days: {}, count: ahead } : null;
}
