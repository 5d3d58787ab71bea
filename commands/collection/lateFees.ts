import { LATE_FEE_LINE, type LateFeeHindrance, lateFeeStep, principalOf } from '../../billing/collection/lateFee.ts';
import { missedOf } from '../../billing/collection/paymentPlan.ts';
import { checkAmount, MOST_LINES } from '../../billing/limits.ts';
import { add, type Money, roundMoney, sum } from '../../billing/money/money.ts';
import { setting } from '../../billing/settings.ts';
import { localDay } from '../../billing/time/calendar.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Line } from '../../db/queries/documents/lines.ts';
import { feesSoFar, waivedFees } from '../../db/queries/invoices/lateFees.ts';
import { hasOpenDispute } from '../../db/queries/invoices/paidParts.ts';
import type { Invoice } from '../../db/schema/invoice.ts';
import { LateFee } from '../../db/schema/lateFee.ts';
import { LineItem } from '../../db/schema/lineItem.ts';
import { labelsOf } from '../../words/labels/words.ts';
import { lateFeeTermsOf, promisedUntil } from '../aggregates/collectionState.ts';
import { invoiceEventObject, type LockedInvoice, recordInvoice, updateInvoiceStatus } from '../aggregates/invoice.ts';
import { activePlanOf, addFeeToPlan } from '../aggregates/paymentPlan.ts';
import { prepareDocument, reservePartIds } from '../documents/ids.ts';
import { newLine } from '../documents/lines.ts';
import { numberInvoice, type WrittenInvoice, writeInvoice } from '../invoices/issuing.ts';
import { ledger, post } from '../kernel/posting.ts';

/** Name of a late fee in the customer's language. */
const lateFeeName = ({ customer, moment }: LockedInvoice): string =>
  labelsOf(customer.language ?? moment.caller.account.language).lateFee;

/** A line that charges a late fee or takes one back, without discounts and taxes. */
export const lateFeeLine = (locked: LockedInvoice, amount: Money) =>
  newLine({ type: LATE_FEE_LINE, name: lateFeeName(locked), unitCost: amount, discountable: false, taxable: false });

/** Sum of the late fees on the lines of an invoice. */
export function feesOnLines({ invoice, lines }: LockedInvoice): Money {
  const fees = lines.filter(({ type }) => type === LATE_FEE_LINE);
  return sum(
    fees.map(({ amount }) => amount),
    invoice.currency,
  );
}

/** A late fee step that was taken. */
export interface TakenLateFee {
  did: string;
  /** The invoice that charges the fee, without its number; null: none. */
  written: WrittenInvoice | null;
}

const HINDRANCES: Readonly<Record<LateFeeHindrance, string>> = {
  payment_pending: 'a payment is pending',
  promised: 'a payment of it is promised',
  disputed: 'a payment of it is disputed',
  charged_automatically: 'it is charged automatically',
};

/**
 * Takes the late fee step of a past-due invoice that is due at `dueAt`: charges the fee, postpones it, or ends. The caller plans the next
 * wake-up, then numbers the invoice that was written. The database refuses a second fee of the invoice for the same local day.
 */
export async function takeLateFee(
  em: EntityManager,
  locked: LockedInvoice,
  { dueAt, attemptUndecided }: { dueAt: number; attemptUndecided: boolean },
): Promise<TakenLateFee> {
  const { invoice } = locked;
  const { accountId, currency, id, timeZone: zone } = invoice;
  const accruedOn = localDay(dueAt, zone);
  const terms = isFeeItself(locked) ? null : await lateFeeTermsOf(em, accountId);
  const { charged, isRepeated } = await feesSoFar(em, { accountId, invoiceId: id, day: accruedOn });
  const hindrance = await hindranceOf(em, invoice, attemptUndecided);
  const { waived } = await waivedFees(em, { accountId, invoiceId: id });
  const principal = overduePrincipal(locked, { now: dueAt, waived });
  const step = lateFeeStep({ at: dueAt, zone, currency, terms, hindrance, principal, charged });
  invoice.lateFeeAt = step.nextAt === null ? null : new Date(step.nextAt);
  if (step.kind === 'postpone') return { did: `late fee postponed: ${HINDRANCES[step.reason]}`, written: null };
  if (step.kind === 'none' || !terms || isRepeated) return { did: 'no late fee', written: null };
  const written = isOnLine(locked) ? null : await writeFeeInvoice(em, locked, step.fee);
  if (!written) await addFeeLine(em, locked, step.fee);
  invoice.lastLateFeeAt = new Date(dueAt);
  em.create(LateFee, {
    accountId,
    invoice,
    feeInvoice: written?.invoice ?? null,
    accruedOn,
    accruedAt: new Date(dueAt),
    currency,
    principal,
    rate: terms.amount,
    isPercent: terms.isPercent,
    cap: terms.cap,
    amount: step.fee,
    createdAt: locked.moment.now,
  });
  return { did: `late fee of ${step.fee} ${currency}`, written };
}

