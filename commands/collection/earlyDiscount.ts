import { smallDifference } from '../../billing/collection/writeOff.ts';
import type { AppliedTax } from '../../billing/documents/document.ts';
import {
  discountParts,
  discountValue,
  type EarlyDiscount,
  includedDiscount,
  isEarned,
  offerOf,
} from '../../billing/documents/earlyDiscount.ts';
import { add, amountText, compare, roundMoney, subtract, sum, zero } from '../../billing/money/money.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { EntityManager } from '../../db/orm.ts';
import { lastShortPayment } from '../../db/queries/invoices/lateFees.ts';
import { paidInTime } from '../../db/queries/invoices/paidParts.ts';
import { CreditNote } from '../../db/schema/creditNote.ts';
import { PaymentApplication } from '../../db/schema/paymentApplication.ts';
import { labelsOf } from '../../words/labels/words.ts';
import { writeOffsOf } from '../aggregates/badDebt.ts';
import { invoiceEventObject, type LockedInvoice, recordInvoice, updateInvoiceStatus } from '../aggregates/invoice.ts';
import { reopen, toleranceOf, writeOffDifference } from '../aggregates/writeOff.ts';
import { type WrittenCreditNote, writeComputedNote } from '../creditNotes/issuing.ts';
import { voidCreditNote } from '../creditNotes/voiding.ts';
import { earnings, postDifference } from '../documents/earnings.ts';
import { prepareDocument, reservePartIds } from '../documents/ids.ts';
import { newLine } from '../documents/lines.ts';
import type { ComputedContent } from '../documents/rows.ts';
import { removeEarlyDiscount } from '../invoices/earlyDiscount.ts';
import { voidPayment } from '../payments/payments.ts';
import { feesOnLines } from './lateFees.ts';

/** A decision about an early-payment discount, with the credit notes that it wrote, without their numbers. */
interface DiscountReview {
  did: string;
  written: WrittenCreditNote[];
}

/** Drops the early-payment discount of an invoice that was not paid in time: total, taxes and balance rise, with ledger entries and event. */
export async function dropDiscount(em: EntityManager, locked: LockedInvoice): Promise<string> {
  const { invoice, moment } = locked;
  const { accountId, currency, date: documentAt, id: invoiceId, total } = invoice;
  const before = invoiceEventObject(locked);
  const earned = earnings({ lines: locked.lines, taxes: invoice.taxes });
  await removeEarlyDiscount(em, locked);
  const about = { customerId: locked.customer.id, invoiceId, paymentId: null, documentAt, postedAt: moment.now };
  const posting = { accountId, currency, reason: 'early_discount' as const, ...about };
  postDifference(em, posting, { before: earned, after: earnings({ lines: locked.lines, taxes: invoice.taxes }) });
  if (invoice.paid) reopen(locked);
  updateInvoiceStatus(invoice, moment.now);
  recordInvoice(em, locked, { type: 'invoice.updated', before, reason: 'early_discount_ended' });
  return `early-payment discount of ${amountText(subtract(invoice.total, total), currency)} dropped`;
}

/**
 * Decides again about the early-payment discount of an invoice, because money came or was taken back. One on the document is dropped if the
 * money came too late. One that is not is granted by a credit note when it is earned, and taken back when it no longer is. The database refuses
 * a second credit note. The caller plans the next wake-up, then numbers the credit note.
 */
export async function reviewDiscount(em: EntityManager, locked: LockedInvoice): Promise<DiscountReview> {
  const review = await decideDiscount(em, locked);
  await settleDifference(em, locked);
  return review;
}

async function decideDiscount(em: EntityManager, locked: LockedInvoice): Promise<DiscountReview> {
  const { invoice } = locked;
  invoice.discountReviewAt = null;
  if (invoice.voidedAt || invoice.writtenOffAt) return { did: 'no early-payment discount', written: [] };
  const included = includedDiscount(invoice.discounts);
  const offer = included ? { percent: included.percent, endsAt: included.expiresAt } : offerOf(invoice);
  const note = await noteOf(em, invoice);
  const isKept = offer !== null && (await isEarnedBy(em, locked, { ...offer, isIncluded: included !== null }));
  if (included) return { did: isKept ? 'early-payment discount kept' : await dropDiscount(em, locked), written: [] };
  if (isKept && offer && !note) return grant(em, locked, offer);
  if (!isKept && note) return takeBack(em, locked, note);
  if (note && offer) note.earlyDiscountUntil = new Date(offer.endsAt);
  return { did: note ? 'early-payment discount stays' : 'no early-payment discount', written: [] };
}

/** Writes off what the last payment left of an invoice whose discount is decided, if that is a small difference. */
async function settleDifference(em: EntityManager, locked: LockedInvoice): Promise<void> {
  const { invoice, moment } = locked;
  const { accountId, id: invoiceId } = invoice;
  const payment = invoice.closed ? null : await lastShortPayment(em, { accountId, invoiceId });
  if (!payment) return;
  const before = invoiceEventObject(locked);
  if (!writeOffDifference(em, locked, { payment, paid: payment.paid })) return;
  updateInvoiceStatus(invoice, moment.now);
  recordInvoice(em, locked, { type: 'invoice.paid', before });
}

