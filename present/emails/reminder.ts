import { isPositive, type Money, roundMoney, subtract, sum } from '../../billing/money/money.ts';
import { type PayableFacts, whyUnpayable } from '../../billing/payments/payable.ts';
import { daysBetween, localDay } from '../../billing/time/calendar.ts';
import type { Account } from '../../db/schema/account.ts';
import type { Invoice } from '../../db/schema/invoice.ts';
import { fill, formOf } from '../../words/text.ts';
import { type Addressed, documentUrl, payUrlOf } from '../kernel/links.ts';
import { type Formats, formatsOf, isolated } from '../printed/formats.ts';
import { readerOf } from '../printed/reader.ts';
import type { ViewOf } from '../variables/kinds.ts';
import type { reminderVariables } from '../variables/money.ts';
import { mail } from './layout.ts';
import { greeted } from './letter.ts';
import type { EmailParts, Row } from './parts.ts';
import { ownOf } from './variables.ts';
import { type Reader, type Seller, type Writing, writingFor } from './writing.ts';

/** An open invoice of a reminder, or the missed installments of its payment plan. */
export interface RemindedItem {
  invoice: Pick<Invoice, 'number' | 'date' | 'currency' | 'timeZone'> & Addressed & PayableFacts;
  amount: Money;
  dueAt: Date | null;
}

/** Credit that has not been applied, in one currency. It lowers the amount that is asked for. */
export interface RemindedCredit {
  currency: string;
  amount: Money;
}

export interface ReminderFacts {
  seller: Seller & Pick<Account, 'currency'>;
  customer: Reader;
  to: { name: string };
  items: readonly RemindedItem[];
  credits: readonly RemindedCredit[];
  /** The customer's time. */
  now: Date;
  /** URL of the page on which the recipient stops reminders; null: there is none. */
  optOutUrl: string | null;
}

/** Maximum number of items that a mail lists. The sums contain all of them. */
export const MOST_LISTED = 30;

/**
 * Template late_payment_reminder_email: the open invoices with their due dates, the oldest due date first, and the amount that is asked for
 * in each currency. It is friendly while nothing is past due.
 */
export const reminderEmail = mail((given: ReminderFacts): EmailParts => {
  const items = given.items.toSorted((one, other) => dueTime(one) - dueTime(other));
  const facts = { ...given, items };
  const { seller, customer, optOutUrl } = facts;
  const writing = writingFor(seller, customer, seller);
  const { language, direction, words, say } = writing;
  const isLate = items.some((item) => daysPastDue(item, facts.now) > 0);
  const sums = sumsOf(facts);
  const asked = sums.filter((one) => isPositive(one.asked));
  const figure = asked.map(({ currency, asked }) => formatsIn(facts, writing, currency).money(asked)).join(' + ');
  const [only, ...others] = items;
  const payable = only && others.length === 0 && isPayable(only) ? only : null;
  return {
    language,
    direction,
    seller: seller.name,
    subject: say(isLate ? 'remindDueSubject' : 'remindSubject', { amount: figure, seller: seller.name }),
    heading: isLate ? words.remindDueHeading : formOf(words.remindHeading, language, items.length),
    figure,
    tone: isLate ? 'bad' : 'plain',
    paragraphs: paragraphsOf(facts, writing, isLate),
    rows: [...listed(facts, writing), ...sums.flatMap((one) => sumRows(facts, writing, one))],
    ...(payable ? { action: { label: words.payNow, href: payUrlOf(payable.invoice) } } : {}),
    own: ownOf(writing, variablesOf(facts, writing)),
    footer: say('sentBy', { seller: seller.name, number: customer.number }),
    ...(optOutUrl === null ? {} : { optOut: { label: words.stopReminders, href: optOutUrl } }),
  };
});

const dueTime = ({ dueAt }: RemindedItem): number => dueAt?.getTime() ?? Number.POSITIVE_INFINITY;

/** Whole days since the due date, in the invoice's time zone. Not positive: it is not past due. */
function daysPastDue({ invoice: { timeZone }, dueAt }: RemindedItem, now: Date): number {
  return dueAt ? daysBetween(localDay(dueAt.getTime(), timeZone), localDay(now.getTime(), timeZone)) : 0;
}

const isPayable = ({ invoice }: RemindedItem): boolean => whyUnpayable(invoice) === null;

