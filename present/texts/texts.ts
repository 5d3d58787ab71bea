import { fillSms, fitsInText, type SmsValues } from '../../billing/mail/textMessage.ts';
import { isPositive } from '../../billing/money/money.ts';
import { whyUnpayable } from '../../billing/payments/payable.ts';
import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { TextMessage } from '../../db/schema/textMessage.ts';
import { formOf, type Plural } from '../../words/text.ts';
import { type RemindedCredit, type RemindedItem, sumsOf } from '../emails/reminder.ts';
import type { Reader, Seller } from '../emails/writing.ts';
import { documentUrl, payUrlOf } from '../kernel/links.ts';
import { orNull, type Presented, unix } from '../kernel/values.ts';
import { formatsOf } from '../printed/formats.ts';
import { readerOf } from '../printed/reader.ts';

export function presentTextMessage(text: Plain<TextMessage>): Presented {
  return {
    id: text.id,
    object: 'text_message',
    customer: text.customer.id,
    phone: text.number,
    message: text.message,
    state: text.state,
    next_attempt: text.nextAttemptAt ? unix(text.nextAttemptAt) : null,
    attempt_count: text.attempts,
    reference: orNull(text.reference),
    reject_reason: orNull(text.failureReason),
    created_at: unix(text.createdAt),
    updated_at: unix(text.updatedAt),
  };
}

/** The usual text of a reminder, in each language into which mails are translated. Its variables are those of SMS templates. */
const reminders: Readonly<Record<string, string>> = {
  ar: '{{account_name}}: لم يُدفع بعد مبلغ {{amount}} {invoices} {{invoice_numbers}}. ادفع هنا: {{pay_url}} أرسل STOP لإيقاف الرسائل.',
  de: '{{account_name}}: noch offen: {{amount}} ({invoices} {{invoice_numbers}}). Hier zahlen: {{pay_url}} Mit STOP keine SMS mehr.',
  en: '{{account_name}}: {{amount}} is still open ({invoices} {{invoice_numbers}}). Pay here: {{pay_url}} Reply STOP to stop texts.',
  es: '{{account_name}}: importe pendiente: {{amount}} ({invoices} {{invoice_numbers}}). Pague aquí: {{pay_url}} Responda STOP para no recibir más SMS.',
  fr: '{{account_name}} : reste à payer : {{amount}} ({invoices} {{invoice_numbers}}). Payer ici : {{pay_url}} Répondez STOP pour ne plus recevoir de SMS.',
  he: '{{account_name}}: הסכום {{amount}} טרם שולם ({invoices} {{invoice_numbers}}). לתשלום: {{pay_url}} להפסקת ההודעות השיבו STOP.',
  ja: '{{account_name}}: {{amount}}が未払いです({invoices} {{invoice_numbers}})。お支払いはこちら: {{pay_url}} 配信停止は STOP と返信してください。',
  zh: '{{account_name}}:仍有 {{amount}} 未付({invoices} {{invoice_numbers}})。在此付款:{{pay_url}} 回复 STOP 停止接收短信。',
};

/** The word before the numbers of the invoices, by their count. */
const invoices: Readonly<Record<string, Plural>> = {
  ar: { one: 'للفاتورة', two: 'للفاتورتين', other: 'للفواتير' },
  de: { one: 'Rechnung', other: 'Rechnungen' },
  en: { one: 'invoice', other: 'invoices' },
  es: { one: 'factura', other: 'facturas' },
  fr: { one: 'facture', other: 'factures' },
  he: { one: 'חשבונית', other: 'חשבוניות' },
  ja: { other: '請求書' },
  zh: { other: '账单' },
};

/** The usual text about a number of invoices. English if texts are not translated into the language. */
export function reminderWordsOf(language: string, count: number): string {
  const known = Object.hasOwn(reminders, language) ? language : 'en';
  const { [known]: text = '' } = reminders;
  const { [known]: word = { other: '' } } = invoices;
  return text.replace('{invoices}', formOf(word, known, count));
}

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
