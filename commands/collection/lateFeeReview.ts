import { feesOwed } from '../../billing/collection/lateFee.ts';
import { add, amountText, isPositive, type Money, minimum, roundMoney, subtract } from '../../billing/money/money.ts';
import type { EntityManager } from '../../db/orm.ts';
import { recordedPayments, waivedFees } from '../../db/queries/invoices/lateFees.ts';
import { LateFee } from '../../db/schema/lateFee.ts';
import { type LockedInvoice, lockInvoices } from '../aggregates/invoice.ts';
import { numberCreditNote, type WrittenCreditNote, writeCreditNote } from '../creditNotes/issuing.ts';
import { prepareDocument } from '../documents/ids.ts';
import { feesOnLines, lateFeeLine } from './lateFees.ts';

/** A review of the late fees of an invoice. */
export interface LateFeeReview {
  did: string;
  /** The credit notes that take fees back, without their numbers. */
  written: WrittenCreditNote[];
}

/**
 * Computes the late fees of an invoice again, because a payment from before one of them has come. Takes back the parts that are not owed, by
 * credit notes. Parts that earlier reviews took back count. Takes back no more than the fees that the invoice has and nobody waived. The caller
 * plans the next wake-up, then numbers the credit notes.
 */
export async function reviewLateFees(em: EntityManager, locked: LockedInvoice): Promise<LateFeeReview> {
  const { invoice } = locked;
  const { accountId, id: invoiceId, currency } = invoice;
  invoice.lateFeeReviewAt = null;
  const written: WrittenCreditNote[] = [];
  let total: Money = '0';
  for (const [id, excess] of await excessOf(em, invoice)) {
    const [target] = id === invoiceId ? [locked] : await lockInvoices(em, locked, [id]);
    if (!target) continue;
    const { waived, reviewed } = await waivedFees(em, { accountId, invoiceId: id });
    const left = minimum(subtract(excess, reviewed), subtract(feesOnLines(target), waived));
    if (!isPositive(left) || target.invoice.voidedAt || target.invoice.writtenOffAt) continue;
    written.push(await writeNote(em, target, roundMoney(left, currency)));
    total = add(total, left);
  }
  const did = isPositive(total) ? `late fees of ${amountText(total, currency)} taken back` : 'late fees stay';
  return { did, written };
}

/** Numbers the credit notes of a review. Their series stays locked until the commit. */
export async function numberReview(em: EntityManager, locked: LockedInvoice, review: LateFeeReview): Promise<void> {
  for (const note of review.written) await numberCreditNote(em, locked, note);
}

/** The parts of the fees that are not owed, by the invoice that charges them. */
async function excessOf(em: EntityManager, invoice: LockedInvoice['invoice']): Promise<Map<number, Money>> {
  const { accountId, id } = invoice;
  const fees = await em.find(LateFee, { accountId, invoice: [accountId, id] }, { orderBy: { accruedOn: 'asc' } });
  const payments = await recordedPayments(em, { accountId, invoiceId: id });
  const owed = feesOwed(
    fees.map(({ accruedAt, createdAt, principal, rate, isPercent, cap = null, currency, amount }) => {
      const times = { at: accruedAt.getTime(), recordedAt: createdAt.getTime() };
      return { ...times, principal, amount: rate, isPercent, cap, currency, fee: amount };
    }),
    payments,
  );
  const excess = new Map<number, Money>();
  for (const [index, fee] of fees.entries()) {
    const chargedBy = fee.feeInvoice?.id ?? id;
    excess.set(chargedBy, add(excess.get(chargedBy) ?? '0', subtract(fee.amount, owed[index] ?? fee.amount)));
  }
  return excess;
}

async function writeNote(em: EntityManager, locked: LockedInvoice, amount: Money): Promise<WrittenCreditNote> {
  const { currency } = locked.invoice;
  const preparation = { table: 'credit_note' as const, lines: 1, shipTo: null, isIssued: true, isTaxed: false };
  const prepared = await prepareDocument(em, locked, preparation);
  const content = { currency, lines: [lateFeeLine(locked, amount)], discounts: [], taxes: [] };
  const about = { invoice: locked, destination: { invoice: locked }, isFeeReview: true };
  return writeCreditNote(em, locked, { currency, ...about, prepared, content });
}
