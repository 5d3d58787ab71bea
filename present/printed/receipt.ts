import { isCredit } from '../../billing/credit.ts';
import { isZero, subtract, sum } from '../../billing/money.ts';
import { refundedOf } from '../../billing/refunded.ts';
import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { ChargedSource, RefundOfCharge } from '../../db/schema/charge.ts';
import type { Payment } from '../../db/schema/payment.ts';
import type { ApplicationType } from '../../db/schema/paymentApplication.ts';
import { unix } from '../kernel/values.ts';
import type { PrintedDocument, PrintedFact, PrintedLine, PrintedSum } from './document.ts';
import { type Between, headOf, labelsOfPages, type Pen, penFor } from './head.ts';
import { fill } from './labels.ts';
import { only } from './only.ts';
import type { Labels } from './wording.ts';

/** The facts that the PDF of a receipt depends on. */
export interface PrintableReceipt extends Pick<Between, 'seller' | 'buyer' | 'language' | 'timeZone'> {
  payment: Pick<Plain<Payment>, (typeof printedOfPayment)[number]>;
  source: Pick<ChargedSource, (typeof printedOfSource)[number]> | null;
  applied: readonly Applied[];
  /** The sum of the refunds that have succeeded; null: none. */
  refunded: string | null;
  /** The convenience fee. Unset: none. */
  convenienceFee?: string | undefined;
}

/** One application of a payment. */
export interface Applied {
  type: ApplicationType;
  amount: string;
  /** Number of the document that it pays. */
  number: string | null;
  /** True if the document is an estimate. Unset for an invoice. */
  isEstimate?: true | undefined;
  /** Number of the credit note that pays instead of money; null if none does. */
  creditNote: string | null;
}

const printedOfPayment = ['id', 'date', 'currency', 'amount', 'balance', 'method', 'reference'] as const;
const printedOfSource = ['brand', 'bankName', 'last4'] as const;

/** The rows of a receipt. `refunds` and `convenienceFee`: those of its charge; zero: it has no fee. */
interface ReceiptParts {
  payment: Plain<Payment>;
  source: ChargedSource | null;
  applied: readonly Applied[];
  refunds: readonly RefundOfCharge[];
  convenienceFee: string;
}

/** Selects the fields of the rows that are printed. Changes of other fields do not change the receipt. */
export function printableReceipt(
  { payment, source, applied, refunds, convenienceFee }: ReceiptParts,
  between: Pick<Between, 'seller' | 'buyer' | 'language' | 'timeZone'>,
): PrintableReceipt {
  const refunded = refundedOf(refunds, payment.currency);
  return {
    ...between,
    payment: only(payment, printedOfPayment),
    source: source && only(source, printedOfSource),
    applied,
    refunded: isZero(refunded) ? null : refunded,
    convenienceFee: isZero(convenienceFee) ? undefined : convenienceFee,
  };
}

/** The printed receipt of a payment. */
export function printReceipt(printable: PrintableReceipt): PrintedDocument {
  const { payment, source, applied, refunded, convenienceFee, ...between } = printable;
  const about: Between = { ...between, currency: payment.currency };
  const pen = penFor(about);
  const { labels, formats } = pen;
  const number = String(payment.id);
  const head = headOf(about, pen);
  const sums = sumsOf({ payment, applied, refunded }, pen);
  const { label, value } = sums.find(({ weight }) => weight === 'balance') ?? { label: '', value: '' };
  return {
    kind: 'receipt',
    ...head,
    title: labels.receipt,
    number,
    heading: `${labels.receipt} ${number}`,
    parties: head.parties.map((party) => ({ ...party, label: labels.receivedFrom })),
    date: unix(payment.date),
    mark: null,
    figure: { label, value, note: formats.day(payment.date) },
    facts: factsOf(payment, source, pen),
    columns: { description: labels.appliedTo, quantity: null, unitCost: null, amount: labels.amount },
    lines: [
      ...applied.map((application) => lineOf(appliedName(application, labels), formats.money(application.amount))),
      ...(convenienceFee === undefined ? [] : [lineOf(labels.convenienceFee, formats.money(convenienceFee))]),
    ],
    sums,
    notes: [],
    labels: labelsOfPages(pen),
  };
}

/** A line of a receipt. */
function lineOf(name: string, amount: string): PrintedLine {
  return { name, details: [], quantity: null, unitCost: null, amount, carried: '' };
}

/** The sums of a receipt. Only money counts as received, because applied credit came from earlier payments or credit notes. */
function sumsOf(
  { payment, applied, refunded }: Pick<PrintableReceipt, 'payment' | 'applied' | 'refunded'>,
  { labels, formats }: Pen,
): PrintedSum[] {
  const { amount, balance, currency } = payment;
  const credit = sum(
    applied.filter(isCreditSpent).map((application) => application.amount),
    currency,
  );
  const plain = (label: string, value: string) => ({ label, value, weight: 'plain' as const });
  const received = formats.money(subtract(amount, credit));
  return [
    ...(isZero(balance) ? [] : [plain(labels.unapplied, formats.money(balance))]),
    ...(isZero(credit)
      ? []
      : [plain(labels.amountPaid, formats.money(amount)), plain(labels.paidWithCredits, formats.less(credit))]),
    { label: labels.amountReceived, value: received, weight: 'balance' },
    ...(refunded === null ? [] : [plain(labels.refunded, formats.less(refunded))]),
  ];
}

function isCreditSpent({ type, creditNote }: Applied): boolean {
  return isCredit({ type, amount: '0', creditNoteId: creditNote === null ? null : 0 });
}

function appliedName({ type, number, isEstimate, creditNote }: Applied, labels: Labels): string {
  const kind = isEstimate ? `${labels.deposit}: ${labels.estimate}` : labels.invoice;
  const document = number ? `${kind} ${number}` : kind;
  const target = type === 'credit' ? labels.addedToCredit : document;
  if (creditNote !== null) return `${labels.creditNote} ${creditNote}: ${target}`;
  return type === 'applied_credit' || type === 'deposit' ? `${labels.paidWithCredit}: ${target}` : target;
}

function factsOf(
  payment: PrintableReceipt['payment'],
  source: PrintableReceipt['source'],
  { labels, formats, own }: Pen,
): PrintedFact[] {
  const name = source ? (source.brand ?? source.bankName ?? labels.methods[payment.method] ?? payment.method) : null;
  const method =
    source && name
      ? fill(labels.endingIn, { name: capitalised(name), digits: source.last4 })
      : (labels.methods[payment.method] ?? payment.method);
  return [
    { label: labels.date, value: formats.day(payment.date) },
    { label: labels.method, value: method },
    ...(payment.reference ? [{ label: labels.reference, value: own(payment.reference) }] : []),
  ];
}

function capitalised(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
