import { randomBytes } from 'node:crypto';
import { typeOfFile } from '../../billing/look/fileName.ts';
import { Refusal } from '../../billing/refusal.ts';
import { reserveIds } from '../../db/ids.ts';
import { lockRow } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import { lockDeletedFile } from '../../db/queries/files/files.ts';
import { isInQueuedMail } from '../../db/queries/mail/emails.ts';
import { File } from '../../db/schema/file.ts';
import { currentOwner } from '../../db/tenant.ts';
import type { Caller } from '../kernel/caller.ts';
import { Missing } from '../kernel/missing.ts';
import { GIVE_UP_AFTER_MILLISECONDS } from '../mail/emails.ts';
import { detachFile } from './attachments.ts';
import { claimBytes, markAsStray, type Stray } from './strayBytes.ts';

const newFileToken = (): string => randomBytes(32).toString('base64url');

/** Creates a file that is only a link to an external URL. Nothing is downloaded. */
export async function linkFile(
  em: EntityManager,
  input: { caller: Caller; name: string; url: string; size: number | null; type: string | null },
  systemNow: Date,
): Promise<File> {
  const { caller, name, url, size, type } = input;
  const none = { storeKey: null, token: null };
  const times = { createdAt: systemNow, updatedAt: systemNow };
  const { file: id } = await reserveIds(em, 'file');
  return em.create(File, {
    accountId: caller.account.id,
    id,
    name,
    url,
    size,
    type,
    ownerId: currentOwner(),
    ...none,
    ...times,
  });
}

/** Creates a file from stored bytes. Refuses if the upload took so long that the sweep has begun to remove the bytes. */
export async function createFile(
  em: EntityManager,
  input: { caller: Caller; name: string; size: number; type: string | null; stray: Stray },
  systemNow: Date,
): Promise<File> {
  const { caller, name, size, stray } = input;
  if (!(await claimBytes(em, stray)))
    throw new Refusal('body_invalid', 'The upload took too long; send it again', 'file');
  const known = {
    accountId: caller.account.id,
    name,
    size,
    type: typeOfFile(name, input.type),
    ownerId: currentOwner(),
  };
  const times = { createdAt: systemNow, updatedAt: systemNow };
  const { file: id } = await reserveIds(em, 'file');
  return em.create(File, { ...known, id, url: null, storeKey: stray.storeKey, token: newFileToken(), ...times });
}

/** Gives a stored file a new address. The one from before leads nowhere from now on. Refuses a link to another site. Throws Missing. */
export async function revokeFileLinks(
  em: EntityManager,
  { caller, id }: { caller: Caller; id: number },
  systemNow: Date,
): Promise<File> {
  const file = await lockRow(em, File, { accountId: caller.account.id, id });
  if (!file) throw new Missing('File', id);
  if (!file.storeKey) throw new Refusal('state_conflict', `File ${id} is a link to another site`);
  return Object.assign(file, { token: newFileToken(), updatedAt: systemNow });
}

/**
 * Deletes a file. Returns its stored bytes, which the caller removes after the commit. Null: there are none, or queued mail still needs
 * them and the sweep removes them later. Refuses a file that is attached to a document. Throws Missing.
 */
export async function deleteFile(
  em: EntityManager,
  input: { caller: Caller; id: number },
  systemNow: Date,
): Promise<Stray | null> {
  const accountId = input.caller.account.id;
  await lockDeletedFile(em, accountId, input.id);
  const file = await em.findOne(File, { accountId, id: input.id });
  if (!file) throw new Missing('File', input.id);
  await detachFile(em, file);
  const { storeKey } = file;
  const dueAt =
    storeKey && (await isInQueuedMail(em, { accountId, storeKey })) ? afterQueuedMail(systemNow) : systemNow;
  const stray = storeKey ? await markAsStray(em, { accountId, storeKey, dueAt }) : null;
  em.remove(file);
  await em.write();
  return dueAt === systemNow ? stray : null;
}

/** A time by which every email that is queued now will have been sent or have failed. */
function afterQueuedMail(systemNow: Date): Date {
  return new Date(systemNow.getTime() + GIVE_UP_AFTER_MILLISECONDS + MINUTE_MILLISECONDS);
}

const MINUTE_MILLISECONDS = 60_000;
