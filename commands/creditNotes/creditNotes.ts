import { whyUntaxed } from '../../billing/documents/tax.ts';
import type { ErrorCode } from '../../billing/errorCodes.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { EntityManager } from '../../db/orm.ts';
import { checkNumberFree } from '../accounts/numbering.ts';
import { type LockedCreditNote, updateCreditNoteStatus } from '../aggregates/creditNote.ts';
import { type LockedInvoice, lockInvoices } from '../aggregates/invoice.ts';
import { forfeitCreditNote } from '../aggregates/writeOff.ts';
import { buildContent, type DocumentContent, type RequestedContent } from '../documents/content.ts';
import { prepareDocument } from '../documents/ids.ts';
import type { Caller } from '../kernel/caller.ts';
import { type LockedCustomer, lockNamedCustomer } from '../kernel/lockedCustomer.ts';
import { type Corrected, correct, correctDraft, creditedBefore, nameOf } from './correcting.ts';
import { creditExcess } from './excess.ts';
import { type CreditNoteHead, numberCreditNote, writeCreditNote } from './issuing.ts';

export interface RequestedCreditNote extends Omit<CreditNoteHead, 'currency' | 'invoice'> {
  caller: Caller;
  customerId: number;
  /** The invoice that it corrects; null: none. */
  invoiceId: number | null;
  /** Null: the invoice's currency, else the customer's, else the account's. */
  currency: string | null;
  content: RequestedContent;
  /** False: the document gets no tax rates, and the request may name none. */
  calculateTaxes?: boolean;
}

/**
 * Issues a credit note by request, or creates a draft. A credit note for an invoice is applied to the invoice first, and the rest goes to
 * the credit balance. A credit note without an invoice stays open until it is applied. Refuses content that `createInvoice` refuses,
 * negative lines, an invoice that `lockCorrected` refuses, and an amount that `correct` refuses.
 */
export async function createCreditNote(
  em: EntityManager,
  input: RequestedCreditNote,
  systemNow: Date,
): Promise<LockedCreditNote> {
  const locked = await lockNamedCustomer(em, input, systemNow);
  const { account } = input.caller;
  const { isDraft = false, isForfeited = false } = input;
  if (isDraft && isForfeited)
    throw new Refusal('state_conflict', 'A draft cannot be closed: it credits nothing yet', 'closed');
  if (isDraft && input.isSent) throw new Refusal('state_conflict', 'A draft cannot be sent: issue it first', 'sent');
  if (input.number) await checkNumberFree(em, 'credit_note', { accountId: account.id, number: input.number });
  const asked = input.currency;
  const invoice = input.invoiceId === null ? null : await lockCorrected(em, locked, { id: input.invoiceId, asked });
  const currency = asked ?? invoice?.invoice.currency ?? locked.customer.currency ?? account.currency;
  const untaxed = whyUntaxed(locked.customer, input.calculateTaxes ?? true);
  const prepared = await prepareDocument(em, locked, {
    table: 'credit_note',
    lines: input.content.lines?.length ?? 0,
    shipTo: invoice?.invoice.shipTo ?? null,
    isIssued: !isDraft,
    isTaxed: untaxed === null,
  });
  const content = await buildContent(em, locked, {
    requested: input.content,
    currency,
    before: null,
    untaxed,
    redeemer: { type: 'credit_note', id: prepared.id },
    automaticRates: prepared.automaticRates,
  });
  const corrected =
    invoice && (await correctNew(em, invoice, { content, isDraft, isForced: Boolean(input.forceReason) }));
  const written = await writeCreditNote(em, locked, {
    ...input,
    currency,
    invoice,
    prepared,
    content: corrected?.content ?? content,
    rounding: corrected?.rounding,
    destination: invoice && { invoice },
  });
  if (isForfeited) {
    forfeitCreditNote(em, locked.moment, written.creditNote);
    updateCreditNoteStatus(written.creditNote, locked.moment.now);
  }
  const issued = { ...locked, ...written };
  if (corrected?.excess) await creditExcess(em, issued, corrected.excess);
  await numberCreditNote(em, locked, written);
  return issued;
}

async function correctNew(
  em: EntityManager,
  invoice: LockedInvoice,
  { content, isDraft, isForced }: { content: DocumentContent; isDraft: boolean; isForced: boolean },
): Promise<Corrected> {
  const of = await creditedBefore(em, invoice);
  return isDraft ? correctDraft(content, of) : correct(content, of, { isForced, name: nameOf(invoice) });
}

/** The reason to store; null: it is not forced. Refuses one without the other. */
export function forceReasonOf({ isForced, reason }: { isForced: boolean; reason: string | null }): string | null {
  if (isForced && !reason) {
    throw new Refusal(
      'parameter_missing',
      'Reason missing: force needs a reason, which the credit adjustment of the excess will have',
      'reason',
    );
  }
  if (!isForced && reason)
    throw new Refusal('parameter_invalid', 'A reason has an effect only with force: true', 'reason');
  return reason;
}

/**
 * Locks the invoice that a credit note corrects. Refuses an invoice of another customer or in another currency, a draft, and an invoice
 * that is voided or written off.
 */
export async function lockCorrected(
  em: EntityManager,
  locked: LockedCustomer,
  { id, asked }: { id: number; asked: string | null },
): Promise<LockedInvoice> {
  const [found] = await lockInvoices(em, locked, [id]);
  const refuse = (code: ErrorCode, message: string): never => {
    throw new Refusal(code, message, 'invoice');
  };
  if (!found || found.invoice.customer.id !== locked.customer.id)
    return refuse('resource_missing', `Invoice was not found: ${id}`);
  const { invoice } = found;
  const name = `Invoice ${invoice.number ?? id}`;
  if (invoice.status === 'draft') return refuse('state_conflict', `${name} is a draft: change it instead`);
  if (invoice.status === 'voided') return refuse('state_conflict', `${name} is voided`);
  if (invoice.writtenOffAt) return refuse('state_conflict', `${name} is closed: reopen it first`);
  if (asked !== null && asked !== invoice.currency) {
    const { currency } = invoice;
    return refuse('currency_mismatch', `${name} is in ${currency}, not ${asked}: its credit notes are in ${currency}`);
  }
  return found;
}
