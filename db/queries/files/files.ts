import type { DocumentType } from '../../../billing/documents/document.ts';
import type { EntityManager } from '../../orm.ts';
import type { Sql } from '../kernel/sql.ts';

/** A file that is attached to a document. */
export interface AttachedFile {
  accountId: number;
  name: string;
  /** Null: its bytes are stored here. */
  url: string | null;
  /** Null: it is stored elsewhere. */
  token: string | null;
}

/** The files that are attached to a document, in their order. */
export function attachedFiles(
  em: EntityManager,
  { accountId, type, id }: { accountId: number; type: Exclude<DocumentType, 'payment'>; id: number },
): Promise<AttachedFile[]> {
  return em.execute<AttachedFile[]>(
    `select f.account_id as "accountId", f.name, f.url, f.token from attachment a
     join file f on f.account_id = a.account_id and f.id = a.file_id
     where a.account_id = ? and a.${type}_id = ? order by a.position`,
    [accountId, id],
  );
}

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
