import { creditNoteStatus } from '../../billing/documents/creditNote.ts';
import { compare, isZero } from '../../billing/money/money.ts';
import { lockRow, lockRows } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import { type Line, linesOf, linesOfEach } from '../../db/queries/documents/lines.ts';
import { CreditNote } from '../../db/schema/creditNote.ts';
import type { EventReason } from '../../db/schema/event.ts';
import { presentWholeCustomer } from '../../present/customers/customer.ts';
import { presentCreditNote } from '../../present/documents/creditNote.ts';
import type { Caller } from '../kernel/caller.ts';
import { checkOwner, type LockedCustomer, lockOwner, retryOnOwnerChange } from '../kernel/lockedCustomer.ts';
import { Missing } from '../kernel/missing.ts';
import { record } from '../kernel/record.ts';

/** A locked credit note with its lines and its locked customer. */
export interface LockedCreditNote extends LockedCustomer {
  creditNote: CreditNote;
  lines: Line[];
}

/** Locks the customer of a credit note, then the credit note, and reads its lines. Throws Missing. */
export async function lockCreditNote(
  em: EntityManager,
  { caller, id }: { caller: Caller; id: number },
  systemNow: Date,
): Promise<LockedCreditNote> {
  const { locked, creditNote } = await retryOnOwnerChange(async () => {
    const locked = await lockOwner(em, { caller, table: 'credit_note', id }, systemNow);
    const creditNote = await lockRow(em, CreditNote, { accountId: caller.account.id, id });
    if (!creditNote || creditNote.deletedAt) throw new Missing('Credit note', id);
    checkOwner(locked, creditNote);
    return { locked, creditNote };
  });
  return { ...locked, creditNote, lines: await linesOf(em, 'credit_note', creditNote) };
}

/** Locks credit notes of any customer of the account. Two queries. Leaves out deleted and unknown ones. */
export async function lockCreditNotes(
  em: EntityManager,
  locked: LockedCustomer,
  ids: readonly number[],
): Promise<LockedCreditNote[]> {
  const { accountId } = locked.customer;
  const notes = await lockRows(em, CreditNote, { accountId, ids: [...ids] });
  return withLines(
    em,
    locked,
    notes.filter(({ deletedAt }) => !deletedAt),
  );
}

async function withLines(
  em: EntityManager,
  locked: LockedCustomer,
  notes: readonly CreditNote[],
): Promise<LockedCreditNote[]> {
  const { accountId } = locked.customer;
  const lines = await linesOfEach(em, 'credit_note', { accountId, ids: notes.map(({ id }) => id) });
  return notes.map((creditNote) => ({
    ...locked,
    creditNote,
    lines: lines.get(creditNote.id) ?? [],
  }));
}

/** Derives status, `paid` and `closed` of a changed credit note from its other fields. */
export function updateCreditNoteStatus(creditNote: CreditNote, now: Date): void {
  const { balance } = creditNote;
  const voided = Boolean(creditNote.voidedAt);
  const draft = !creditNote.issuedAt;
  creditNote.paid = !voided && !draft && isZero(balance);
  creditNote.closed = creditNote.paid || voided || Boolean(creditNote.forfeitedAt);
  creditNote.status = creditNoteStatus({ voided, draft, closed: creditNote.closed, balance });
  creditNote.updatedAt = now;
}

/** Runs `work`, which applies or unapplies credit notes. Then updates each credit note whose balance changed, and records its event. */
export function recordBalanceChanges(em: EntityManager, notes: readonly LockedCreditNote[], work: () => void): void {
  const previous = notes.map((locked) => ({
    locked,
    balance: locked.creditNote.balance,
    before: creditNoteEventObject(locked),
  }));
  work();
  for (const { locked, balance, before } of previous) {
    if (compare(balance, locked.creditNote.balance) === 0) continue;
    updateCreditNoteStatus(locked.creditNote, locked.moment.now);
    recordCreditNote(em, locked, { type: 'credit_note.updated', before });
  }
}

/** Records an event of a credit note. */
export function recordCreditNote(
  em: EntityManager,
  locked: LockedCreditNote,
  change: {
    type: 'credit_note.created' | 'credit_note.updated' | 'credit_note.deleted' | 'credit_note.viewed';
    before?: ReturnType<typeof creditNoteEventObject>;
    reason?: EventReason;
  },
): void {
  const { type, before, reason } = change;
  const subject = { type: 'credit_note', id: locked.creditNote.id, row: locked.creditNote };
  record(em, locked.moment, { type, subject, object: creditNoteEventObject(locked), before, reason });
}

/** A credit note as events carry it, with the whole customer. */
export function creditNoteEventObject({
  customer,
  creditNote,
  lines,
}: Pick<LockedCreditNote, 'customer' | 'creditNote' | 'lines'>) {
  return { ...presentCreditNote(creditNote, lines), customer: presentWholeCustomer(customer) };
}
