import type { Environment } from '../../../billing/environments.ts';
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
