import { isZero } from '../../billing/money.ts';
import type { Plain } from '../../db/queries/plain.ts';
import type { ChargedSource } from '../../db/schema/charge.ts';
import type { Payment } from '../../db/schema/payment.ts';
import type { ApplicationType } from '../../db/schema/paymentApplication.ts';
import { unix } from '../values.ts';
import type { PrintedDocument, PrintedFact } from './document.ts';
import { type Between, headOf, labelsOfPages, type Pen, penFor } from './head.ts';
import { fill, type Labels } from './labels.ts';
import { marks } from './marks.ts';
import { only } from './only.ts';

/** What is printed of a payment. */
export interface PrintableReceipt extends Pick<Between, 'seller' | 'buyer' | 'language' | 'timeZone'> {
  payment: Pick<Plain<Payment>, (typeof printedOfPayment)[number]>;
  mark: 'void' | null;
  source: Pick<ChargedSource, (typeof printedOfSource)[number]> | null;
  applied: readonly Applied[];
}

/** What a part of a payment does; the number is that of the document that it pays. */
export interface Applied {
  type: ApplicationType;
  number: string | null;
  amount: string;
}

const printedOfPayment = ['id', 'date', 'currency', 'amount', 'balance', 'method', 'reference'] as const;
const printedOfSource = ['brand', 'bankName', 'last4'] as const;

/** Of a payment's rows what is printed: the rest may change, and its receipt stays what it is. */
export function printableReceipt(
  { payment, source, applied }: { payment: Plain<Payment>; source: ChargedSource | null; applied: readonly Applied[] },
  between: Pick<Between, 'seller' | 'buyer' | 'language' | 'timeZone'>,
): PrintableReceipt {
  return {
    ...between,
    payment: only(payment, printedOfPayment),
    mark: payment.voided ? 'void' : null,
    source: source && only(source, printedOfSource),
    applied,
  };
}

/** The receipt of a payment. */
export function printReceipt({ payment, mark, source, applied, ...between }: PrintableReceipt): PrintedDocument {
  const about: Between = { ...between, currency: payment.currency };
  const pen = penFor(about);
  const { labels, formats } = pen;
  const number = String(payment.id);
  const head = headOf(about, pen);
  const received = formats.money(payment.amount);
  return {
    kind: 'receipt',
    ...head,
    ...{ title: labels.receipt, number, heading: `${labels.receipt} ${number}` },
    parties: head.parties.map((party) => ({ ...party, label: labels.receivedFrom })),
    date: unix(payment.date),
    mark: mark && marks[mark](labels),
    figure: { label: labels.amountReceived, value: received, note: formats.day(payment.date) },
    facts: factsOf(payment, source, pen),
    columns: { description: labels.appliedTo, quantity: null, unitCost: null, amount: labels.amount },
    lines: applied.map((application) => ({
      ...{ name: appliedName(application, labels), details: [], quantity: null, unitCost: null },
      ...{ amount: formats.money(application.amount), carried: '' },
    })),
    sums: [
      ...(isZero(payment.balance)
        ? []
        : [{ label: labels.unapplied, value: formats.money(payment.balance), weight: 'plain' as const }]),
      { label: labels.amountReceived, value: received, weight: 'balance' },
    ],
    notes: [],
    labels: labelsOfPages(pen),
  };
}

function appliedName({ type, number }: Applied, labels: Labels): string {
  const document = number ? `${labels.invoice} ${number}` : labels.invoice;
  if (type === 'credit') return labels.addedToCredit;
  return type === 'applied_credit' ? `${labels.paidWithCredit}: ${document}` : document;
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
