import { isPositive, subtract } from '../../billing/money.ts';
import type { Charge } from '../../db/schema/charge.ts';
import type { Customer } from '../../db/schema/customer.ts';
import type { Payment } from '../../db/schema/payment.ts';
import { formatDay, formatMoney } from './format.ts';
import { type RenderedEmail, renderEmail } from './layout.ts';
import { sourceInWords } from './source.ts';

export interface ReceiptFacts {
  seller: { name: string; timeZone: string };
  customer: Customer;
  payment: Payment;
  charge: Charge;
  /** What the payment was applied to. */
  applied: { number: string; amount: string }[];
}

/** payment_receipt_email: what was paid, with what, for which invoices. */
export function receiptEmail({ seller, customer, payment, charge, applied }: ReceiptFacts): RenderedEmail {
  const amount = formatMoney(charge.amount, payment.currency);
  const credit = subtract(payment.amount, charge.amount);
  const numbers = applied.map((application) => application.number).join(', ');
  return renderEmail({
    subject: numbers ? `Receipt for ${numbers} from ${seller.name}` : `Receipt from ${seller.name}`,
    seller: seller.name,
    heading: 'Thank you, we received your payment.',
    figure: amount,
    tone: 'good',
    paragraphs: [`Hello ${customer.name}, this is your receipt. Nothing is left for you to do.`],
    rows: [
      { label: 'Date', value: formatDay(payment.date, seller.timeZone) },
      ...(charge.source ? [{ label: 'Paid with', value: sourceInWords(charge.source) }] : []),
      ...applied.map(({ number, amount: share }) => ({
        label: `Invoice ${number}`,
        value: formatMoney(share, payment.currency),
      })),
      ...(isPositive(credit) ? [{ label: 'Paid from your credit', value: formatMoney(credit, payment.currency) }] : []),
      { label: 'Total paid', value: amount },
    ],
    footer: `Sent by ${seller.name} about account ${customer.number}. Transaction ${charge.gatewayId}.`,
  });
}
