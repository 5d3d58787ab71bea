import { settlementOf } from '../../billing/documents/documentSums.ts';
import type { ShownDiscount } from '../../billing/documents/earlyDiscount.ts';
import { add, isZero, subtract } from '../../billing/money/money.ts';
import type { InvoicePart } from '../../db/queries/documents/lines.ts';
import { fill } from '../../words/text.ts';
import type { PrintedDocument, PrintedLine, PrintedSum } from './document.ts';
import type { Pen } from './head.ts';
import { linesOf, type PrintableLine } from './lines.ts';
import { type Summed, sumsOf } from './sums.ts';

/**
 * The totals of documents. Papers, pages, mails and receipts take their lines and sums from here and compute none of their own: the shown
 * lines less their discounts are the shown subtotal, and the sums lead from it to the total and to what is due.
 */

/** The amounts of a document from its lines to its total. */
export interface Totaled extends Summed {
  lines: readonly PrintableLine[];
}

/** What is paid of an invoice and what is asked for. */
export interface Paid {
  balance: string;
  /** The payments and credits that are listed one by one, oldest first. The others are one sum. */
  parts: readonly InvoicePart[];
  /** The part of the balance that is due; null: all of it. */
  asked: string | null;
}

/** The lines and sums of a document in words. */
export interface PrintedTotals extends Pick<PrintedDocument, 'columns' | 'lines'> {
  sums: PrintedSum[];
}

/** Lines and sums of a document. `paid` null: nothing is said about payments. `most`: the lines beyond this number are one line. */
export function totalsOf(
  document: Totaled,
  pen: Pen,
  { paid = null, most = null }: { paid?: Paid | null; most?: number | null } = {},
): PrintedTotals {
  const toTotal = sumsOf(document, pen);
  return { ...linesOf(document, pen, most), sums: paid ? [...toTotal, ...paidSums(document, paid, pen)] : toTotal };
}

/** The sums from total to what is due. */
function paidSums({ total }: Totaled, { balance, parts, asked }: Paid, pen: Pen): PrintedSum[] {
  const { labels, formats } = pen;
  const plain = (label: string, value: string): PrintedSum => ({ label, value, weight: 'plain' });
  const listed = parts.map(({ amount }) => amount);
  const { rest, due, isPart } = settlementOf({ total, balance, listed, asked });
  return [
    ...parts.map((part) => partSum(part, pen)),
    ...(isZero(rest) ? [] : [plain(labels.applied, formats.less(rest))]),
    ...(isPart ? [plain(labels.balance, formats.money(balance))] : []),
    { label: labels.amountDue, value: formats.money(due), weight: 'balance' },
  ];
}

/** A payment with its day and method, a credit note with its number, or credit. */
function partSum({ type, amount, date, method, creditNote }: InvoicePart, pen: Pen): PrintedSum {
  const { labels, formats, accounting, own } = pen;
  if (type === 'write_off') return { label: accounting.writtenOff, value: formats.less(amount), weight: 'plain' };
  const isMoney = type === 'invoice';
  const day = formats.day(date);
  const words = labels.methods[method];
  const paid = fill(accounting.paymentOf, { day });
  const money = words && method !== 'other' ? `${paid} (${words})` : paid;
  const credit = creditNote === null ? `${labels.paidWithCredit}, ${day}` : `${labels.creditNote} ${own(creditNote)}`;
  return { label: isMoney ? money : credit, value: formats.less(amount), weight: 'plain' };
}

/** A line, a discount or a sum of a document as a label and a value. */
export interface TotalRow {
  label: string;
  details: string[];
  value: string;
  /** Null: it is no sum. */
  weight: PrintedSum['weight'] | null;
}

/** Lines and sums one below the other, each discount of a line below it. */
export function totalRows(
  { lines, sums }: Pick<PrintedTotals, 'lines' | 'sums'>,
  { labels }: Pick<Pen, 'labels'>,
): TotalRow[] {
  return [
    ...lines.flatMap((line) => lineRows(line, labels.description)),
    ...sums.map((sum) => ({ ...sum, details: [] })),
  ];
}

function lineRows({ name, details, discounts, amount }: PrintedLine, unnamed: string): TotalRow[] {
  return [
    { label: name || unnamed, details, value: amount, weight: null },
    ...discounts.map(({ label, value }) => ({ label, details: [], value, weight: null })),
  ];
}

/** A sentence about the early-payment discount of an invoice: until when to pay, how much it is, and what is to be paid with or without it. */
export function earlyDiscountInWords(
  { percent, endsAt, value, isIncluded }: ShownDiscount,
  balance: string,
  { labels, formats }: Pick<Pen, 'labels' | 'formats'>,
): string {
  // The last instant of the last day.
  const day = formats.day(new Date(endsAt - 1));
  const named = { percent: formats.percent(Number(percent)), amount: formats.money(value), day };
  if (isIncluded) return fill(labels.earlyIncluded, { ...named, full: formats.money(add(balance, value)) });
  return fill(labels.earlyOffered, { ...named, rest: formats.money(subtract(balance, value)) });
}