/** Numbers the invoice of a late fee. Its series stays locked until the commit. */
export async function numberLateFee(em: EntityManager, locked: LockedInvoice, fee: TakenLateFee | null): Promise<void> {
  if (fee?.written) await numberInvoice(em, locked, fee.written);
}

async function hindranceOf(
  em: EntityManager,
  invoice: Invoice,
  attemptUndecided: boolean,
): Promise<LateFeeHindrance | null> {
  if (invoice.pending || attemptUndecided) return 'payment_pending';
  if (promisedUntil(invoice) !== null) return 'promised';
  if (invoice.nextPaymentAttemptAt && !activePlanOf(invoice)) return 'charged_automatically';
  const { accountId, id } = invoice;
  return (await hasOpenDispute(em, { accountId, invoiceId: id })) ? 'disputed' : null;
}

/** The overdue amount without earlier fees: of an active payment plan the missed installments, else the balance. `waived`: fees taken back. */
function overduePrincipal(locked: LockedInvoice, { now, waived }: { now: number; waived: Money }): Money {
  const { invoice } = locked;
  const { balance, timeZone: zone } = invoice;
  const fees = principalOf(feesOnLines(locked), waived);
  const installments = activePlanOf(invoice)?.installments;
  if (!installments) return principalOf(balance, fees);
  // The last installment has the fees.
  const last = missedOf(installments.slice(-1), { now, zone });
  const others = missedOf(installments.slice(0, -1), { now, zone });
  return add(others, principalOf(last, fees));
}

function isFeeItself({ lines }: LockedInvoice): boolean {
  return lines.every(({ type }) => type === LATE_FEE_LINE);
}

function isOnLine({ lines, moment }: LockedInvoice): boolean {
  return setting(moment.caller.account, 'late_fee_document') === 'line' && lines.length < MOST_LINES;
}

/** Adds the fee to the overdue invoice as a line without discounts and taxes, posts it, and adds it to the last installment. */
async function addFeeLine(em: EntityManager, locked: LockedInvoice, fee: Money): Promise<void> {
  const { invoice, lines, moment } = locked;
  const { accountId, currency, id: invoiceId, date: documentAt } = invoice;
  const before = invoiceEventObject(locked);
  const takeId = await reservePartIds(em, 1);
  const times = { createdAt: moment.now, updatedAt: moment.now };
  const elsewhere = { customer: null, estimate: null, creditNote: null, sweptAt: null, eventCount: 0 };
  const place = { accountId, currency, invoice, id: takeId(), position: lines.length };
  const amounts = { amount: fee, net: fee, discounts: [], taxes: [] };
  const line: Line = { ...elsewhere, ...lateFeeLine(locked, fee), ...amounts, ...place, ...times };
  em.append(LineItem, line);
  locked.lines = [...lines, line];
  for (const name of ['subtotal', 'total', 'balance'] as const) {
    invoice[name] = roundMoney(add(invoice[name], fee), currency);
    checkAmount(invoice[name], 'items');
  }
  addFeeToPlan(em, locked, fee);
  const about = { customerId: locked.customer.id, invoiceId, paymentId: null, documentAt, postedAt: moment.now };
  const move = { debit: ledger.receivable, credit: ledger.revenue(null), amount: fee };
  post(em, { accountId, currency, reason: 'late_fee', ...about }, [move]);
  updateInvoiceStatus(invoice, moment.now);
  recordInvoice(em, locked, { type: 'invoice.updated', before, reason: 'late_fee_accrued' });
}

/** Writes an invoice of the fee, which names the overdue one. */
async function writeFeeInvoice(em: EntityManager, locked: LockedInvoice, fee: Money): Promise<WrittenInvoice> {
  const { currency, number = null } = locked.invoice;
  const preparation = { table: 'invoice' as const, lines: 1, shipTo: null, isIssued: true, isTaxed: false };
  const prepared = await prepareDocument(em, locked, preparation);
  const lines = [{ ...lateFeeLine(locked, fee), description: number }];
  const content = { currency, lines, discounts: [], taxes: [] };
  return writeInvoice(em, locked, { currency, name: lateFeeName(locked), prepared, content });
}
