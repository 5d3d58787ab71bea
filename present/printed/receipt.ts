import { refundedOf } from '../../billing/documents/receipt.ts';
import { isPositive, isZero, subtract, sum } from '../../billing/money/money.ts';
import { isCredit } from '../../billing/payments/credit.ts';
import type { AppliedSums } from '../../db/queries/documents/printed.ts';
import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { ChargedSource, RefundCopy } from '../../db/schema/charge.ts';
import type { Payment } from '../../db/schema/payment.ts';
import type { ApplicationType } from '../../db/schema/paymentApplication.ts';
import type { Labels } from '../../words/labels/wording.ts';
import { fill } from '../../words/text.ts';
import { type Addressed, documentUrl } from '../kernel/links.ts';
import { unix } from '../kernel/values.ts';
import type { PrintedDocument, PrintedFact, PrintedLine, PrintedSum } from './document.ts';
import { type Between, headOf, labelsOfPages, type Pen, penFor } from './head.ts';
import { discountsOf, furtherLine } from './lines.ts';
import { sumRows } from './sums.ts';
import { taxName } from './taxes.ts';
import { only } from './template.ts';

type Parties = Pick<Between, 'seller' | 'buyer' | 'language' | 'timeZone' | 'isTest'>;

/** The facts that the PDF of a receipt depends on. */
export interface PrintableReceipt extends Parties {
  payment: Pick<Plain<Payment>, (typeof printedOfPayment)[number]> & { receiptNumber?: string | undefined };
  source: Pick<ChargedSource, (typeof printedOfSource)[number]> | null;
  applied: readonly Applied[];
  /** The sum of the refunds that have succeeded; null: none. */
  refunded: string | null;
  /** The convenience fee. Unset: none. */
  convenienceFee?: string | undefined;
  /** The refunds that have succeeded, oldest first. Unset: none. */
  refunds?: readonly { amount: string; createdAt: number }[] | undefined;
  /** Its public page. */
  address?: Addressed | undefined;
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
  /** The invoice that it pays. Unset: it pays none. */
  invoice?: ReceiptInvoice | undefined;
  /** How the lines of that invoice come to its total. Unset: not known. */
  sums?: AppliedSums | undefined;
}

/** An invoice on a receipt. */
export interface ReceiptInvoice {
  total: string;
  /** All its taxes, contained in the total. */
  tax: string;
  /** Its first lines. */
  lines: readonly { name: string | null; description: string | null; amount: string }[];
  /** Number of all its lines. */
  count: number;
}

const printedOfPayment = ['id', 'date', 'currency', 'amount', 'balance', 'method', 'reference'] as const;
const printedOfSource = ['brand', 'bankName', 'last4'] as const;

/** The rows of a receipt. `convenienceFee`: that of its charge; zero: it has no fee. */
interface ReceiptParts {
  payment: Plain<Payment>;
  source: ChargedSource | null;
  applied: readonly Applied[];
  refunds: readonly RefundCopy[];
  convenienceFee: string;
}

/** Selects the fields of the rows that are printed. Changes of other fields do not change the receipt. */
export function printableReceipt(
  { payment, source, applied, refunds, convenienceFee }: ReceiptParts,
  between: Parties,
): PrintableReceipt {
  const refunded = refundedOf(refunds, payment.currency);
  const { accountId, id, token } = payment;
  const given = refunds.filter(({ status }) => status === 'succeeded');
  return {
    ...between,
    // Receipts from before the numbers keep their content.
    payment: { ...only(payment, printedOfPayment), receiptNumber: payment.receiptNumber ?? undefined },
    source: source && only(source, printedOfSource),
    applied,
    refunded: isZero(refunded) ? null : refunded,
    convenienceFee: isZero(convenienceFee) ? undefined : convenienceFee,
    refunds:
      given.length > 0
        ? given.map(({ amount, date, createdAt }) => ({ amount, createdAt: date ?? createdAt }))
        : undefined,
    address: { accountId, id, token },
  };
}

/**
 * The facts by which earlier versions named the stored PDF of the same content: those before sums of invoices, and those before the
 * accounting details.
 */
