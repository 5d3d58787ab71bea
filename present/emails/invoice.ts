import type { PlanAsk } from '../../billing/collection/planProgress.ts';
import type { ShownDiscount } from '../../billing/documents/earlyDiscount.ts';
import type { InvoiceTemplate } from '../../billing/mail/emailTemplates.ts';
import { roundMoney } from '../../billing/money/money.ts';
import { localDay } from '../../billing/time/calendar.ts';
import type { Invoice } from '../../db/schema/invoice.ts';
import { type Addressed, documentUrl, payUrlOf } from '../kernel/links.ts';
import type { PrintableLine } from '../printed/lines.ts';
import { type PrintablePlan, planFigure, printablePlan, printPlan } from '../printed/plan.ts';
import { earlyDiscountInWords, totalRows, totalsOf } from '../printed/totals.ts';
import type { invoiceVariables } from '../variables/documents.ts';
import type { ViewOf } from '../variables/kinds.ts';
import { mail } from './layout.ts';
import { type LetterFacts, letter, type Words } from './letter.ts';
import type { Row } from './parts.ts';
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
    | 'discounts'
    | 'taxes'
  >;

/** An invoice that AutoPay cannot charge, because its customer has no payment source: the customer pays it. */
export function uncharged(invoice: MailedInvoice): MailedInvoice {
  const { accountId, id, token, number, date, dueAt, purchaseOrder, currency, timeZone } = invoice;
  const { total, balance, paid, pastDue, closed, pending, discounts, taxes } = invoice;
  const about = { accountId, id, token, number, date, dueAt, purchaseOrder, currency, timeZone };
  return { ...about, total, balance, paid, pastDue, closed, pending, discounts, taxes, nextPaymentAttemptAt: null };
}

export interface InvoiceMailFacts extends LetterFacts {
  invoice: MailedInvoice;
  template: InvoiceTemplate;
  /** The early-payment discount that can still be earned; null: there is none. */
  early: ShownDiscount | null;
  lines: readonly PrintableLine[];
  /** What its payment plan asks for; null: no plan collects it. */
  ask: PlanAsk | null;
}

/** Templates new_invoice_email, unpaid_invoice_email and paid_invoice_email: the amount owed or paid, and the due date. */
export const invoiceEmail = mail((facts: InvoiceMailFacts) => {
  const { seller, customer, invoice, template, early } = facts;
  const plan = facts.ask && isOpen(invoice) ? printablePlan(facts.ask) : null;
  const writing = writingFor(seller, customer, invoice);
  const named = { number: invoice.number ?? '', seller: seller.name };
  return letter(facts, writing, {
    ...withEarly(
      asking(
        wordsOf[template](plan ? { ...invoice, dueAt: new Date(plan.askedAt) } : invoice, writing, named),
        { invoice, plan },
        writing,
      ),
      { invoice, early },
      writing,
    ),
    rows: [...factRows(invoice, plan, writing), ...amountRows(facts, plan, writing), ...planRows(plan, writing)],
    own: ownOf(writing, variablesOf(invoice, plan, writing)),
    ...linksOf(invoice, writing),
  });
});

const isOpen = ({ closed }: MailedInvoice): boolean => !closed;

/** The words of a mail about an invoice on a plan: it asks for what is due. */
function asking(
  words: OwnWords,
  { invoice, plan }: { invoice: MailedInvoice; plan: PrintablePlan | null },
  writing: Writing,
): OwnWords {
  if (!plan) return words;
  const { value, note } = planFigure(plan, { balance: invoice.balance, isLate: invoice.pastDue }, writing);
  return { ...words, figure: value, figureNote: note };
}

/** The installments of the plan. */
function planRows(plan: PrintablePlan | null, writing: Writing): Row[] {
  if (!plan) return [];
  const { title, rows } = printPlan(plan, writing, writing.language);
  const listed = rows.map(({ day, amount, notes }) => ({ label: [day, ...notes].join(' · '), value: amount }));
  return [{ label: title, value: '', isSum: true }, ...listed];
}

function variablesOf(
  invoice: MailedInvoice,
  plan: PrintablePlan | null,
  writing: Writing,
): Omit<ViewOf<typeof invoiceVariables>, 'lines' | 'sums'> {
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
      due_now: formats.money(plan?.asked ?? balance),
      due_now_number: roundMoney(plan?.asked ?? balance, currency),
      paid,
      past_due: pastDue,
      url: documentUrl('invoice', invoice),
      pay_url: isPayable(invoice) ? payUrlOf(invoice) : null,
      installments: plan
        ? printPlan(plan, writing, writing.language).rows.map(({ day, amount, notes }) => {
            return { date: day, amount, state: notes.join(' · ') };
          })
        : [],
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
    sentences: [whenDue(invoice, writing)],
  }),
  unpaid_invoice_email: (invoice, writing, named) => ({
    subject: writing.say(invoice.pastDue ? 'pastDueSubject' : 'unpaidSubject', named),
    heading: writing.say(invoice.pastDue ? 'pastDueHeading' : 'unpaidHeading', named),
    figure: writing.formats.money(invoice.balance),
    tone: invoice.pastDue ? 'bad' : 'plain',
    sentences: [whenDue(invoice, writing)],
  }),
  paid_invoice_email: (invoice, writing, named) => ({
    subject: writing.say('paidSubject', named),
    heading: writing.say('paidHeading', named),
    figure: writing.formats.money(invoice.total),
    tone: 'good',
    sentences: [writing.words.nothingToDo],
  }),
};

/** A sentence that says when the invoice is charged or has to be paid. One that was closed unpaid need not be paid. */
function whenDue(invoice: MailedInvoice, { say, words, formats }: Writing): string {
  if (invoice.closed) return invoice.paid ? words.isPaid : words.invoiceHere;
  const { nextPaymentAttemptAt, dueAt } = invoice;
  if (invoice.pastDue && dueAt) return say('wasDue', { day: formats.day(dueAt) });
  if (nextPaymentAttemptAt) return say('willCharge', { day: formats.day(nextPaymentAttemptAt) });
  return dueAt ? say('payBy', { day: formats.day(dueAt) }) : words.pay;
}

/** Maximum number of lines that a mail lists. The PDF has all. */
const MOST_LINES = 10;

/** The first lines and all sums, as every paper of the invoice has them. Payments and credits are one sum. */
function amountRows(
  { invoice, lines }: Pick<InvoiceMailFacts, 'invoice' | 'lines'>,
  plan: PrintablePlan | null,
  writing: Writing,
): Row[] {
  const paid = { balance: invoice.balance, parts: [], asked: plan?.asked ?? null };
  const totals = totalsOf({ ...invoice, lines }, writing, { paid, most: MOST_LINES });
  return totalRows(totals, writing).map(({ label, value, weight }) => {
    return { label, value, ...(weight !== null && weight !== 'plain' && { isSum: true as const }) };
  });
}

function factRows(invoice: MailedInvoice, plan: PrintablePlan | null, { labels, formats }: Writing): Row[] {
  const { purchaseOrder } = invoice;
  const dueAt = plan ? new Date(plan.askedAt) : invoice.dueAt;
  return [
    { label: labels.invoice, value: invoice.number ?? '' },
    { label: labels.date, value: formats.day(invoice.date) },
    ...(dueAt && !invoice.closed ? [{ label: labels.dueDate, value: formats.day(dueAt) }] : []),
    ...(purchaseOrder ? [{ label: labels.purchaseOrder, value: purchaseOrder }] : []),
  ];
}