/** The credit note that grants the discount of an invoice; null: there is none. */
function noteOf(em: EntityManager, { accountId, id }: LockedInvoice['invoice']): Promise<CreditNote | null> {
  const of = {
    accountId,
    invoice: [accountId, id] as const,
    earlyDiscountUntil: { $ne: null },
    voidedAt: null,
    deletedAt: null,
  };
  return em.findOne(CreditNote, of);
}

async function isEarnedBy(
  em: EntityManager,
  locked: LockedInvoice,
  { percent, endsAt, isIncluded }: { percent: string; endsAt: number; isIncluded: boolean },
): Promise<boolean> {
  const { accountId, id: invoiceId, total } = locked.invoice;
  const arrived = await paidInTime(em, { accountId, invoiceId, endsAt: new Date(endsAt) });
  const differences = writeOffsOf(locked.invoice).filter(({ kind }) => kind === 'difference');
  const paid = add(arrived, ...differences.map(({ amount }) => amount));
  const value = discountValue(documentOf(locked), percent);
  // The total of a document with its discount is without it already.
  const full = isIncluded ? add(total, value) : total;
  const fees = feesOnLines(locked);
  const needed = subtract(subtract(full, fees), value);
  const isShort = smallDifference(subtract(needed, paid), { tolerance: toleranceOf(locked), paid }) !== null;
  return isEarned({ total: full, fees, value, paidInTime: isShort ? needed : paid });
}

const documentOf = ({ invoice, lines }: LockedInvoice) => {
  const { currency, discounts, taxes } = invoice;
  return { currency, lines, discounts, taxes };
};

/** Grants the discount by a credit note, which pays the rest of the invoice; what is more goes to the credit balance. */
async function grant(
  em: EntityManager,
  locked: LockedInvoice,
  { percent, endsAt }: EarlyDiscount,
): Promise<DiscountReview> {
  const { customer, invoice, moment } = locked;
  const { currency } = invoice;
  const { earlyDiscount: name } = labelsOf(customer.language ?? moment.caller.account.language);
  const { revenue, taxes, total } = discountParts(documentOf(locked), percent);
  const own = revenue.flatMap((part) => part.taxes);
  const takeId = await reservePartIds(em, taxes.length + own.length);
  const applied = (all: readonly AppliedTax[]) =>
    all.map((tax) => ({ ...tax, id: takeId(), updatedAt: moment.now.getTime() }));
  const taxTotal = sum(
    [...taxes, ...own].map(({ amount }) => amount),
    currency,
  );
  const subtotal = roundMoney(subtract(total, taxTotal), currency);
  const computed: ComputedContent = {
    totals: { lines: [], discounts: [], taxes: [], subtotal, discountTotal: zero(currency), taxTotal, total },
    lines: revenue.map(({ glAccount, amount, net, taxes: named }) => {
      return { ...newLine({ name, glAccount, unitCost: amount }), amount, net, discounts: [], taxes: applied(named) };
    }),
    discounts: [],
    taxes: applied(taxes),
  };
  const of = { lines: revenue.length, shipTo: null, isIssued: true, isTaxed: false };
  const prepared = await prepareDocument(em, locked, { table: 'credit_note', ...of });
  const about = { invoice: locked, destination: { invoice: locked }, earlyDiscountUntil: new Date(endsAt) };
  const written = [await writeComputedNote(em, locked, { currency, ...about, prepared, computed })];
  invoice.discountReviewAt = null; // the credit note decides nothing
  return { did: `early-payment discount of ${amountText(total, currency)} granted`, written };
}

/** Takes a granted discount back: voids the payment by which the credit note was applied, then the credit note. Refuses one that money was added to. */
async function takeBack(em: EntityManager, locked: LockedInvoice, note: CreditNote): Promise<DiscountReview> {
  const { accountId, id, number, total, currency } = note;
  const { caller, systemNow } = locked.moment;
  await em.write();
  const applied = await em.find(PaymentApplication, { accountId, creditNote: note }, { populate: ['payment'] });
  const payments = [...new Set(applied.map(({ payment }) => payment))];
  const mixed = payments.find(({ amount, credit }) => compare(amount, credit) !== 0);
  if (mixed) {
    const why = `payment ${mixed.id} applies credit note ${number} together with other money`;
    throw new Refusal('state_conflict', `The early-payment discount cannot be taken back: ${why}`);
  }
  for (const payment of payments) await voidPayment(em, { caller, id: payment.id }, systemNow);
  await voidCreditNote(em, { caller, id }, systemNow);
  locked.invoice.discountReviewAt = null;
  return { did: `early-payment discount of ${amountText(total, currency)} taken back`, written: [] };
}
