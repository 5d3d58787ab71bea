import { createHash } from 'node:crypto';
import { fromFileStore } from '../../billing/failures.ts';
import { hasTooManyPixels, MOST_PIXELS, type Picture, readPicture } from '../../billing/look/picture.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Account } from '../../db/schema/account.ts';
import { File } from '../../db/schema/file.ts';
import { Logo, type LogoType } from '../../db/schema/logo.ts';
import type { FileStore } from '../ports/ports.ts';

/** The file chosen as the seller's logo: its content, or the reason why it cannot be a logo. */
export type ChosenLogo = { fileId: number } & ({ type: LogoType; bytes: Buffer } | { problem: string });

const MOST_BYTES = 512 * 1024;

/** Reads the file chosen as logo. Runs outside any transaction, because the file store is remote. Throws no Refusal: `storeLogo` does. */
export async function readLogo(
  { em, fileStore }: { em: EntityManager; fileStore: FileStore },
  { accountId, fileId }: { accountId: number; fileId: number },
): Promise<ChosenLogo> {
  const file = await em.findOne(File, { accountId, id: fileId });
  if (!file) return { fileId, problem: `File was not found: ${fileId}` };
  const stored =
    file.storeKey && (file.size ?? 0) <= MOST_BYTES ? await fromFileStore(fileStore.get(file.storeKey)) : null;
  if (!stored) return { fileId, problem: `Logo must be an uploaded file of at most ${MOST_BYTES / 1024} KiB` };
  const bytes = Buffer.concat(await stored.toArray());
  const picture = readPicture(bytes);
  if (!picture) return { fileId, problem: 'Logo must be a PNG or JPEG picture' };
  if (hasTooManyPixels(picture)) return { fileId, problem: tooManyPixels(picture) };
  return { fileId, type: picture.type, bytes };
}

function tooManyPixels({ width, height }: Picture): string {
  const most = MOST_PIXELS.toLocaleString('en');
  return `Logo has ${width} x ${height} pixels; it may have at most ${most} in all, such as 2000 x 2000`;
}

/**
 * Stores a chosen logo. Returns the new values of the row of an account or theme; null: unchanged. Choosing the current file again changes nothing, even
 * if that file was deleted. Refuses a file that cannot be a logo.
 */
export async function storeLogo(
  em: EntityManager,
  { accountId, logoFileId: current }: { accountId: number; logoFileId?: number | null | undefined },
  { chosen, systemNow }: { chosen: ChosenLogo | null | undefined; systemNow: Date },
): Promise<Pick<Account, 'logoFileId' | 'logoHash'> | null> {
  if (chosen === undefined || chosen?.fileId === current) return null;
  if (chosen === null) return { logoFileId: null, logoHash: null };
  if ('problem' in chosen) throw new Refusal('parameter_invalid', chosen.problem, 'logo');
  const { fileId, type, bytes } = chosen;
  const hash = createHash('sha256').update(bytes).digest('hex');
  const row = { accountId, hash, type, bytes, createdAt: systemNow };
  await em.upsert(Logo, row, { onConflictAction: 'ignore', onConflictFields: ['accountId', 'hash'] });
  return { logoFileId: fileId, logoHash: hash };
}
