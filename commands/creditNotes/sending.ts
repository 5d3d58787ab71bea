import type { EntityManager } from '../../db/orm.ts';
import type { Email } from '../../db/schema/email.ts';
import { creditNoteEmail } from '../../present/emails/creditNote.ts';
import {
  creditNoteEventObject,
  type LockedCreditNote,
  lockCreditNote,
  recordCreditNote,
  updateCreditNoteStatus,
} from '../aggregates/creditNote.ts';
import { tellNote } from '../documents/noteStory.ts';
import { refuseUnissued, sendDocument } from '../documents/sending.ts';
import type { Caller } from '../kernel/caller.ts';
import { type Sending, templateFor } from '../mail/sending.ts';

/** Queues the mails of a credit note. Refuses a draft, a voided credit note and an empty list of recipients. Throws Missing. */
export async function sendCreditNote(
  em: EntityManager,
  input: { caller: Caller; id: number; sending: Sending },
  systemNow: Date,
): Promise<Email[]> {
  const { sending } = input;
  const locked = await lockCreditNote(em, input, systemNow);
  const { creditNote } = locked;
  refuseUnissued('Credit note', creditNote);
  const template = await templateFor(em, 'credit_note', {
    accountId: creditNote.accountId,
    wanted: sending.template,
    usual: 'credit_note_email',
  });
  await em.write();
  const told = await tellNote(em, locked.moment.caller.account, creditNote.id);
  if (!told) throw new Error(`credit note ${creditNote.id} has no story`);
  const mails = await sendDocument(em, locked, {
    sending,
    template,
    document: { type: 'credit_note', id: creditNote.id },
    carrier: { creditNote },
    render: (facts) => creditNoteEmail({ ...facts, creditNote, told }),
  });
  markSent(em, locked);
  await em.write();
  return mails;
}

/** Marks the credit note as sent, if it is not marked yet. */
function markSent(em: EntityManager, locked: LockedCreditNote): void {
  const { creditNote, moment } = locked;
  if (creditNote.sentAt) return;
  const before = creditNoteEventObject(locked);
  creditNote.sentAt = moment.now;
  updateCreditNoteStatus(creditNote, moment.now);
  recordCreditNote(em, locked, { type: 'credit_note.updated', before });
}
