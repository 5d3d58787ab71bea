import { whyLocked } from '../../billing/documents/creditNote.ts';
import { compare, isPositive, type Money } from '../../billing/money/money.ts';
import { Refusal } from '../../billing/refusal.ts';
import { setting } from '../../billing/settings.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { CreditNote } from '../../db/schema/creditNote.ts';
import { Invoice } from '../../db/schema/invoice.ts';
import { newNumber, renumber } from '../accounts/numbering.ts';
import {
  creditNoteEventObject,
  type LockedCreditNote,
  lockCreditNote,
  recordCreditNote,
  updateCreditNoteStatus,
} from '../aggregates/creditNote.ts';
import type { LockedInvoice } from '../aggregates/invoice.ts';
import { type DocumentChange, planContent, writeContent } from '../documents/contentChange.ts';
import { lockNewCustomer, moveCreditNote, refuseImpossibleChange } from '../documents/draftCustomer.ts';
import { earnings } from '../documents/earnings.ts';
import { newSentAt } from '../documents/sending.ts';
import { replaceAttachments } from '../files/attachments.ts';
import { assignChanges, newTime } from '../kernel/changes.ts';
import { payOpenInvoices } from '../payments/spending.ts';
import { recompute, refuseNegativeLines } from './correcting.ts';
import { forceReasonOf, lockCorrected } from './creditNotes.ts';
import { creditExcess } from './excess.ts';
import { postCredited, postingOf } from './issuing.ts';
import { assignNumber, closeCreditNote, issueDraft, reopenCreditNote } from './states.ts';

/** Requested changes. A field that is left out stays as it is; null clears it. */
export interface CreditNoteChange extends DocumentChange {
  invoiceId?: number | null | undefined;
  date?: Date | undefined;
  /** Whether it may exceed what is left of its invoice, and why. */
  isForced?: boolean | undefined;
  reason?: string | null | undefined;
  fields: {
    name?: string | undefined;
    purchaseOrder?: string | null | undefined;
    notes?: string | null | undefined;
    metadata?: Record<string, string> | undefined;
  };
}

/**
 * Changes a credit note and its ledger entries, if anything differs. A draft may get another customer. `isDraft: false` issues it.
 * `isClosed` forfeits its balance, or reverses that. Refuses to change amounts, number or date of a locked credit note, and values that
 * `createCreditNote` refuses. Throws Missing.
 */
export async function updateCreditNote(
  em: EntityManager,
  change: CreditNoteChange,
  systemNow: Date,
): Promise<LockedCreditNote> {
  const newCustomer = await lockNewCustomer(em, { ...change, table: 'credit_note' }, systemNow);
  const found = await lockCreditNote(em, change, systemNow);
  const before = creditNoteEventObject(found);
  const was = factsOf(found);
  refuseImpossibleChange('credit_note', found.creditNote, { ...change, newCustomer });
  const at = newCustomer ? moveCreditNote(found, newCustomer, change.invoiceId) : found;
  const { creditNote, moment } = at;
  creditNote.customer = at.customer;
  const isReopened = change.isClosed === false && reopenCreditNote(em, at);
  const isChanged = (await applyChange(em, at, change)) || newCustomer !== null;
  const isIssued = change.isDraft === false && !creditNote.issuedAt;
  const isClosing = change.isClosed === true && !creditNote.closed;
  const isSentChanged = assignChanges(creditNote, {
    sentAt: newSentAt(creditNote, { ...change, isIssued, now: moment.now }),
  });
  if (!isReopened && !isChanged && !isIssued && !isClosing && !isSentChanged) return at;
  postChange(em, at, was);
  if (isIssued) await issueDraft(em, at, isClosing);
  if (isClosing) closeCreditNote(em, at);
  updateCreditNoteStatus(creditNote, moment.now);
  const isMore = compare(creditNote.balance, was.balance) > 0 || creditNote.date !== was.date;
  if (!isIssued && creditNote.issuedAt && (isReopened || isMore))
    await payOpenInvoices(em, at, { currency: creditNote.currency, unrecorded: creditNote });
  if (isIssued) await assignNumber(em, creditNote);
  recordCreditNote(em, at, { type: 'credit_note.updated', before });
  return at;
}

/** Changes content, number, date and other fields. Refuses changes of locked fields. Returns whether anything changed. */
async function applyChange(em: EntityManager, locked: LockedCreditNote, change: CreditNoteChange): Promise<boolean> {
  const { creditNote, moment } = locked;
  const { now } = moment;
  const hasExcess = Boolean(creditNote.issuedAt && creditNote.forceReason);
  const applied = hasExcess || compare(creditNote.balance, creditNote.total) !== 0;
  const lock = { sent: Boolean(creditNote.sentAt), applied };
  const contentField = await applyContentChange(em, locked, change);
  const number = await newNumber(em, creditNote, { series: 'credit_note', number: change.number });
  await renumber(em, creditNote, { series: 'credit_note', number, now });
  const numberChanged = number !== undefined;
  const date = newTime(change.date, creditNote.date);
  const dateChanged = assignChanges(creditNote, { date });
  if (dateChanged && creditNote.arrivedAt) creditNote.arrivedAt = creditNote.date;
  const lockedField = contentField ?? (numberChanged ? 'number' : dateChanged ? 'date' : null);
  if (lockedField !== null) refuseLocked(locked, { ...lock, param: lockedField });
  const invoiceChanged = await changeInvoice(em, locked, change.invoiceId);
  const forceChanged = changeForce(creditNote, change);
  if (contentField !== null || invoiceChanged) await correctAgain(em, locked);
  const fieldsChanged = assignChanges(creditNote, change.fields);
  const { fileIds } = change;
  const carrier = { creditNote };
  const filesChanged = fileIds ? await replaceAttachments(em, moment, { carrier, fileIds }) : false;
  return lockedField !== null || invoiceChanged || forceChanged || fieldsChanged || filesChanged;
}

