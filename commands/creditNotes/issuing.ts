import { creditNoteStatus } from '../../billing/documents/creditNote.ts';
import { numbered } from '../../billing/documents/numbering.ts';
import { isNegative, isPositive, isZero, type Money, negate, subtract } from '../../billing/money/money.ts';
import { failpoint } from '../../db/failpoint.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Line } from '../../db/queries/documents/lines.ts';
import { CreditNote } from '../../db/schema/creditNote.ts';
import { Snapshot } from '../../db/schema/snapshot.ts';
import { takeDocumentNumber } from '../accounts/numbering.ts';
import { creditNoteEventObject, type LockedCreditNote, updateCreditNoteStatus } from '../aggregates/creditNote.ts';
import type { LockedInvoice } from '../aggregates/invoice.ts';
import { recomputeUsedCredit } from '../credit/creditBalance.ts';
import type { DocumentContent } from '../documents/content.ts';
import { earnings } from '../documents/earnings.ts';
import type { PreparedDocument } from '../documents/ids.ts';
import { type ComputedContent, computeContent, newRows } from '../documents/rows.ts';
import { replaceAttachments } from '../files/attachments.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';
import { ledger, type Posting, post } from '../kernel/posting.ts';
import { type CountedEvent, countEvent, recordCounted } from '../kernel/record.ts';
import { applyCredit, applyPayment, updateAfterBalanceChange } from '../payments/applying.ts';
import { newCreditPayment } from '../payments/creditPayments.ts';
import { recordPayment } from '../payments/paymentEvents.ts';
import { payOpenInvoices } from '../payments/spending.ts';
import { type Corrected, correctDraft, creditedBefore, refuseNegativeLines } from './correcting.ts';

/**
 * Use of a credit note at issue. An object: it pays `invoice`, or `reversed` in their order, and the rest goes to the credit balance. Null: it
 * stays open with its balance, like one of `POST /credit_notes` that corrects no invoice.
 */
export type Destination = { invoice: LockedInvoice | null; reversed?: readonly LockedInvoice[] } | null;

/** Fields of a new credit note besides its content. */
export interface CreditNoteHead {
  currency: string;
  name?: string | null;
  number?: string | null;
  /** Date of the document; absent: the time of issue. */
  date?: Date | null;
  purchaseOrder?: string | null;
  notes?: string | null;
  metadata?: Record<string, string>;
  isDraft?: boolean;
  isSent?: boolean;
  /** Why it may exceed what is left of its invoice. */
  forceReason?: string | null;
  /** Its balance is forfeited at once: it pays no open invoices. */
  isForfeited?: boolean;
  /** Ids of the files to attach. */
  fileIds?: number[];
  /** The corrected invoice. */
  invoice?: LockedInvoice | null;
  /** It takes late fees of the invoice back that are not owed. */
  isFeeReview?: boolean;
  /** The end of the early-payment discount of the invoice, which it grants. */
  earlyDiscountUntil?: Date;
}

export interface NewCreditNote extends CreditNoteHead {
  prepared: PreparedDocument;
  content: DocumentContent;
}

/** A written credit note without its number. */
export interface WrittenCreditNote {
  creditNote: CreditNote;
  lines: Line[];
  /** Its first event, which `numberCreditNote` records. */
  event: CountedEvent;
}

/**
 * Writes a credit note of a locked customer: row, lines, ledger entries and applications. `numberCreditNote` adds number and event at the end
 * of the transaction. A draft has no ledger entries and no applications. Without `rounding`, a credit note of an invoice gets that of
 * `correctDraft`. Refuses negative lines and totals.
 */
export async function writeCreditNote(
  em: EntityManager,
  locked: LockedCustomer,
  input: NewCreditNote & { destination: Destination; rounding?: Corrected['rounding'] | undefined },
): Promise<WrittenCreditNote> {
  const { invoice } = input.destination ?? {};
  const rounding =
    input.rounding ?? (invoice && correctDraft(input.content, await creditedBefore(em, invoice)).rounding);
  const how = { before: null, now: locked.moment.now };
  const computed = await computeContent(em, input.content, rounding ? { ...how, rounding } : how);
  return writeComputedNote(em, locked, { ...input, computed });
}

/** Writes a credit note whose amounts are already computed. */
export async function writeComputedNote(
  em: EntityManager,
  locked: LockedCustomer,
  input: CreditNoteHead & { prepared: PreparedDocument; computed: ComputedContent; destination: Destination },
): Promise<WrittenCreditNote> {
  const { now } = locked.moment;
  const { prepared, currency, computed } = input;
  refuseNegativeLines(computed.lines);
  const creditNote = newCreditNote(em, locked, input);
  const owner = { accountId: creditNote.accountId, currency, creditNote };
  const lines = newRows(em, owner, { lines: computed.lines, lineIds: prepared.lineIds, now });
  const { fileIds } = input;
  if (fileIds?.length) await replaceAttachments(em, locked.moment, { carrier: { creditNote }, fileIds });
  const { destination, isForfeited = false } = input;
  if (creditNote.issuedAt)
    await postAndApplyCreditNote(em, { ...locked, creditNote, lines }, { destination, isForfeited });
  return { creditNote, lines, event: countEvent('credit_note.created', creditNote) };
}

/**
 * Posts a newly issued credit note and applies it: to the invoice that it corrects, the rest to the credit balance. The credit note of a
 * negative bill has `destination` without an invoice: it pays what is open of the bills that it reverses first. What is left pays other open
 * invoices of the customer. The caller records its event.
 */
