import type { LateInvoice, Statement } from '../../../billing/documents/statement.ts';
import { add, subtract } from '../../../billing/money/money.ts';
import type { StatementWords } from '../../../words/statement/wording.ts';
import { fill } from '../../../words/text.ts';
import { payUrlOf } from '../../kernel/links.ts';
import type { PrintedDocument, PrintedLate } from '../document.ts';
import type { Pen } from '../head.ts';

interface Ink {
  pen: Pen;
  words: StatementWords;
  accountId: number;
}

/** The table of past-due invoices. Null: none is past due. */
export function printLate({ late }: Pick<Statement, 'late'>, { pen, words, accountId }: Ink): PrintedLate | null {
  const { count, amount, listed } = late;
  if (count === 0) return null;
  const { labels, formats } = pen;
  const others = count - listed.length;
  const rest = subtract(amount, add('0', ...listed.map((one) => one.amount)));
  const further = {
    label: fill(words.furtherLate, { count: formats.quantity(String(others)) }),
    value: formats.money(rest),
  };
  return {
    title: words.lateInvoices,
    columns: { invoice: labels.invoice, due: labels.dueDate, days: words.lateFor, amount: labels.amount },
    rows: listed.map((one) => lateRow(one, { pen, words, accountId })),
    sums: [...(others > 0 ? [further] : []), { label: words.pastDueTotal, value: formats.money(amount) }],
  };
}

function lateRow(
  { id, token, number, dueAt, days, amount, isPayable }: LateInvoice,
  { pen: { formats, own }, accountId }: Ink,
): PrintedLate['rows'][number] {
  return {
    invoice: own(number ?? String(id)),
    href: isPayable ? payUrlOf({ accountId, id, token }) : null,
    due: formats.day(dueAt),
    days: formats.duration(days, 'day'),
    amount: formats.money(amount),
  };
}

/** A link to the page that pays the longest due invoice. Empty: none can be paid. */
export function payLinks({ payable }: Pick<Statement, 'payable'>, { pen, accountId }: Ink): PrintedDocument['links'] {
  if (!payable) return [];
  const { id, token, number } = payable;
  const label = `${pen.accounting.payOnline}: ${pen.labels.invoice} ${pen.own(number ?? String(id))}`;
  return [{ label, href: payUrlOf({ accountId, id, token }) }];
}
