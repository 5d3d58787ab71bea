import { type DocumentTable, type DocumentType, documentTables } from '../../../billing/documents/document.ts';
import type { EntityManager } from '../../orm.ts';
import { numberArray, type Sql } from '../kernel/sql.ts';

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

/** Locks a file that is deleted: attaching it, which takes `lockFiles`, waits and then does not find the file. */
export async function lockDeletedFile(em: EntityManager, accountId: number, id: number): Promise<void> {
  await em.execute('select 1 from file where account_id = ? and id = ? for update', [accountId, id]);
}

/** Locks files against deletion until the commit. Returns the ids of those that the account has. */
export async function lockFiles(em: EntityManager, accountId: number, ids: readonly number[]): Promise<Set<number>> {
  const rows = await em.execute<{ id: number }[]>(
    'select id from file where account_id = ? and id = any(?::int[]) order by id for key share',
    [accountId, numberArray(ids)],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Tables of documents that can have attachments, and their names. */
const carriers: Readonly<Record<DocumentTable, string>> = {
  invoice: 'invoice',
  estimate: 'estimate',
  credit_note: 'credit note',
};

/** A document that is not deleted and has a file as attachment. Null: there is none. */
export async function carrierOf(
  em: EntityManager,
  { accountId, id }: { accountId: number; id: number },
): Promise<{ name: string; number: string | null; id: number } | null> {
  const found = documentTables.map(
    (table) =>
      `select '${carriers[table]}' as name, d.number, d.id from attachment a join ${table} d on d.account_id = a.account_id and d.id = a.${table}_id
       where a.account_id = ? and a.file_id = ? and d.deleted_at is null`,
  );
  const [carrier] = await em.execute<{ name: string; number: string | null; id: number }[]>(
    `${found.join(' union all ')} limit 1`,
    found.flatMap(() => [accountId, id]),
  );
  return carrier ?? null;
}
