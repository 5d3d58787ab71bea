import { Refusal } from '../../billing/refusal.ts';
import type { EntityManager } from '../../db/orm.ts';
import { carrierOf, lockFiles } from '../../db/queries/files/files.ts';
import type { CreditNote } from '../../db/schema/creditNote.ts';
import type { Estimate } from '../../db/schema/estimate.ts';
import { Attachment, type File } from '../../db/schema/file.ts';
import type { Invoice } from '../../db/schema/invoice.ts';
import type { Moment } from '../kernel/caller.ts';

/** The document that files are attached to. */
export type Carrier = { invoice: Invoice } | { estimate: Estimate } | { creditNote: CreditNote };

/**
 * Replaces the attachments of a locked document by files in their order. Files that were attached before keep their row. Returns whether
 * anything changed. Refuses files that the account does not have.
 */
export async function replaceAttachments(
  em: EntityManager,
  moment: Moment,
  { carrier, fileIds }: { carrier: Carrier; fileIds: readonly number[] },
): Promise<boolean> {
  const accountId = moment.caller.account.id;
  const wanted = [...new Set(fileIds)];
  await keepFiles(em, accountId, fileIds);
  await em.write();
  const had = await attachmentsOf(em, accountId, carrier);
  const byFile = new Map(had.map((attachment) => [attachment.file.id, attachment]));
  const times = { createdAt: moment.now, updatedAt: moment.now };
  let changed = had.length !== wanted.length;
  for (const [position, id] of wanted.entries()) {
    const kept = byFile.get(id);
    byFile.delete(id);
    if (kept?.position === position) continue;
    changed = true;
    if (kept) Object.assign(kept, { position, updatedAt: moment.now });
    else em.create(Attachment, { accountId, ...carrier, file: [accountId, id], position, ...times });
  }
  for (const dropped of byFile.values()) em.remove(dropped);
  return changed;
}

/** The attachments of a document in their order, with their files. */
export function attachmentsOf(em: EntityManager, accountId: number, carrier: Carrier): Promise<Attachment[]> {
  return em.find(Attachment, { accountId, ...carrier }, { orderBy: { position: 'asc' }, populate: ['file'] });
}

/** Locks files against deletion until the commit. Refuses files that the account does not have. */
async function keepFiles(em: EntityManager, accountId: number, fileIds: readonly number[]): Promise<void> {
  if (fileIds.length === 0) return;
  const found = await lockFiles(em, accountId, fileIds);
  const missing = fileIds.findIndex((id) => !found.has(id));
  if (missing >= 0)
    throw new Refusal('resource_missing', `File was not found: ${fileIds[missing]}`, `attachments[${missing}]`);
}

/** Detaches a locked file from deleted documents. Refuses a file that is attached to another document. */
export async function detachFile(em: EntityManager, { accountId, id }: File): Promise<void> {
  const carrier = await carrierOf(em, { accountId, id });
  if (carrier) {
    const { name, number, id: carrierId } = carrier;
    throw new Refusal('in_use', `File is attached to ${name} ${number ?? carrierId}: remove it there first`);
  }
  await em.nativeDelete(Attachment, { accountId, file: [accountId, id] });
}