/** Changes the content. Returns the first field of the request that altered it. */
async function applyContentChange(
  em: EntityManager,
  locked: LockedCreditNote,
  change: CreditNoteChange,
): Promise<string | null> {
  const { creditNote } = locked;
  // If it is applied or voided, the balance stays, and the caller refuses the change.
  const isUnused = compare(creditNote.balance, creditNote.total) === 0;
  const shipTo = change.calculateTaxes ? await placeOf(em, creditNote, change.invoiceId) : null;
  const isRecomputed = Boolean(creditNote.invoice) && !creditNote.earlyDiscountUntil;
  const row = { type: 'credit_note' as const, row: creditNote, lines: locked.lines, parent: { creditNote } };
  const document = { ...row, shipTo, isRecomputed };
  const plan = await planContent(em, locked, { document, change });
  refuseNegativeLines(plan.lines.lines);
  await writeContent(em, locked, { row: creditNote, plan });
  if (isUnused && compare(creditNote.balance, creditNote.total) !== 0) creditNote.balance = creditNote.total;
  return plan.altered;
}

/** The shipping address of the invoice that it corrects, which decides its tax rates. */
async function placeOf(em: EntityManager, { accountId, invoice }: CreditNote, asked: number | null | undefined) {
  const id = asked === undefined ? (invoice?.id ?? null) : asked;
  const corrected = id === null ? null : await em.findOne(Invoice, { accountId, id }, { disableIdentityMap: true });
  return corrected?.shipTo ?? null;
}

/** Changes the invoice that a draft corrects. Refuses to change that of an issued credit note. */
async function changeInvoice(
  em: EntityManager,
  locked: LockedCreditNote,
  invoiceId: number | null | undefined,
): Promise<boolean> {
  const { creditNote } = locked;
  if (invoiceId === undefined || invoiceId === (creditNote.invoice?.id ?? null)) return false;
  if (creditNote.issuedAt)
    throw new Refusal('state_conflict', 'The invoice of an issued credit note cannot be changed', 'invoice');
  const asked = creditNote.currency;
  const target: LockedInvoice | null =
    invoiceId === null ? null : await lockCorrected(em, locked, { id: invoiceId, asked });
  creditNote.invoice = target?.invoice ?? null;
  return true;
}

/** Changes whether it may exceed what is left of its invoice. Refuses that of an issued credit note, and a lone `force` or `reason`. */
function changeForce(creditNote: CreditNote, { isForced, reason }: CreditNoteChange): boolean {
  const { issuedAt, forceReason: before = null } = creditNote;
  const kept = isForced === false ? null : before;
  const forceReason = forceReasonOf({
    isForced: isForced ?? before !== null,
    reason: reason === undefined ? kept : reason,
  });
  if (forceReason === before) return false;
  if (issuedAt)
    throw new Refusal('state_conflict', 'An issued credit note keeps force and reason: issue another one', 'force');
  return assignChanges(creditNote, { forceReason });
}

/** Computes the amounts again, as those of a credit note of its invoice. Refuses an invoice in another currency. */
async function correctAgain(em: EntityManager, locked: LockedCreditNote): Promise<void> {
  const { creditNote } = locked;
  const { invoice, currency: asked, issuedAt } = creditNote;
  if (!invoice || creditNote.earlyDiscountUntil) return;
  const target = await lockCorrected(em, locked, { id: invoice.id, asked });
  await em.write();
  const excess = await recompute(em, locked, { target, isDraft: !issuedAt });
  if (excess) await creditExcess(em, locked, excess);
}

/** The values before a change on which the ledger entries of the change depend. */
function factsOf({ creditNote, lines }: LockedCreditNote) {
  const { currency, date, balance, taxes, issuedAt } = creditNote;
  return { currency, date, balance, isIssued: Boolean(issuedAt), credited: earnings({ lines, taxes }) };
}

function refuseLocked(
  { creditNote, moment }: LockedCreditNote,
  { param, ...known }: { sent: boolean; applied: boolean; param: string },
): void {
  const why = whyLocked({
    ...known,
    lockDocuments: setting(moment.caller.account, 'lock_documents'),
    voided: Boolean(creditNote.voidedAt),
    forfeited: Boolean(creditNote.forfeitedAt),
  });
  if (why !== null)
    throw new Refusal('state_conflict', `Credit note ${creditNote.number ?? creditNote.id} ${why}`, param);
}

/** Posts a change of an issued credit note's amounts, date or currency. */
function postChange(em: EntityManager, locked: LockedCreditNote, was: ReturnType<typeof factsOf>): void {
  const { creditNote, lines, customer } = locked;
  if (!was.isIssued) return;
  if (isPositive(creditNote.balance)) customer.hasCredit = true;
  const after = earnings({ lines, taxes: creditNote.taxes });
  const posting = postingOf(locked, 'change');
  if (creditNote.currency === was.currency && creditNote.date === was.date) {
    postCredited(em, posting, { before: was.credited, after });
  } else {
    const former = { ...posting, currency: was.currency, documentAt: was.date };
    postCredited(em, former, { before: was.credited, after: NOTHING });
    postCredited(em, posting, { before: NOTHING, after });
  }
}

const NOTHING: ReadonlyMap<string, Money> = new Map();
