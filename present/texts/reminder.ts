import { isPositive } from '../../billing/money.ts';
import { whyUnpayable } from '../../billing/payable.ts';
import { fillSms, fitsInText, type SmsValues } from '../../billing/smsTemplate.ts';
import { type RemindedCredit, type RemindedItem, sumsOf } from '../emails/reminder.ts';
import type { Reader, Seller } from '../emails/writing.ts';
import { documentUrl, payUrlOf } from '../kernel/links.ts';
import { formatsOf } from '../printed/formats.ts';
import { readerOf } from '../printed/reader.ts';
import { reminderWordsOf } from './words.ts';

export interface TextFacts {
  seller: Seller;
  customer: Reader & { name: string };
  contactName: string;
  items: readonly RemindedItem[];
  credits: readonly RemindedCredit[];
  /** Null: the usual words. */
  template: { message: string; language?: string | null | undefined } | null;
}

/** Most invoice numbers that a text names. */
const MOST_NUMBERS = 3;

/**
 * The text of a reminder: what is asked for in each currency, and a link to the invoice that is due first. A template whose filled text is too
 * long is replaced by the usual words, which always fit.
 */
export function reminderText(facts: TextFacts): string {
  const { seller, customer, template } = facts;
  const wanted = template?.language ?? customer.language ?? seller.language;
  const { language, country } = readerOf({ customer, seller, language: wanted });
  const values = valuesOf(facts, { language, country });
  const { size } = new Set(facts.items.map(({ invoice }) => invoice.id));
  const usual = fillSms(reminderWordsOf(language, size), values);
  const own = template ? fillSms(template.message, values) : usual;
  return fitsInText(own) ? own : usual;
}

function valuesOf(facts: TextFacts, reader: { language: string; country: string | null }): SmsValues {
  const { seller, customer, contactName } = facts;
  const items = facts.items.toSorted((one, other) => dueTime(one) - dueTime(other));
  const asked = sumsOf({ items, credits: facts.credits }).filter((one) => isPositive(one.asked));
  const amounts = asked.map(({ currency, asked: amount }) =>
    formatsOf({ ...reader, currency, timeZone: seller.timeZone }).money(amount),
  );
  const numbers = [...new Set(items.map(({ invoice }) => invoice.number ?? `${invoice.id}`))];
  const further = numbers.length - MOST_NUMBERS;
  const named = numbers.slice(0, MOST_NUMBERS).join(', ');
  return {
    account_name: seller.name,
    customer_name: customer.name,
    contact_name: contactName,
    amount: amounts.join(' + '),
    invoice_numbers: further > 0 ? `${named} +${further}` : named,
    pay_url: linkOf(items),
  };
}

const dueTime = ({ dueAt }: RemindedItem): number => dueAt?.getTime() ?? Number.POSITIVE_INFINITY;

/** The page that pays the first invoice that can be paid there, else the page of the first invoice. */
function linkOf(items: readonly RemindedItem[]): string {
  const payable = items.find(({ invoice }) => whyUnpayable(invoice) === null);
  const [first] = items;
  if (payable) return payUrlOf(payable.invoice);
  return first ? documentUrl('invoice', first.invoice) : '';
}
