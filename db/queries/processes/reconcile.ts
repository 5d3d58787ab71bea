import { isKnownWakeup } from '../../schema/wakeup.ts';
import type { Sql } from '../kernel/sql.ts';

/** Session lock: one worker at a time rebuilds the processes that a new Temporal namespace lacks. */
const REBUILD_LOCK = 7_262_004;

/**
 * Asks to rebuild the processes for a Temporal namespace. The caller keeps the connection during the rebuild, because it holds the lock.
 * `mine`: the caller rebuilds. `taken`: another worker is rebuilding. `done`: it has been rebuilt. `first`: there was no namespace before,
 * and nothing to rebuild.
 */
export async function beginRebuild(sql: Sql, namespaceId: string): Promise<'mine' | 'taken' | 'done' | 'first'> {
  const [lock] = await sql.query<{ mine: boolean }>(`select pg_try_advisory_lock(${REBUILD_LOCK}) as mine`);
  if (!lock?.mine) return 'taken';
  // Read after the lock: a previous holder has committed its result.
  const [kept] = await sql.query<{ id: string | null }>('select temporal_namespace_id as id from deployment');
  if (kept?.id === namespaceId) return 'done';
  return kept?.id ? 'mine' : 'first';
}

/** Position of a rebuild: the key of the last enqueued process. */
export interface ReconcilePosition {
  accountId: number;
  process: string;
  subjectId: number;
}

export const RECONCILE_START: ReconcilePosition = { accountId: 0, process: '', subjectId: 0 };

/**
 * Enqueues the next processes that wait in real time, each with the time of its wake-up. Returns the position reached; null at the end.
 * Idempotent: a running process reads its state again.
 */
export async function reconcileWakeups(
  sql: Sql,
  after: ReconcilePosition,
  at: { now: Date; limit: number },
): Promise<{ position: ReconcilePosition | null; handed: number }> {
  const rows = await sql.query<ReconcilePosition>(
    `with next as (
       select account_id, process, subject_id, min(at) as at from wakeup w
       where time_base = 'real' and ${isKnownWakeup('w')} and (account_id, process, subject_id) > ($1, $2, $3)
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
