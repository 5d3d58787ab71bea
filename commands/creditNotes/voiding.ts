import { compare } from '../../billing/money/money.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { EntityManager } from '../../db/orm.ts';
import { PaymentApplication } from '../../db/schema/paymentApplication.ts';
import { releaseNumber } from '../accounts/numbering.ts';
import {
  creditNoteEventObject,
  type LockedCreditNote,
  lockCreditNote,
  recordCreditNote,
  updateCreditNoteStatus,
} from '../aggregates/creditNote.ts';
import { reverseForfeit } from '../aggregates/writeOff.ts';
import { releaseRedemptions } from '../catalog/couponRedemptions.ts';
import { earnings } from '../documents/earnings.ts';
import { closePdfProblem } from '../documents/pdfProblems.ts';
import type { Caller } from '../kernel/caller.ts';
import { takeExcessBack } from './excess.ts';
import { postCredited, postingOf } from './issuing.ts';

export interface CreditNoteKey {
  caller: Caller;
  id: number;
}

/** Voids a credit note, with the credit of its excess. Refuses while it is applied, and when that credit was spent. Throws Missing. */
export async function voidCreditNote(
  em: EntityManager,
  key: CreditNoteKey,
  systemNow: Date,
): Promise<LockedCreditNote> {
  const locked = await lockCreditNote(em, key, systemNow);
  if (locked.creditNote.status === 'voided') throw new Refusal('state_conflict', 'Credit note is already voided');
  await checkUnapplied(em, locked, 'voided');
  const before = creditNoteEventObject(locked);
  await takeExcessBack(em, locked);
  revoke(em, locked, 'void');
  recordCreditNote(em, locked, { type: 'credit_note.updated', before });
  return locked;
}

/**
 * Deletes a credit note. Removes the row of a draft. Reverses an issued credit note in the ledger; it keeps its number. Refuses while it is
 * applied. Throws Missing.
 */
export async function deleteCreditNote(
  em: EntityManager,
  key: CreditNoteKey,
  systemNow: Date,
): Promise<LockedCreditNote> {
  const locked = await lockCreditNote(em, key, systemNow);
  const { creditNote, moment } = locked;
  await checkUnapplied(em, locked, 'deleted');
  const before = creditNoteEventObject(locked);
  if (creditNote.status !== 'voided') {
    await takeExcessBack(em, locked);
    revoke(em, locked, 'delete');
  }
  creditNote.deletedAt = moment.now;
  recordCreditNote(em, locked, { type: 'credit_note.deleted', before });
  const about = { accountId: creditNote.accountId, documentType: 'credit_note', documentId: creditNote.id } as const;
  await closePdfProblem(em, about, moment.systemNow);
  if (!creditNote.issuedAt) {
    await releaseRedemptions(em, { accountId: creditNote.accountId, type: 'credit_note', id: creditNote.id });
    await releaseNumber(em, creditNote, { series: 'credit_note', reason: 'draft_deleted', now: moment.now });
    em.remove(creditNote);
  }
  return locked;
}

async function checkUnapplied(
  em: EntityManager,
  { creditNote }: LockedCreditNote,
  what: 'voided' | 'deleted',
): Promise<void> {
  if (creditNote.status === 'voided' || compare(creditNote.balance, creditNote.total) === 0) return;
  const { accountId } = creditNote;
  const [first] = await em.find(PaymentApplication, { accountId, creditNote }, { orderBy: { id: 'asc' }, limit: 1 });
  throw new Refusal(
    'in_use',
    `Credit note is applied by payment ${first?.payment.id} and cannot be ${what}: void that payment first`,
  );
}

/** Voids a credit note and reverses its ledger entries. */
function revoke(em: EntityManager, locked: LockedCreditNote, reason: 'void' | 'delete'): void {
  const { creditNote, lines, moment } = locked;
  if (creditNote.issuedAt) {
    reverseForfeit(em, moment, creditNote);
    const before = earnings({ lines, taxes: creditNote.taxes });
    postCredited(em, postingOf(locked, reason), { before, after: new Map() });
  }
  Object.assign(creditNote, { balance: '0', voidedAt: moment.now });
  updateCreditNoteStatus(creditNote, moment.now);
}
