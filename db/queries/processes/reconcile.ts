import type { Sql } from '../kernel/sql.ts';

/** Session lock: one worker at a time rebuilds what a new Temporal namespace has not. */
const REBUILD_LOCK = 7_262_004;

/**
 * Asks to rebuild the processes for a Temporal namespace, over a connection that is kept meanwhile. `taken`: another worker is at it;
 * `done`: one has done it; `first`: there was no namespace before, and nothing to rebuild.
 */
export async function beginRebuild(sql: Sql, namespaceId: string): Promise<'mine' | 'taken' | 'done' | 'first'> {
  const [lock] = await sql.query<{ mine: boolean }>(`select pg_try_advisory_lock(${REBUILD_LOCK}) as mine`);
  if (!lock?.mine) return 'taken';
  // Read after the lock: whoever had it before has written what it did.
  const [kept] = await sql.query<{ id: string | null }>('select temporal_namespace_id as id from deployment');
  if (kept?.id === namespaceId) return 'done';
  return kept?.id ? 'mine' : 'first';
}

/** Where a rebuild has got to: the key of the last process handed to the relay. */
export interface ReconcilePosition {
  accountId: number;
  process: string;
  subjectId: number;
}

export const RECONCILE_START: ReconcilePosition = { accountId: 0, process: '', subjectId: 0 };

/**
 * Hands the next processes that wait in real time to the relay, each with the time it is wanted; answers how far it got, null at the
 * end. Repeating it is harmless: a process that runs is told to look again.
 */
export async function reconcileWakeups(
  sql: Sql,
  after: ReconcilePosition,
  at: { now: Date; limit: number },
): Promise<{ position: ReconcilePosition | null; handed: number }> {
  const rows = await sql.query<ReconcilePosition>(
    `with next as (
       select account_id, process, subject_id, min(at) as at from wakeup
       where time_base = 'real' and (account_id, process, subject_id) > ($1, $2, $3)
       group by account_id, process, subject_id order by account_id, process, subject_id limit $5
     ), handed as (
       insert into outbox (account_id, topic, subject_id, due_at, start_at, recovered)
       select account_id, process, subject_id, $4::timestamptz, at, true from next
     )
     select account_id as "accountId", process, subject_id as "subjectId" from next
     order by account_id, process, subject_id`,
    [after.accountId, after.process, after.subjectId, at.now, at.limit],
  );
  return { position: rows.at(-1) ?? null, handed: rows.length };
}
