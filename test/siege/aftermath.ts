import type { Sql } from '../../db/queries/kernel/sql.ts';

/** Open problems with the same subject type and message, numbers aside. */
export interface ProblemGroup {
  subject: string;
  message: string;
  count: number;
}

/** The open problems of these accounts, grouped. The largest groups come first. */
export async function problemsOf(sql: Sql, accountIds: readonly number[]): Promise<ProblemGroup[]> {
  const rows = await sql.query<{ subject: string; message: string; count: string }>(
    `select subject_type as subject, regexp_replace(message, '[0-9]+', 'N', 'g') as message, count(*) as count
     from problem where account_id = any($1::int[]) and closed_at is null group by 1, 2 order by 3 desc limit 60`,
    [accountIds],
  );
  return rows.map((row) => ({ ...row, count: Number(row.count) }));
}

/** Work that is overdue by more than this needs a problem that names it. */
const PATIENCE_SECONDS = 180;

/**
 * Overdue emails and wake-ups that no open problem names. A wake-up of a backfill is due in the past: it is overdue from when it was written.
 * Mail that has not been tried waits in the account's queue: it is overdue once the queue has not moved for as long.
 */
export async function unexplainedWork(sql: Sql, accountIds: readonly number[]): Promise<string[]> {
  const rows = await sql.query<{ said: string }>(
    `select 'email ' || id || ' has been queued since ' || created_at || ', ' || attempts || ' attempts, ' || coalesce(failure_reason, '') as said
     from email e where account_id = any($1::int[]) and state = 'queued' and created_at < now() - make_interval(secs => $2)
       and (attempts > 2 or attempts = 0 and not exists (select from email moved where moved.account_id = e.account_id
         and moved.attempts > 0 and moved.updated_at > now() - make_interval(secs => $2)))
       and not exists (select from problem p where p.account_id = e.account_id
         and p.closed_at is null and (p.subject_type = 'email'
           or (p.subject_type, p.subject_id) = (e.document ->> 'type', (e.document ->> 'id')::int)))
     union all
     select process || ' ' || subject_id || ' was due to wake at ' || at || ': ' || step from wakeup w
     where account_id = any($1::int[]) and greatest(at, put_at) < now() - make_interval(secs => $2) and time_base = 'real'
       and not exists (select from problem p where p.account_id = w.account_id and p.closed_at is null
         and p.subject_type = w.process and p.subject_id = w.subject_id)
     limit 20`,
    [accountIds, PATIENCE_SECONDS],
  );
  return rows.map(({ said }) => said);
}
