import type { Sql } from '../kernel/sql.ts';

export interface DueBytes {
  account_id: number;
  id: number;
  store_key: string;
}

/**
 * Takes due stray bytes of any account for removal: no file may adopt them any more. If the removal fails, they are due again at `againAt`.
 */
export function claimDueBytes(sql: Sql, at: { now: Date; againAt: Date; limit: number }): Promise<DueBytes[]> {
  return sql.query<DueBytes>(
    `update stray_bytes set doomed = true, due_at = $2 where (account_id, id) in (
       select account_id, id from stray_bytes where due_at <= $1 order by due_at limit $3 for update skip locked)
     returning account_id, id, store_key`,
    [at.now, at.againAt, at.limit],
  );
}

/** Deletes the records of removed bytes. */
export async function forgetBytes(sql: Sql, removed: readonly DueBytes[]): Promise<void> {
  await sql.query('delete from stray_bytes where (account_id, id) in (select * from unnest($1::int[], $2::int[]))', [
    removed.map((row) => row.account_id),
    removed.map((row) => row.id),
  ]);
}
