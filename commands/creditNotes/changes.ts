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
import { forfeitCreditNote, reverseForfeit } from '../aggregates/writeOff.ts';
import { type ContentPlan, type DocumentChange, planContent, writeContent } from '../documents/contentChange.ts';
import { lockNewCustomer, moveCreditNote, refuseImpossibleChange } from '../documents/draftCustomer.ts';
import { earnings } from '../documents/earnings.ts';
import { newSentAt } from '../documents/sending.ts';
import { replaceAttachments } from '../files/attachments.ts';
import { assignChanges, differs, newTime } from '../kernel/changes.ts';
import { payOpenInvoices } from '../payments/spending.ts';
import { recompute, refuseNegativeLines } from './correcting.ts';
import { forceReasonOf, lockCorrected } from './creditNotes.ts';
import { creditExcess } from './excess.ts';
import { postCredited, postingOf } from './issuing.ts';
import { assignNumber, issueDraft } from './states.ts';

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

/** What a request changes of a locked credit note. */
interface Plan {
  content: ContentPlan;
  /** Undefined: it keeps its number. */
  number: string | null | undefined;
  /** Id of the invoice that it corrects; undefined: unchanged. */
  invoiceId: number | null | undefined;
  isReopened: boolean;
  isIssued: boolean;
  isClosing: boolean;
  /** New values of the other columns; undefined: unchanged. */
  columns: object;
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
  const { creditNote } = found;
  refuseImpossibleChange('credit_note', creditNote, { ...change, newCustomer });
  const locked = newCustomer ? moveCreditNote(found, newCustomer, change.invoiceId) : found;
  const isReopened = reopens(change, creditNote);
  const content = await contentOf(em, locked, change);
  const number = await newNumber(em, creditNote, { series: 'credit_note', number: change.number });
  const plan = planOf(change, locked, { content, number, isReopened });
  const { fileIds } = change;
  const carrier = { creditNote };
  const hasOtherFiles = fileIds ? await replaceAttachments(em, locked.moment, { carrier, fileIds }) : false;
  if (!isOther(plan, creditNote) && !hasOtherFiles && !newCustomer) return found;
  const before = creditNoteEventObject(found);
  await writePlan(em, locked, plan);
  recordCreditNote(em, locked, { type: 'credit_note.updated', before });
  return locked;
}

/** Whether a request reopens a credit note. Refuses one that is closed for another reason than its forfeit. */
function reopens({ isClosed }: CreditNoteChange, creditNote: CreditNote): boolean {
  if (isClosed !== false || !creditNote.closed) return false;
  if (!creditNote.forfeitedAt)
    throw new Refusal(
      'state_conflict',
      `Credit note ${creditNote.number ?? creditNote.id} is ${creditNote.status} and cannot be reopened`,
      'closed',
    );
  return true;
}

async function contentOf(em: EntityManager, locked: LockedCreditNote, change: CreditNoteChange): Promise<ContentPlan> {
  const { creditNote, lines } = locked;
  const shipTo = change.calculateTaxes ? await placeOf(em, creditNote, change.invoiceId) : null;
  const isRecomputed = Boolean(creditNote.invoice) && !creditNote.earlyDiscountUntil;
  const document = {
    type: 'credit_note',
    row: creditNote,
    lines,
    parent: { creditNote },
    shipTo,
    isRecomputed,
  } as const;
  const content = await planContent(em, locked, { document, change });
  refuseNegativeLines(content.lines.lines);
  // One that is applied or voided keeps its balance: planOf refuses the change.
  if (isUnused(creditNote)) content.columns.balance = content.columns.total;
  return content;
}

/** The shipping address of the invoice that it corrects, which decides its tax rates. */
async function placeOf(em: EntityManager, { accountId, invoice }: CreditNote, asked: number | null | undefined) {
  const id = asked === undefined ? (invoice?.id ?? null) : asked;
  const corrected = id === null ? null : await em.findOne(Invoice, { accountId, id }, { disableIdentityMap: true });
  return corrected?.shipTo ?? null;
}

/** Compares the request with the stored credit note. Refuses changes of a locked one, and values that do not fit together. */
function planOf(
  change: CreditNoteChange,
  locked: LockedCreditNote,
  known: Pick<Plan, 'content' | 'number' | 'isReopened'>,
): Plan {
  const { creditNote, moment } = locked;
  const { content, number, isReopened } = known;
  const { issuedAt } = creditNote;
  const date = newTime(change.date, creditNote.date);
  const lockedField = content.altered ?? (number !== undefined ? 'number' : date ? 'date' : null);
  const applied = !isUnused(creditNote) || Boolean(issuedAt && creditNote.forceReason); // a forced one has credited its excess
  const name = (number === undefined ? creditNote.number : number) ?? creditNote.id;
  if (lockedField !== null) refuseLocked(locked, { applied, isReopened, name, param: lockedField });
  const invoiceId = change.invoiceId === (creditNote.invoice?.id ?? null) ? undefined : change.invoiceId;
  if (invoiceId !== undefined && issuedAt)
    throw new Refusal('state_conflict', 'The invoice of an issued credit note cannot be changed', 'invoice');
  const forceReason = newForceReason(change, creditNote);
  const isIssued = change.isDraft === false && !issuedAt;
  const sentAt = newSentAt(creditNote, { isSent: change.isSent, isIssued, now: moment.now });
  const isClosing = change.isClosed === true && !creditNote.closed;
  if (isClosing && !issuedAt && !isIssued)
    throw new Refusal('state_conflict', 'A draft cannot be closed: it credits nothing yet', 'closed');
  const arrivedAt = creditNote.arrivedAt ? date : undefined;
  const columns = { ...change.fields, date, arrivedAt, forceReason, sentAt };
  return { ...known, invoiceId, isIssued, isClosing, columns };
}

