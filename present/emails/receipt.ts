import type { Charge } from '../../db/schema/charge.ts';
import type { Customer } from '../../db/schema/customer.ts';
import type { Payment } from '../../db/schema/payment.ts';
import { documentUrl } from '../links.ts';
import { formatDay, formatMoney } from './format.ts';
import { type RenderedEmail, renderEmail } from './layout.ts';
import { sourceInWords } from './source.ts';

export interface ReceiptFacts {
  seller: { name: string; timeZone: string };
  /** Null: nobody knows yet whose payment it is. */
  customer: Customer | null;
  payment: Payment;
  /** Null: it came by other ways. */
  charge: Charge | null;
  /** What the payment was applied to. */
  applied: { number: string; amount: string }[];
  to: { name: string };
  /** In place of the template's own words. */
  subject?: string | null;
  message?: string | null;
}

/** payment_receipt_email: what was paid, with what, for which invoices. */
export function receiptEmail(facts: ReceiptFacts): RenderedEmail {
  const { seller, customer, payment, charge, applied, to } = facts;
  const amount = formatMoney(payment.amount, payment.currency);
  const numbers = applied.map((application) => application.number).join(', ');
  const hello = to.name ? `Hello ${to.name}` : 'Hello';
  const usual = numbers ? `Receipt for ${numbers} from ${seller.name}` : `Receipt from ${seller.name}`;
  return renderEmail({
    subject: facts.subject ?? usual,
    seller: seller.name,
    heading: 'Thank you, we received your payment.',
    figure: amount,
    tone: 'good',
    paragraphs: [facts.message ?? `${hello}, this is your receipt.`],
    rows: [
      { label: 'Date', value: formatDay(payment.date, seller.timeZone) },
      ...paidWith(payment, charge),
      ...applied.map(({ number, amount: share }) => ({
        label: `Invoice ${number}`,
        value: formatMoney(share, payment.currency),
      })),
      { label: 'Total paid', value: amount },
    ],
    action: { label: 'View receipt', href: documentUrl('payment', payment) },
    footer: [
      customer ? `Sent by ${seller.name} about account ${customer.number}.` : `Sent by ${seller.name}.`,
      ...(charge ? [`Transaction ${charge.gatewayId}.`] : []),
    ].join(' '),
  });
}

const METHODS: Readonly<Record<string, string>> = {
  ach: 'Bank debit',
  cash: 'Cash',
  check: 'Check',
  credit_card: 'Card',
  eft: 'Electronic transfer',
  direct_debit: 'Direct debit',
  online_wallet: 'Online wallet',
  wire_transfer: 'Wire transfer',
};

function paidWith(payment: Payment, charge: Charge | null): { label: string; value: string }[] {
  if (charge?.source) return [{ label: 'Paid with', value: sourceInWords(charge.source) }];
  const method = METHODS[payment.method];
  const reference = payment.reference ? [{ label: 'Reference', value: payment.reference }] : [];
  return [...(method ? [{ label: 'Paid with', value: method }] : []), ...reference];
}
