import { localDay } from '../../billing/calendar.ts';
import type { ShownDiscount } from '../../billing/earlyDiscount.ts';
import type { InvoiceTemplate } from '../../billing/emailTemplates.ts';
import { compare, roundMoney, subtract } from '../../billing/money.ts';
import type { Line } from '../../db/queries/documents/lines.ts';
import type { Invoice } from '../../db/schema/invoice.ts';
import { type Addressed, documentUrl, payUrlOf } from '../kernel/links.ts';
import { earlyDiscountInWords } from '../printed/earlyDiscount.ts';
import type { invoiceVariables } from '../variables/documents.ts';
import type { ViewOf } from '../variables/kinds.ts';
import { mail } from './layout.ts';
import { type LetterFacts, letter, type Words } from './letter.ts';
import type { EmailParts } from './parts.ts';
import { dayOf, ownOf } from './variables.ts';
import { type Writing, writingFor } from './writing.ts';

/** An invoice, as far as its mails show it. */
type MailedInvoice = Addressed &
  Pick<
    Invoice,
    | 'number'
    | 'date'
    | 'dueAt'
    | 'purchaseOrder'
    | 'currency'
    | 'timeZone'
    | 'total'
    | 'balance'
    | 'paid'
    | 'pastDue'
    | 'closed'
    | 'pending'
    | 'nextPaymentAttemptAt'
  >;

export interface InvoiceMailFacts extends LetterFacts {
  invoice: MailedInvoice;
  template: InvoiceTemplate;
  /** The early-payment discount that can still be earned; null: there is none. */
  early: ShownDiscount | null;
  lines: readonly Pick<Line, 'name' | 'description' | 'amount'>[];
}

/** Templates new_invoice_email, unpaid_invoice_email and paid_invoice_email: the amount owed or paid, and the due date. */
export const invoiceEmail = mail((facts: InvoiceMailFacts) => {
  const { seller, customer, invoice, template, lines, early } = facts;
  const writing = writingFor(seller, customer, invoice);
  const named = { number: invoice.number ?? '', seller: seller.name };
  return letter(facts, writing, {
    ...withEarly(wordsOf[template](invoice, writing, named), { invoice, early }, writing),
    rows: [...lineRows(lines, writing), ...rowsOf(invoice, writing)],
    own: ownOf(writing, variablesOf(invoice, writing)),
    ...linksOf(invoice, writing),
  });
});

function variablesOf(invoice: MailedInvoice, writing: Writing): Omit<ViewOf<typeof invoiceVariables>, 'lines'> {
  const { number, date, dueAt, purchaseOrder, currency, timeZone, total, balance, paid, pastDue } = invoice;
  const { formats } = writing;
  return {
    invoice: {
      number: number ?? '',
      ...dayOf(writing, date, timeZone),
      due_date: dueAt ? formats.day(dueAt) : null,
      due_on: dueAt ? localDay(dueAt.getTime(), timeZone) : null,
      purchase_order: purchaseOrder ?? null,
      currency,
      total: formats.money(total),
      total_number: roundMoney(total, currency),
      balance: formats.money(balance),
      balance_number: roundMoney(balance, currency),
      paid,
      past_due: pastDue,
      url: documentUrl('invoice', invoice),
      pay_url: isPayable(invoice) ? payUrlOf(invoice) : null,
    },
  };
}

const isPayable = ({ closed, nextPaymentAttemptAt, pending }: MailedInvoice): boolean =>
  !closed && !nextPaymentAttemptAt && !pending;

/** The buttons: to pay and to view. An invoice that AutoPay will charge, or that cannot be paid any more, is only viewed. */
function linksOf(invoice: MailedInvoice, { words }: Writing): Pick<Words, 'action' | 'more'> {
  const view = { label: words.viewInvoice, href: documentUrl('invoice', invoice) };
  return isPayable(invoice)
    ? { action: { label: words.payNow, href: payUrlOf(invoice) }, more: [view] }
    : { action: view };
}