function isUnused({ balance, total }: CreditNote): boolean {
  return compare(balance, total) === 0;
}

function isOther(plan: Plan, creditNote: CreditNote): boolean {
  const { content, number, invoiceId, columns } = plan;
  const isOtherDocument = content.altered !== null || number !== undefined || invoiceId !== undefined;
  return isOtherDocument || plan.isReopened || plan.isIssued || plan.isClosing || differs(creditNote, columns);
}

async function writePlan(em: EntityManager, locked: LockedCreditNote, plan: Plan): Promise<void> {
  const { creditNote, moment } = locked;
  const { content, number, invoiceId, isReopened, isIssued, isClosing } = plan;
  const was = factsOf(locked);
  if (isReopened) reverseForfeit(em, moment, creditNote);
  creditNote.customer = locked.customer;
  await writeContent(em, locked, { row: creditNote, plan: content });
  await renumber(em, creditNote, { series: 'credit_note', number, now: moment.now });
  assignChanges(creditNote, plan.columns);
  if (content.altered !== null || invoiceId !== undefined) await correctAgain(em, locked, invoiceId);
  postChange(em, locked, was);
  if (isIssued) await issueDraft(em, locked, isClosing);
  if (isClosing && isPositive(creditNote.balance)) forfeitCreditNote(em, moment, creditNote);
  updateCreditNoteStatus(creditNote, moment.now);
  const isMore = compare(creditNote.balance, was.balance) > 0 || creditNote.date !== was.date;
  if (!isIssued && creditNote.issuedAt && (isReopened || isMore))
    await payOpenInvoices(em, locked, { currency: creditNote.currency, unrecorded: creditNote });
  if (isIssued) await assignNumber(em, creditNote);
}

/** The requested reason to exceed what is left of its invoice. Refuses that of an issued credit note, and a lone `force` or `reason`. */
function newForceReason({ isForced, reason }: CreditNoteChange, creditNote: CreditNote): string | null {
  const { issuedAt, forceReason: before = null } = creditNote;
  const kept = isForced === false ? null : before;
  const forceReason = forceReasonOf({
    isForced: isForced ?? before !== null,
    reason: reason === undefined ? kept : reason,
  });
  if (forceReason !== before && issuedAt)
    throw new Refusal('state_conflict', 'An issued credit note keeps force and reason: issue another one', 'force');
  return forceReason;
}

/**
 * Gives it the invoice that it corrects (undefined: its own), and computes its amounts again, as those of a credit note of that invoice.
 * Refuses an invoice in another currency.
 */
async function correctAgain(
  em: EntityManager,
  locked: LockedCreditNote,
  invoiceId: number | null | undefined,
): Promise<void> {
  const { creditNote } = locked;
  const { currency: asked, issuedAt } = creditNote;
  const id = invoiceId === undefined ? (creditNote.invoice?.id ?? null) : invoiceId;
  if (creditNote.earlyDiscountUntil) return;
  const target = id === null ? null : await lockCorrected(em, locked, { id, asked });
  creditNote.invoice = target?.invoice ?? null;
  if (!target) return;
  await em.write();
  const excess = await recompute(em, locked, { target, isDraft: !issuedAt });
  if (excess) await creditExcess(em, locked, excess);
}

/** The values before a change on which the ledger entries of the change depend. */
function factsOf({ creditNote, lines }: LockedCreditNote) {
  const { currency, date, balance, taxes, issuedAt } = creditNote;
  return { currency, date, balance, isIssued: Boolean(issuedAt), credited: earnings({ lines, taxes }) };
}

/** Refuses to change amounts, number or date of a locked credit note. */
function refuseLocked(
  { creditNote, moment }: LockedCreditNote,
  { applied, isReopened, name, param }: { applied: boolean; isReopened: boolean; name: string | number; param: string },
): void {
  const why = whyLocked({
    applied,
    sent: Boolean(creditNote.sentAt),
    lockDocuments: setting(moment.caller.account, 'lock_documents'),
    voided: Boolean(creditNote.voidedAt),
    forfeited: Boolean(creditNote.forfeitedAt) && !isReopened,
  });
  if (why !== null) throw new Refusal('state_conflict', `Credit note ${name} ${why}`, param);
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
