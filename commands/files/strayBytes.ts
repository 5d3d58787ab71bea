import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import { fromFileStore } from '../../billing/failures.ts';
import { failpoint } from '../../db/failpoint.ts';
import type { EntityManager } from '../../db/orm.ts';
import { StrayBytes } from '../../db/schema/file.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { FileStore, NewBytes } from '../ports/ports.ts';

/** Stored bytes that no file refers to, and the row that marks them as stray. */
export interface Stray {
  accountId: number;
  id: number;
  storeKey: string;
}

export interface BytesDeps {
  em: EntityManager;
  fileStore: FileStore;
}

/** How long after the start of an upload its bytes may become a file. Then the sweep removes them. */
const CLAIM_MILLISECONDS = 3_600_000;

/**
 * Stores bytes, outside any transaction. First commits a row that marks them as stray, so that after a crash the sweep finds and removes
 * bytes that belong to no file. Throws FileStoreAway.
 */
export async function storeBytes(
  deps: BytesDeps,
  input: { accountId: number; bytes: NewBytes },
  systemNow: Date,
): Promise<Stray> {
  const { accountId, bytes } = input;
  const storeKey = `${accountId}/${randomBytes(24).toString('base64url')}`;
  const dueAt = new Date(systemNow.getTime() + CLAIM_MILLISECONDS);
  const stray = await inTransaction(deps.em, (em) => markAsStray(em, { accountId, storeKey, dueAt }));
  await fromFileStore(deps.fileStore.put(storeKey, bytes));
  await failpoint('file.stored');
  return stray;
}

/** Marks bytes as stray. The sweep removes them after `dueAt`. */
export async function markAsStray(
  em: EntityManager,
  input: { accountId: number; storeKey: string; dueAt: Date },
): Promise<Stray> {
  const row = em.create(StrayBytes, { ...input, doomed: false });
  await em.write();
  return { accountId: input.accountId, id: row.id, storeKey: input.storeKey };
}

/** Claims stray bytes for a file. False: their removal has begun. */
export async function claimBytes(em: EntityManager, { accountId, id }: Stray): Promise<boolean> {
  return (await em.nativeDelete(StrayBytes, { accountId, id, doomed: false })) === 1;
}

/** Removes stray bytes, unless a file has claimed them. If it fails, the sweep removes them. */
export async function removeBytes({ em, fileStore }: BytesDeps, { accountId, id, storeKey }: Stray): Promise<void> {
  const doomed = await inTransaction(em, (inner) =>
    inner.nativeUpdate(StrayBytes, { accountId, id }, { doomed: true }),
  );
  if (doomed === 0) return;
  await fileStore.delete(storeKey);
  await inTransaction(em, (inner) => inner.nativeDelete(StrayBytes, { accountId, id }));
}

/** The bytes of a file. Null: it is a link to another place, or the store has none. */
export async function bytesOf(
  fileStore: Pick<FileStore, 'get'>,
  { storeKey }: { storeKey?: string | null | undefined },
): Promise<Readable | null> {
  return storeKey ? fromFileStore(fileStore.get(storeKey)) : null;
}