function paragraphsOf({ seller, to }: ReminderFacts, writing: Writing, isLate: boolean): string[] {
  const { words, say } = writing;
  const address = seller.replyTo ?? seller.email;
  const contact = address ? [say('askUs', { email: address })] : [];
  return [
    greeted(to, writing, [isLate ? words.remindDueHere : words.remindHere]),
    [words.remindCrossed, ...contact].join(words.space),
  ];
}

/** The formats of a currency. Its amounts keep their direction in a mail that is written from right to left. */
function formatsIn({ seller, customer }: ReminderFacts, writing: Writing, currency: string): Formats {
  const { language, direction } = writing;
  const { country } = readerOf({ customer, seller, language });
  const formats = formatsOf({ language, country, currency, timeZone: seller.timeZone });
  if (direction === 'ltr') return formats;
  const { money, less } = formats;
  return {
    ...formats,
    money: (amount) => isolated(money(amount), direction),
    less: (amount) => isolated(less(amount), direction),
  };
}

function listed(facts: ReminderFacts, writing: Writing): Row[] {
  const { items } = facts;
  const rows = items.slice(0, MOST_LISTED).map((item) => itemRow(facts, writing, item));
  const further = items.length - rows.length;
  if (further === 0) return rows;
  return [...rows, { label: writing.say('furtherInvoices', { count: `${further}` }), value: '' }];
}

/** "Invoice INV-0001", its dates, and its amount. It leads to the page that pays it. */
function itemRow(facts: ReminderFacts, writing: Writing, item: RemindedItem): Row {
  const { invoice, amount, dueAt } = item;
  const { labels, say } = writing;
  const { money, day, duration } = formatsIn(facts, writing, invoice.currency);
  const days = daysPastDue(item, facts.now);
  const dates = [
    `${labels.date}: ${day(invoice.date)}`,
    ...(dueAt ? [fill(labels.dueOn, { day: day(dueAt) })] : []),
    ...(days > 0 ? [say('pastDueFor', { length: duration(days, 'day') })] : []),
  ];
  return {
    label: say('numbered', { number: invoice.number ?? `${invoice.id}` }),
    value: money(amount),
    detail: dates.join(' · '),
    href: isPayable(item) ? payUrlOf(invoice) : documentUrl('invoice', invoice),
  };
}

/** The sums of one currency. */
export interface CurrencySums {
  currency: string;
  open: Money;
  credit: Money;
  /** The open amounts less the credit. */
  asked: Money;
}

/** The sums of each currency of the items, in their order. */
export function sumsOf({ items, credits }: Pick<ReminderFacts, 'items' | 'credits'>): CurrencySums[] {
  const currencies = [...new Set(items.map(({ invoice }) => invoice.currency))];
  return currencies.map((currency) => {
    const amounts = items.filter(({ invoice }) => invoice.currency === currency).map(({ amount }) => amount);
    const unapplied = credits.filter((one) => one.currency === currency).map(({ amount }) => amount);
    const [open, credit] = [sum(amounts, currency), sum(unapplied, currency)];
    return { currency, open, credit, asked: subtract(open, credit) };
  });
}

function variablesOf(facts: ReminderFacts, writing: Writing): ViewOf<typeof reminderVariables> {
  const isLate = (item: RemindedItem) => daysPastDue(item, facts.now) > 0;
  const invoices = facts.items.slice(0, MOST_LISTED).map((item) => {
    const { invoice, amount, dueAt } = item;
    const { money, day } = formatsIn(facts, writing, invoice.currency);
    return {
      number: invoice.number ?? `${invoice.id}`,
      date: day(invoice.date),
      due_date: dueAt ? day(dueAt) : null,
      past_due: isLate(item),
      amount: money(amount),
      amount_number: roundMoney(amount, invoice.currency),
      url: isPayable(item) ? payUrlOf(invoice) : documentUrl('invoice', invoice),
    };
  });
  return { invoices, past_due: facts.items.some(isLate) };
}

function sumRows(facts: ReminderFacts, writing: Writing, { currency, open, credit, asked }: CurrencySums): Row[] {
  const { labels, words } = writing;
  const { money, less } = formatsIn(facts, writing, currency);
  const total = { label: labels.amountDue, value: money(asked) };
  if (!isPositive(credit)) return [total];
  return [
    { label: words.openInTotal, value: money(open) },
    { label: words.unappliedCredit, value: less(credit) },
    total,
  ];
}