export async function postAndApplyCreditNote(
  em: EntityManager,
  locked: LockedCreditNote,
  { destination, isForfeited }: { destination: Destination; isForfeited: boolean },
): Promise<void> {
  const { creditNote, lines, customer } = locked;
  postCredited(em, postingOf(locked, 'issue'), { before: NONE, after: earnings({ lines, taxes: creditNote.taxes }) });
  customer.hasCredit = true;
  if (!isPositive(creditNote.total)) return;
  if (destination) await applyAtIssue(em, locked, destination);
  if (!isForfeited) await payOpenInvoices(em, locked, { currency: creditNote.currency, unrecorded: creditNote });
}

/** Applies the credit note by a payment without money: to the invoices up to their balances, the rest to the credit balance. */
async function applyAtIssue(
  em: EntityManager,
  locked: LockedCreditNote,
  { invoice, reversed = [] }: NonNullable<Destination>,
): Promise<void> {
  const { creditNote, customer, moment } = locked;
  const { currency, total: amount } = creditNote;
  const payment = await newCreditPayment(em, locked, { amount, currency, date: moment.now });
  const paid: LockedInvoice[] = [];
  const by = invoice ? {} : ({ reason: 'credit_applied' } as const);
  for (const one of invoice ? [invoice] : reversed) {
    if (!isPositive(one.invoice.balance) || !isPositive(creditNote.balance)) continue;
    applyPayment(em, one, { payment, parts: [{ type: 'credit_note', amount: creditNote.balance, creditNote }], ...by });
    paid.push(one);
  }
  const rest = creditNote.balance; // `applyPayment` took at most the balances of the invoices
  if (isPositive(rest)) applyCredit(em, moment, { payment, amount: rest, creditNote });
  updateCreditNoteStatus(creditNote, moment.now);
  await updateAfterBalanceChange(em, paid);
  if (isPositive(rest)) await recomputeUsedCredit(em, customer, [payment]);
  recordPayment(em, locked, { payment, charge: null, type: 'payment.created' });
}

/** Writes a credit note, takes the number of an issued one and records its event. The series stays locked until the commit. */
export async function numberCreditNote(
  em: EntityManager,
  locked: LockedCustomer,
  { creditNote, lines, event }: WrittenCreditNote,
): Promise<void> {
  await em.write();
  if (!creditNote.number && creditNote.issuedAt) await takeDocumentNumber(em, 'credit_note', creditNote);
  const object = creditNoteEventObject({ customer: locked.customer, creditNote, lines });
  const reason = creditNote.earlyDiscountUntil ? ('early_discount_earned' as const) : undefined;
  recordCounted(em, locked.moment, { event, subject: { type: 'credit_note', id: creditNote.id }, object, reason });
  await failpoint('credit_note.before_commit');
}

function newCreditNote(
  em: EntityManager,
  locked: LockedCustomer,
  input: CreditNoteHead & { prepared: PreparedDocument; computed: ComputedContent },
): CreditNote {
  const { account, now } = { account: locked.moment.caller.account, now: locked.moment.now };
  const { prepared, isDraft = false } = input;
  const { totals, discounts, taxes } = input.computed;
  const { subtotal, total } = totals;
  const paid = isZero(total) && !isDraft;
  return em.create(CreditNote, {
    accountId: account.id,
    id: prepared.id,
    customer: locked.customer,
    invoice: input.invoice?.invoice ?? null,
    forceReason: input.forceReason ?? null,
    lateFeeReview: input.isFeeReview ?? false,
    earlyDiscountUntil: input.earlyDiscountUntil ?? null,
    name: input.name ?? 'Credit Note',
    ...numbered(input.number ?? null),
    currency: input.currency,
    status: creditNoteStatus({ voided: false, draft: isDraft, closed: false, balance: total }),
    date: input.date ?? now,
    issuedAt: isDraft ? null : now,
    arrivedAt: isDraft ? null : (input.date ?? now),
    snapshot: prepared.snapshotId === null ? null : em.getReference(Snapshot, [account.id, prepared.snapshotId]),
    timeZone: account.timeZone,
    purchaseOrder: input.purchaseOrder ?? null,
    notes: input.notes ?? null,
    discounts,
    taxes,
    subtotal,
    total,
    balance: total,
    paid,
    closed: paid,
    sentAt: input.isSent ? now : null,
    metadata: input.metadata ?? {},
    createdAt: now,
    updatedAt: now,
  });
}

const NONE: ReadonlyMap<string, Money> = new Map();

/** The common fields of the ledger entries for a credit note itself. */
export function postingOf(locked: LockedCreditNote, reason: Posting['reason']): Posting {
  const { accountId, currency, id: creditNoteId, date: documentAt } = locked.creditNote;
  const about = { customerId: locked.customer.id, invoiceId: null, paymentId: null, creditNoteId };
  return { accountId, currency, reason, ...about, documentAt, postedAt: locked.moment.now };
}

/** Posts the difference between former and current amounts by ledger account: the revenue and tax that the credit note reverses. */
export function postCredited(
  em: EntityManager,
  posting: Posting,
  { before, after }: { before: ReadonlyMap<string, Money>; after: ReadonlyMap<string, Money> },
): void {
  const moves = [...new Set([...before.keys(), ...after.keys()])].map((account) => {
    const amount = subtract(after.get(account) ?? '0', before.get(account) ?? '0');
    if (!isNegative(amount)) return { debit: account, credit: ledger.creditNotes, amount };
    return { debit: ledger.creditNotes, credit: account, amount: negate(amount) };
  });
  post(em, posting, moves);
}
