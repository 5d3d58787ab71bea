import type { ChargedSource } from '../../db/schema/charge.ts';
import type { Customer } from '../../db/schema/customer.ts';
import type { Invoice } from '../../db/schema/invoice.ts';
import { mail } from './layout.ts';
import { greeted } from './letter.ts';
import { sourceInWords } from './source.ts';
import { type Seller, type Writing, writingFor } from './writing.ts';

export interface PaymentFailedFacts {
  seller: Seller;
  customer: Customer;
  invoice: Invoice;
  source: ChargedSource | null;
  /** The gateway's reason, in its own words. */
  reason: string;
}

/** Template auto_payment_failed_email: why the charge failed and what happens next. */
export const paymentFailedEmail = mail(({ seller, customer, invoice, source, reason }: PaymentFailedFacts) => {
  const number = invoice.number ?? '';
  const { currency } = invoice;
  const writing = writingFor(seller, customer, { currency, timeZone: seller.timeZone });
  const { language, direction, say, labels, words, formats } = writing;
  const amount = formats.money(invoice.balance);
  return {
    language,
    direction,
    seller: seller.name,
    subject: say('failedSubject', { number }),
    heading: say('failedHeading', { number }),
    figure: amount,
    tone: 'bad',
    paragraphs: [
      greeted(customer, writing, [say('declined', { reason })]),
      whatIsNext(invoice, writing).join(words.space),
    ],
    rows: [
      { label: labels.invoice, value: number },
      { label: words.invoiceDate, value: formats.day(invoice.date) },
      ...(source ? [{ label: labels.method, value: sourceInWords(source, writing) }] : []),
      { label: labels.amountDue, value: amount },
    ],
    footer: say('sentBy', { seller: seller.name, number: customer.number }),
  };
});

function whatIsNext({ nextPaymentAttemptAt, dueAt }: Invoice, { words, say, formats }: Writing): string[] {
  if (nextPaymentAttemptAt) return [say('tryAgain', { day: formats.day(nextPaymentAttemptAt) })];
  return [words.tryNoMore, ...(dueAt ? [say('payThenBy', { day: formats.day(dueAt) })] : [])];
}
