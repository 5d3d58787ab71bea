import type { Environment } from '../../schema/account.ts';
import type { Sql } from '../kernel/sql.ts';

/** Of what a worker has served of an environment's queue: since when the one that had waited longest had waited. */
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

/** Where a wake-up stands in its queue: since when, in real time, it waits there. */
export const standsSince = (wakeup: string): string => `greatest(${wakeup}.at, ${wakeup}.put_at, ${wakeup}.handed_at)`;

/**
 * True of a wake-up that its queue has passed: nothing that was served since a moment, a parameter of the statement, had waited as long as
 * it. As long as something did, it may only stand in a long queue, and that moves. What was told is one row per environment before it is
 * compared: what is looked at grows with the accounts, not with accounts times workers.
 */
export const isPassed = (wakeup: string, since: string): string =>
  `not exists (select from (
       select environment, min(since) as since from queue_progress where noted_at > ${since} group by environment
     ) q join account a on a.environment = q.environment
     where a.id = ${wakeup}.account_id and q.since <= ${standsSince(wakeup)})`;
