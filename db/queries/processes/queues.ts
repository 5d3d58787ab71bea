import type { Environment } from '../../../billing/environments.ts';
import type { TimedProcess } from '../../../billing/processes.ts';
import type { EntityManager } from '../../orm.ts';
import { isKnownWakeup, type Wakeup } from '../../schema/wakeup.ts';
import type { Sql } from '../kernel/sql.ts';

/** Progress of a worker in an environment's queue: the earliest time since which a wake-up that it served had waited. */
export interface Served {
  environment: Environment;
  since: Date;
}

export async function noteProgress(sql: Sql, served: readonly Served[], now: Date): Promise<void> {
  for (const { environment, since } of served) {
    await sql.query('insert into queue_progress (environment, since, noted_at) values ($1, $2, $3)', [
      environment,
      since,
      now,
    ]);
  }
}

export async function forgetProgress(sql: Sql, before: Date): Promise<void> {
  await sql.query('delete from queue_progress where noted_at <= $1', [before]);
}

/** SQL: real time since which a wake-up waits in its queue. */
export const queuedSince = (wakeup: string): string => `greatest(${wakeup}.at, ${wakeup}.put_at, ${wakeup}.handed_at)`;

/** A process of an account. */
export interface Waiting {
  accountId: number;
  process: TimedProcess;
  id: number;
}

/** The first wait of a process. */
export type FirstWait = Pick<Wakeup, 'at' | 'step' | 'reason' | 'reasonDetail' | 'clockId'> & {
  since: Date;
  environment: Environment;
};

/**
 * The first wait of a process. `owedCall`: SQL of the id of an attempt that a worker owed when it died, with the account and the object as
 * parameters; `call` is that id.
 */
export async function firstWait(
  em: EntityManager,
  { accountId, process, id, owedCall }: Waiting & { owedCall?: string | undefined },
  systemNow: Date,
): Promise<{ call: number | null; wait: FirstWait | null }> {
  const [first] = await em.execute<({ call: number | null } & (({ at: null } & Partial<FirstWait>) | FirstWait))[]>(
    `select w.*, a.environment, ${owedCall ? `(${owedCall})` : 'null::int'} as call from account a left join lateral (
       select w.at, w.step, w.reason, w.reason_detail as "reasonDetail", w.clock_id as "clockId",
         max(${queuedSince('w')}) filter (where w.at <= ?) over () as since
       from wakeup w where w.account_id = a.id and w.process = ? and w.subject_id = ? and ${isKnownWakeup('w')} order by w.at limit 1
     ) w on true where a.id = ?`,
    [...(owedCall ? [accountId, id] : []), systemNow, process, id, accountId],
  );
  return { call: first?.call ?? null, wait: !first || first.at === null ? null : first };
}

/**
 * SQL: true if the queue has passed a wake-up: nothing served after `since`, a parameter of the statement, had waited as long. Otherwise
 * the wake-up may just be in a long queue that moves. Progress is reduced to one row per environment first, so that the cost grows with
 * accounts, not with accounts times workers.
 */
export const isPassed = (wakeup: string, since: string): string =>
  `not exists (select from (
       select environment, min(since) as since from queue_progress where noted_at > ${since} group by environment
     ) q join account a on a.environment = q.environment
     where a.id = ${wakeup}.account_id and q.since <= ${queuedSince(wakeup)})`;

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

const MOST_COUNTED = 10_000;

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

const countOf = (rows: string): string => `(select count(*) from (select 1 ${rows} limit ${MOST_COUNTED}) as counted)`;
