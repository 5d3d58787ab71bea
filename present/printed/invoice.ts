import { isZero, subtract } from '../../billing/money.ts';
import { parseTerms } from '../../billing/terms.ts';
import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { Invoice } from '../../db/schema/invoice.ts';
import type { LineItem } from '../../db/schema/lineItem.ts';
import { unix } from '../kernel/values.ts';
import type { PrintedDocument, PrintedFact, PrintedSum } from './document.ts';
import { type Between, headOf, labelsOfPages, type Pen, penFor } from './head.ts';
import { fill } from './labels.ts';
import { linesOf, type PrintableLine, printableLine } from './lines.ts';
import { marks } from './marks.ts';
import { only } from './only.ts';
import { sumsOf } from './sums.ts';

/** The facts that the PDF of an invoice depends on, with seller and buyer as they were at issue. */
export interface PrintableInvoice extends Pick<Between, 'seller' | 'buyer' | 'language'> {
  invoice: Pick<Plain<Invoice>, (typeof printedOfInvoice)[number]>;
  mark: 'void' | 'draft' | 'paid' | null;
  lines: readonly PrintableLine[];
}

const printedOfInvoice = [
  'number',
  'currency',
  'date',
  'dueAt',
  'timeZone',
  'paymentTerms',
  'purchaseOrder',
  'notes',
  'shipTo',
  'discounts',
  'taxes',
  'subtotal',
  'total',
  'balance',
] as const;

/** Selects the fields of the rows that are printed. Changes of other fields do not change the PDF. */
export function printableInvoice(
  invoice: Plain<Invoice>,
  lines: readonly Plain<LineItem>[],
  between: Pick<Between, 'seller' | 'buyer' | 'language'>,
): PrintableInvoice {
  return {
    ...between,
    invoice: only(invoice, printedOfInvoice),
    mark: markOf(invoice),
    lines: lines.map(printableLine),
  };
}

function markOf({ status }: Plain<Invoice>): PrintableInvoice['mark'] {
  if (status === 'voided') return 'void';
  return status === 'draft' || status === 'paid' ? status : null;
}

/** The printed form of an invoice. */
export function printInvoice({ invoice, mark, lines, ...between }: PrintableInvoice): PrintedDocument {
  const about: Between = {
    ...between,
    shipTo: invoice.shipTo,
    currency: invoice.currency,
    timeZone: invoice.timeZone,
  };
  const pen = penFor(about);
  const { labels } = pen;
  const number = invoice.number ?? null;
  return {
    kind: 'invoice',
    ...headOf(about, pen),
    title: labels.invoice,
    number,
    heading: number ? `${labels.invoice} ${number}` : labels.invoice,
    date: unix(invoice.date),
    mark: mark && marks[mark](labels),
    figure: figureOf({ invoice, mark }, pen),
    facts: factsOf(invoice, pen),
    ...linesOf(lines, invoice.currency, pen),
    sums: sums({ invoice, mark, lines }, pen),
    notes: invoice.notes ? [{ label: labels.notes, value: pen.own(invoice.notes) }] : [],
    labels: labelsOfPages(pen),
  };
}

type Printed = PrintableInvoice['invoice'];

function figureOf({ invoice, mark }: Pick<PrintableInvoice, 'invoice' | 'mark'>, pen: Pen): PrintedDocument['figure'] {
  const { labels, formats } = pen;
  if (!isOwed(mark)) return { label: labels.total, value: formats.money(invoice.total), note: null };
  const { dueAt } = invoice;
  const isDue = dueAt && !isZero(invoice.balance);
  const note = isDue ? fill(labels.dueOn, { day: formats.day(dueAt) }) : null;
  return { label: labels.amountDue, value: formats.money(invoice.balance), note };
}

function factsOf(invoice: Printed, pen: Pen): PrintedFact[] {
  const { labels, formats, own } = pen;
  const { dueAt, paymentTerms, purchaseOrder } = invoice;
  return [
    { label: labels.date, value: formats.day(invoice.date) },
    ...(dueAt ? [{ label: labels.dueDate, value: formats.day(dueAt) }] : []),
    ...(paymentTerms ? [{ label: labels.terms, value: termsInWords(paymentTerms, pen) }] : []),
    ...(purchaseOrder ? [{ label: labels.purchaseOrder, value: own(purchaseOrder) }] : []),
  ];
}

function sums({ invoice, mark, lines }: Pick<PrintableInvoice, 'invoice' | 'mark' | 'lines'>, pen: Pen): PrintedSum[] {
  const { total, balance } = invoice;
  const toTotal = sumsOf({ ...invoice, lines }, pen);
  if (!isOwed(mark)) return toTotal;
  const { labels, formats } = pen;
  const applied = subtract(total, balance);
  const paid = { label: labels.applied, value: formats.less(applied), weight: 'plain' as const };
  const due = { label: labels.amountDue, value: formats.money(balance), weight: 'balance' as const };
  return [...toTotal, ...(isZero(applied) ? [] : [paid]), due];
}

function isOwed(mark: PrintableInvoice['mark']): boolean {
  return mark !== 'void' && mark !== 'draft';
}

/** Payment terms in words. Unknown terms are printed unchanged. */
function termsInWords(text: string, { labels, formats }: Pen): string {
  try {
    const terms = parseTerms(text);
    if (terms.kind === 'net') return fill(labels.net, { days: formats.quantity(String(terms.days)) });
    return terms.kind === 'autopay' ? labels.automatically : labels.dueOnReceipt;
  } catch {
    return text;
  }
}
