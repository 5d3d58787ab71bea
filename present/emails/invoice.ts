import type { ShownDiscount } from '../../billing/earlyDiscount.ts';
import type { InvoiceTemplate } from '../../billing/emailTemplates.ts';
import { compare, subtract } from '../../billing/money.ts';
import type { Invoice } from '../../db/schema/invoice.ts';
import { documentUrl, payUrlOf } from '../kernel/links.ts';
import { earlyDiscountInWords } from '../printed/earlyDiscount.ts';
import { mail } from './layout.ts';
import { type LetterFacts, letter, type Words } from './letter.ts';
import type { EmailParts } from './parts.ts';
import { type Writing, writingFor } from './writing.ts';

export interface InvoiceMailFacts extends LetterFacts {
  invoice: Invoice;
  template: InvoiceTemplate;
  /** The early-payment discount that can still be earned; null: there is none. */
  early: ShownDiscount | null;
}

/** Templates new_invoice_email, unpaid_invoice_email and paid_invoice_email: the amount owed or paid, and the due date. */
export const invoiceEmail = mail((facts: InvoiceMailFacts) => {
  const { seller, customer, invoice, template, early } = facts;
  const writing = writingFor(seller, customer, invoice);
  const named = { number: invoice.number ?? '', seller: seller.name };
  return letter(facts, writing, {
    ...withEarly(wordsOf[template](invoice, writing, named), { invoice, early }, writing),
    rows: rowsOf(invoice, writing),
    ...linksOf(invoice, writing),
  });
});

/** The buttons: to pay and to view. An invoice that AutoPay will charge, or that cannot be paid any more, is only viewed. */
function linksOf(invoice: Invoice, { words }: Writing): Pick<Words, 'action' | 'more'> {
  const view = { label: words.viewInvoice, href: documentUrl('invoice', invoice) };
  const isPayable = !invoice.closed && !invoice.nextPaymentAttemptAt && !invoice.pending;
  return isPayable ? { action: { label: words.payNow, href: payUrlOf(invoice) }, more: [view] } : { action: view };
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

const wordsOf: Record<InvoiceTemplate, (invoice: Invoice, writing: Writing, named: Named) => OwnWords> = {
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
function whenDue(invoice: Invoice, { say, words, formats }: Writing): string[] {
  if (invoice.closed) return invoice.paid ? [words.isPaid] : [];
  const { nextPaymentAttemptAt, dueAt } = invoice;
  if (invoice.pastDue && dueAt) return [say('wasDue', { day: formats.day(dueAt) })];
  if (nextPaymentAttemptAt) return [say('willCharge', { day: formats.day(nextPaymentAttemptAt) })];
  return [dueAt ? say('payBy', { day: formats.day(dueAt) }) : words.pay];
}

function rowsOf(invoice: Invoice, { labels, words, formats }: Writing): EmailParts['rows'] {
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
