import type { EntityManager } from '../../db/orm.ts';
import { newToken } from '../../db/schema/columns.ts';
import type { CreditNote } from '../../db/schema/creditNote.ts';
import { Snapshot } from '../../db/schema/snapshot.ts';
import { takeDocumentNumber } from '../accounts/numbering.ts';
import {
  creditNoteEventObject,
  type LockedCreditNote,
  lockCreditNote,
  recordCreditNote,
  updateCreditNoteStatus,
} from '../aggregates/creditNote.ts';
import { storeSnapshot } from '../documents/snapshots.ts';
import type { Caller } from '../kernel/caller.ts';
import { recompute } from './correcting.ts';
import { lockCorrected } from './creditNotes.ts';
import { creditExcess } from './excess.ts';
import { postAndApplyCreditNote } from './issuing.ts';

/**
 * Issues a draft: computes the amounts of one that corrects an invoice again, posts and applies it, and stores the snapshot of seller and
 * customer. `isForfeited`: it pays no open invoices. The caller takes the number and records the event.
 */
export async function issueDraft(em: EntityManager, locked: LockedCreditNote, isForfeited: boolean): Promise<void> {
  const { creditNote, moment } = locked;
  const { accountId, currency: asked, invoice } = creditNote;
  const target = invoice ? await lockCorrected(em, locked, { id: invoice.id, asked }) : null;
  const excess = target && (await recompute(em, locked, { target, isDraft: false }));
  const { now } = moment;
  const arrivedAt = new Date(Math.max(creditNote.date.getTime(), now.getTime()));
  Object.assign(creditNote, { issuedAt: now, arrivedAt, timeZone: moment.caller.account.timeZone });
  creditNote.snapshot = em.getReference(Snapshot, [accountId, await storeSnapshot(em, locked)]);
  updateCreditNoteStatus(creditNote, moment.now);
  await postAndApplyCreditNote(em, locked, { destination: target && { invoice: target }, isForfeited });
  if (excess) await creditExcess(em, locked, excess);
}

/** Takes the number of a newly issued credit note, unless it has one. The series stays locked until the commit. */
export async function assignNumber(em: EntityManager, creditNote: CreditNote): Promise<void> {
  await em.write();
  if (!creditNote.number) await takeDocumentNumber(em, 'credit_note', creditNote);
}

/**
 * Gives new addresses to the page of a credit note and to its PDF. Those from before lead nowhere from now on, also those in mails. Throws
 * Missing.
 */
export async function revokeCreditNoteLinks(
  em: EntityManager,
  key: { caller: Caller; id: number },
  systemNow: Date,
): Promise<LockedCreditNote> {
  const locked = await lockCreditNote(em, key, systemNow);
  const before = creditNoteEventObject(locked);
  Object.assign(locked.creditNote, { token: newToken(), updatedAt: locked.moment.now });
  recordCreditNote(em, locked, { type: 'credit_note.updated', before });
  return locked;
}
