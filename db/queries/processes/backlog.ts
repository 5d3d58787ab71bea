import { isKnownWakeup } from '../../schema/wakeup.ts';
import type { Sql } from '../kernel/sql.ts';

/** Waiting work over all accounts. Ages are in seconds, 0 when nothing is due. Counts stop at 10,000. */
export interface Backlog {
  eventSeconds: number;
  /** Excludes recovered rows, because new work goes before them. */
  processSeconds: number;
  recovered: number;
  lanesDue: number;
  emailsDue: number;
  /** Emails that were tried and wait for another attempt. */
  emailsRetried: number;
  problemsOpen: number;
  /** Due steps that only a later version knows. */
  stepsUnknown: number;
  /** Seconds since a sweep of any worker last succeeded, or since the deployment was created. */
  sweepSeconds: number;
}

const MOST = 10_000;

export async function readBacklog(sql: Sql, now: Date): Promise<Backlog> {
  const [row] = await sql.query<Record<keyof Backlog, string>>(
    `select ${ageOf("(select due_at from outbox where topic = 'event' order by id limit 1)")} as "eventSeconds",
            ${ageOf("(select due_at from outbox where topic <> 'event' and not recovered order by due_at limit 1)")} as "processSeconds",
            ${countOf('from outbox where recovered')} as recovered,
            ${countOf('from webhook_lane where due_at <= $1')} as "lanesDue",
            ${countOf("from email where state = 'queued' and next_attempt_at <= $1")} as "emailsDue",
            ${countOf("from email where state = 'queued' and attempts > 0")} as "emailsRetried",
            ${countOf('from problem where closed_at is null')} as "problemsOpen",
            ${countOf(`from wakeup w where time_base = 'real' and at <= $1 and not (${isKnownWakeup('w')})`)} as "stepsUnknown",
            ${ageOf('(select coalesce(swept_at, created_at) from deployment)')} as "sweepSeconds"`,
    [now],
  );
  if (!row) throw new Error('a statement without a row');
  return {
    eventSeconds: Number(row.eventSeconds),
    processSeconds: Number(row.processSeconds),
    recovered: Number(row.recovered),
    lanesDue: Number(row.lanesDue),
    emailsDue: Number(row.emailsDue),
    emailsRetried: Number(row.emailsRetried),
    problemsOpen: Number(row.problemsOpen),
    stepsUnknown: Number(row.stepsUnknown),
    sweepSeconds: Number(row.sweepSeconds),
  };
}

const ageOf = (dueAt: string): string => `coalesce(greatest(0, extract(epoch from $1::timestamptz - ${dueAt})), 0)`;

const countOf = (rows: string): string => `(select count(*) from (select 1 ${rows} limit ${MOST}) as counted)`;
