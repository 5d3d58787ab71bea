import { isZero } from '../../billing/money.ts';
import type { Plain } from '../../db/queries/plain.ts';
import type { ChargedSource } from '../../db/schema/charge.ts';
import type { Payment } from '../../db/schema/payment.ts';
import { unix } from '../values.ts';
import type { PrintedDocument, PrintedFact } from './document.ts';
import { type Between, headOf, type Pen, penFor } from './head.ts';
import { fill } from './labels.ts';

/** A payment with what it pays. */
export interface PrintableReceipt extends Pick<Between, 'seller' | 'buyer' | 'timeZone'> {
  payment: Plain<Payment>;
  source: ChargedSource | null;
  applied: readonly { number: string | null; name: string; amount: string }[];
}

/** The receipt of a payment. */
export function printReceipt({ payment, source, applied, ...between }: PrintableReceipt): PrintedDocument {
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
    mark: payment.voided ? { text: labels.void, tone: 'bad' } : null,
    figure: { label: labels.amountReceived, value: received, note: formats.day(payment.date) },
    facts: factsOf(payment, source, pen),
    columns: { description: labels.appliedTo, quantity: null, unitCost: null, amount: labels.amount },
    lines: applied.map(({ number, name, amount }) => ({
      ...{ name: number ? `${name} ${number}` : name, details: [], quantity: null, unitCost: null },
      ...{ amount: formats.money(amount), carried: '' },
    })),
    sums: [
      ...(isZero(payment.balance)
        ? []
        : [{ label: labels.unapplied, value: formats.money(payment.balance), weight: 'plain' as const }]),
      { label: labels.amountReceived, value: received, weight: 'balance' },
    ],
    notes: [],
    labels: { page: labels.page, carriedForward: labels.carriedForward, broughtForward: labels.broughtForward },
  };
}

function factsOf(payment: Plain<Payment>, source: ChargedSource | null, { labels, formats }: Pen): PrintedFact[] {
  const name = source ? (source.brand ?? source.bankName ?? labels.methods[payment.method] ?? payment.method) : null;
  const method =
    source && name
      ? fill(labels.endingIn, { name: capitalised(name), digits: source.last4 })
      : (labels.methods[payment.method] ?? payment.method);
  return [
    { label: labels.date, value: formats.day(payment.date) },
    { label: labels.method, value: method },
    ...(payment.reference ? [{ label: labels.reference, value: payment.reference }] : []),
  ];
}

function capitalised(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
