import type { InvoiceTemplate } from '../../billing/emailTemplates.ts';
import { compare, subtract } from '../../billing/money.ts';
import type { Invoice } from '../../db/schema/invoice.ts';
import { documentUrl } from '../links.ts';
import { formatDay, formatMoney } from './format.ts';
import type { EmailParts, RenderedEmail } from './layout.ts';
import { type LetterFacts, letter, type Words } from './letter.ts';

export interface InvoiceMailFacts extends LetterFacts {
  invoice: Invoice;
  template: InvoiceTemplate;
}

/** new_invoice_email, unpaid_invoice_email, paid_invoice_email: what is owed or was paid, and by when. */
export function invoiceEmail(facts: InvoiceMailFacts): RenderedEmail {
  const action = { label: 'View invoice', href: documentUrl('invoice', facts.invoice) };
  return letter(facts, { ...wordsOf[facts.template](facts), rows: rowsOf(facts), action });
}

type OwnWords = Omit<Words, 'rows' | 'action'>;

const wordsOf: Record<InvoiceTemplate, (facts: InvoiceMailFacts) => OwnWords> = {
  new_invoice_email: ({ seller, invoice }) => ({
    subject: `Invoice ${numberOf(invoice)} from ${seller.name}`,
    heading: `Your invoice ${numberOf(invoice)}`,
    figure: formatMoney(invoice.closed ? invoice.total : invoice.balance, invoice.currency),
    tone: 'plain',
    sentence: `this is your invoice. ${whenDue(invoice)}`.trim(),
  }),
  unpaid_invoice_email: ({ seller, invoice }) => {
    const state = invoice.pastDue ? 'past due' : 'not paid yet';
    return {
      subject: `Invoice ${numberOf(invoice)} from ${seller.name} is ${state}`,
      heading: `Invoice ${numberOf(invoice)} is ${state}.`,
      figure: formatMoney(invoice.balance, invoice.currency),
      tone: invoice.pastDue ? 'bad' : 'plain',
      sentence: `this is a reminder. ${whenDue(invoice)}`,
    };
  },
  paid_invoice_email: ({ seller, invoice }) => ({
    subject: `Invoice ${numberOf(invoice)} from ${seller.name} is paid`,
    heading: `Thank you, invoice ${numberOf(invoice)} is paid.`,
    figure: formatMoney(invoice.total, invoice.currency),
    tone: 'good',
    sentence: 'nothing is left for you to do.',
  }),
};

/** What happens next, or is to be done; nothing for what is paid or closed. */
function whenDue(invoice: Invoice): string {
  if (invoice.closed) return invoice.paid ? 'It is paid; nothing is left for you to do.' : '';
  const { nextPaymentAttemptAt, dueAt } = invoice;
  if (invoice.pastDue && dueAt) {
    return `It was due on ${dayOf(invoice, dueAt)}. Please pay it now, or tell us what is wrong with it.`;
  }
  if (nextPaymentAttemptAt) {
    return `It is charged to your payment method on ${dayOf(invoice, nextPaymentAttemptAt)}; you need not do anything.`;
  }
  return dueAt ? `Please pay it by ${dayOf(invoice, dueAt)}.` : 'Please pay it.';
}

function rowsOf({ invoice }: InvoiceMailFacts): EmailParts['rows'] {
  const { currency, total, balance, dueAt, purchaseOrder } = invoice;
  const isPartlyPaid = !invoice.closed && compare(total, balance) !== 0;
  return [
    { label: 'Invoice', value: numberOf(invoice) },
    { label: 'Date', value: dayOf(invoice, invoice.date) },
    ...(dueAt && !invoice.closed ? [{ label: 'Due date', value: dayOf(invoice, dueAt) }] : []),
    ...(purchaseOrder ? [{ label: 'Purchase order', value: purchaseOrder }] : []),
    { label: 'Total', value: formatMoney(total, currency) },
    ...(isPartlyPaid ? [{ label: 'Paid so far', value: formatMoney(subtract(total, balance), currency) }] : []),
    ...(invoice.closed ? [] : [{ label: 'Amount due', value: formatMoney(balance, currency) }]),
  ];
}

function numberOf(invoice: Invoice): string {
  return invoice.number ?? '';
}

function dayOf(invoice: Invoice, at: Date): string {
  return formatDay(at, invoice.timeZone);
}