/** Adds a sentence about the early-payment discount. */
function withEarly(
  words: OwnWords,
  { invoice, early }: Pick<InvoiceMailFacts, 'invoice' | 'early'>,
  writing: Writing,
): OwnWords {
  if (!early || invoice.closed) return words;
  return { ...words, sentences: [...words.sentences, `${earlyDiscountInWords(early, invoice.balance, writing)}.`] };
}

type OwnWords = Omit<Words, 'rows' | 'action' | 'more'>;
type Named = Record<'number' | 'seller', string>;

const wordsOf: Record<InvoiceTemplate, (invoice: MailedInvoice, writing: Writing, named: Named) => OwnWords> = {
  new_invoice_email: (invoice, writing, named) => ({
    subject: writing.say('invoiceSubject', named),
    heading: writing.say('invoiceHeading', named),
    figure: writing.formats.money(invoice.closed ? invoice.total : invoice.balance),
    tone: 'plain',
    sentences: [writing.words.invoiceHere, ...whenDue(invoice, writing)],
  }),
  unpaid_invoice_email: (invoice, writing, named) => ({
    subject: writing.say(invoice.pastDue ? 'pastDueSubject' : 'unpaidSubject', named),
    heading: writing.say(invoice.pastDue ? 'pastDueHeading' : 'unpaidHeading', named),
    figure: writing.formats.money(invoice.balance),
    tone: invoice.pastDue ? 'bad' : 'plain',
    sentences: [writing.words.reminder, ...whenDue(invoice, writing)],
  }),
  paid_invoice_email: (invoice, writing, named) => ({
    subject: writing.say('paidSubject', named),
    heading: writing.say('paidHeading', named),
    figure: writing.formats.money(invoice.total),
    tone: 'good',
    sentences: [writing.words.nothingToDo],
  }),
};

/** A sentence that says when the invoice is charged or has to be paid. Empty for an invoice that was closed unpaid. */
function whenDue(invoice: MailedInvoice, { say, words, formats }: Writing): string[] {
  if (invoice.closed) return invoice.paid ? [words.isPaid] : [];
  const { nextPaymentAttemptAt, dueAt } = invoice;
  if (invoice.pastDue && dueAt) return [say('wasDue', { day: formats.day(dueAt) })];
  if (nextPaymentAttemptAt) return [say('willCharge', { day: formats.day(nextPaymentAttemptAt) })];
  return [dueAt ? say('payBy', { day: formats.day(dueAt) }) : words.pay];
}

/** Maximum number of lines that a mail lists. The PDF has all. */
const MOST_LINES = 10;

function lineRows(lines: InvoiceMailFacts['lines'], { labels, formats, say }: Writing): EmailParts['rows'] {
  const shown = lines.slice(0, MOST_LINES).map(({ name, description, amount }) => {
    return { label: name ?? description?.split('\n')[0] ?? labels.description, value: formats.money(amount) };
  });
  const further = lines.length - shown.length;
  if (further === 0) return shown;
  return [...shown, { label: say('furtherLines', { count: formats.quantity(String(further)) }), value: '' }];
}

function rowsOf(invoice: MailedInvoice, { labels, words, formats }: Writing): EmailParts['rows'] {
  const { total, balance, dueAt, purchaseOrder } = invoice;
  const isPartlyPaid = !invoice.closed && compare(total, balance) !== 0;
  return [
    { label: labels.invoice, value: invoice.number ?? '' },
    { label: labels.date, value: formats.day(invoice.date) },
    ...(dueAt && !invoice.closed ? [{ label: labels.dueDate, value: formats.day(dueAt) }] : []),
    ...(purchaseOrder ? [{ label: labels.purchaseOrder, value: purchaseOrder }] : []),
    { label: labels.total, value: formats.money(total) },
    ...(isPartlyPaid ? [{ label: words.paidSoFar, value: formats.money(subtract(total, balance)) }] : []),
    ...(invoice.closed ? [] : [{ label: labels.amountDue, value: formats.money(balance) }]),
  ];
}