export function earlierReceipt(printable: PrintableReceipt): object[] {
  const withoutSums = printable.applied.map(({ sums: _, ...application }) => application);
  const { refunds: __, address: ___, isTest: ____, ...facts } = printable;
  const applied = withoutSums.map(({ invoice: _____, ...application }) => application);
  return [
    { ...printable, applied: withoutSums },
    { ...facts, applied },
  ];
}

/** The printed receipt of a payment. */
export function printReceipt(printable: PrintableReceipt): PrintedDocument {
  const { payment, source, applied, refunded, refunds, convenienceFee, address, ...between } = printable;
  const about: Between = { ...between, currency: payment.currency };
  const pen = penFor(about);
  const { labels, formats } = pen;
  const number = payment.receiptNumber ?? String(payment.id);
  const head = headOf(about, pen);
  const sums = sumsOf({ payment, applied, refunded, refunds }, pen);
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
    figure: { label, value, note: formats.day(payment.date), isLate: false },
    facts: factsOf(payment, source, pen),
    columns: { description: labels.appliedTo, quantity: null, unitCost: null, amount: labels.amount },
    lines: [
      ...applied.map((application) => appliedLine(application, pen)),
      ...(convenienceFee === undefined ? [] : [lineOf(labels.convenienceFee, formats.money(convenienceFee))]),
    ],
    sums,
    notes: [],
    transfer: null,
    links: address ? [{ label: pen.accounting.viewOnline, href: documentUrl('payment', address) }] : [],
    labels: labelsOfPages(pen),
  };
}

/** A line of a receipt. */
function lineOf(name: string, amount: string, details: string[] = []): PrintedLine {
  return { name, details, discounts: [], quantity: null, unitCost: null, amount, carried: '' };
}

/** An application, with the lines, the total and the tax of the invoice that it pays. */
function appliedLine(application: Applied, pen: Pen): PrintedLine {
  const { labels, formats } = pen;
  const { invoice, sums, amount } = application;
  const details = invoice ? invoiceDetails(invoice, sums, pen) : [];
  return lineOf(appliedName(application, labels), formats.money(amount), details);
}

/** The first lines of an invoice with their discounts, the others as one, and how they come to its total. */
function invoiceDetails(invoice: ReceiptInvoice, sums: AppliedSums | undefined, pen: Pen): string[] {
  const { labels, formats, accounting, own } = pen;
  const { lines, count, total, tax } = invoice;
  const said = ({ label, value }: PrintedFact) => `${label}: ${value}`;
  const shown = lines.flatMap(({ name, description, amount }, index) => {
    const label = own(name ?? description?.split('\n')[0] ?? labels.description);
    return [{ label, value: formats.money(amount) }, ...discountsOf(sums?.lineDiscounts[index] ?? [], pen)];
  });
  const rest = furtherLine({ count: count - lines.length, amount: sums?.further ?? '0' }, pen);
  const words = isPositive(tax) ? accounting.invoiceTotalWithTax : accounting.invoiceTotal;
  return [
    ...shown.map(said),
    ...rest.map(({ name, amount }) => (sums ? said({ label: name, value: amount }) : name)),
    ...(sums ? toTotal(sums, total, pen).map(said) : []),
    fill(words, { total: formats.money(total), tax: formats.money(tax) }),
  ];
}

/** The sums between the lines of an invoice and its total. */
function toTotal(sums: AppliedSums, total: string, pen: Pen): PrintedSum[] {
  const taxes = sums.taxes.map(({ taxRate, amount }) => {
    return { name: taxName({ taxRate }, pen), amount, inclusive: taxRate?.inclusive ?? false };
  });
  const all = sumRows({ ...sums, taxes, net: total, total }, pen);
  return all.slice(
    0,
    all.findIndex(({ weight }) => weight === 'total'),
  );
}

/** The sums of a receipt. Only money counts as received, because applied credit came from earlier payments or credit notes. */
function sumsOf(
  { payment, applied, refunded, refunds }: Pick<PrintableReceipt, 'payment' | 'applied' | 'refunded' | 'refunds'>,
  { labels, formats, accounting }: Pen,
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
    ...(refunds ?? []).map(({ amount, createdAt }) => {
      const day = formats.day(new Date(createdAt * 1000));
      return plain(fill(accounting.refundOf, { day }), formats.less(amount));
    }),
    ...(refunded === null || refunds?.length === 1 ? [] : [plain(labels.refunded, formats.less(refunded))]),
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
