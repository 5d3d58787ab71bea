import type { ChargedSource } from '../../db/schema/charge.ts';
import type { Customer } from '../../db/schema/customer.ts';
import type { Invoice } from '../../db/schema/invoice.ts';
import { formatDay, formatMoney } from './format.ts';
import { type RenderedEmail, renderEmail } from './layout.ts';
import { sourceInWords } from './source.ts';

export interface PaymentFailedFacts {
  seller: { name: string; timeZone: string };
  customer: Customer;
  invoice: Invoice;
  source: ChargedSource | null;
  /** The gateway's reason, in words. */
  reason: string;
}

/** auto_payment_failed_email: why the charge failed and what happens next. */
export function paymentFailedEmail({ seller, customer, invoice, source, reason }: PaymentFailedFacts): RenderedEmail {
  const number = invoice.number ?? '';
  const amount = formatMoney(invoice.balance, invoice.currency);
  const day = (at: Date) => formatDay(at, seller.timeZone);
  const next = invoice.nextPaymentAttemptAt
    ? `We will try again on ${day(invoice.nextPaymentAttemptAt)}.`
    : `We will not try again by ourselves.${invoice.dueAt ? ` Please pay by ${day(invoice.dueAt)}.` : ''}`;
  return renderEmail({
    subject: `Your payment for ${number} did not go through`,
    seller: seller.name,
    heading: `We could not collect invoice ${number}.`,
    figure: amount,
    tone: 'bad',
    paragraphs: [`Hello ${customer.name}, the payment was declined: ${reason}`, next],
    rows: [
      { label: 'Invoice', value: number },
      { label: 'Invoice date', value: day(invoice.date) },
      ...(source ? [{ label: 'Payment method', value: sourceInWords(source) }] : []),
      { label: 'Amount due', value: amount },
    ],
    footer: `Sent by ${seller.name} about account ${customer.number}.`,
  });
}
