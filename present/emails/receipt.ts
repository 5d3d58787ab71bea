import { type GivenRefund, refundedOf } from '../../billing/documents/receipt.ts';
import { add, isZero, roundMoney, subtract } from '../../billing/money/money.ts';
import type { Charge } from '../../db/schema/charge.ts';
import type { Payment } from '../../db/schema/payment.ts';
import { type Addressed, documentUrl } from '../kernel/links.ts';
import type { ViewOf } from '../variables/kinds.ts';
import type { receiptVariables } from '../variables/money.ts';
import type { Themed } from './brand.ts';
import { mail } from './layout.ts';
import { greeted } from './letter.ts';
import type { Row } from './parts.ts';
import { type MailedSource, sourceInWords } from './paymentSource.ts';
import { dayOf, ownOf } from './variables.ts';
import { type Reader, type Seller, type Writing, writingFor } from './writing.ts';

/** A payment, as far as its receipt shows it. */
type MailedPayment = Addressed &
  Pick<Payment, 'amount' | 'balance' | 'credit' | 'currency' | 'date' | 'method' | 'reference' | 'receiptNumber'> & {
    refunds: readonly GivenRefund[];
  };

/** The charge that made a payment. */
interface MailedCharge extends Pick<Charge, 'gatewayId' | 'convenienceFee'> {
  source?: MailedSource | null | undefined;
  refunds: readonly GivenRefund[];
}

export interface ReceiptFacts {
  seller: Seller;
  /** Null: the payment has no known customer yet. */
  customer: (Reader & { name?: string }) | null;
  /** The default theme, for a payment without a customer. Unset: it has a customer. */
  theme?: Themed['shownTheme'];
  payment: MailedPayment;
  /** Null: the payment was not made by a charge. */
  charge: MailedCharge | null;
  /** The invoices that the payment was applied to. */
  applied: { number: string; amount: string }[];
  /** The parts of the payment that went to deposits of estimates. Unset: none. */
  deposited?: string;
  to: { name: string };
  /** Subject and message that the sender wrote. Unset or null: those of the template. */
  subject?: string | null;
  message?: string | null;
}

/**
 * Template payment_receipt_email, sent after every successful charge, renewals included: the amount paid, the payment method, the paid
 * documents. A renewal without a charge sends no mail afterwards; `renewsSoonEmail` comes before it. The sentences are in `words/`.
 */
export const receiptEmail = mail((facts: ReceiptFacts) => {
  const { seller, customer, payment, charge, applied, to } = facts;
  const { currency } = payment;
  const writing = writingFor(seller, customer, { currency, timeZone: seller.timeZone });
  const { language, direction, words, say, labels, formats } = writing;
  const numbers = applied.map((application) => application.number).join(', ');
  const received = formats.money(subtract(payment.amount, payment.credit));
  const refunded = refundedOf((charge ?? payment).refunds, currency);
  const usual = say(numbers ? 'receiptSubject' : 'receiptSubjectAlone', { numbers, seller: seller.name });
  return {
    language,
    direction,
    subject: facts.subject ?? usual,
    seller: seller.name,
    heading: words.receiptHeading,
    figure: received,
    tone: 'good',
    paragraphs: [facts.message ?? greeted(to, writing, [words.receiptHere])],
    rows: [
      ...(payment.receiptNumber ? [{ label: labels.receipt, value: payment.receiptNumber }] : []),
      { label: labels.date, value: formats.day(payment.date) },
      ...paidWith(payment, charge, writing),
      ...applied.map(({ number, amount }) => ({ label: say('numbered', { number }), value: formats.money(amount) })),
      ...otherRows(facts, writing),
      ...feeRow(charge, writing),
      { label: words.totalPaid, value: formats.money(payment.amount), isSum: true },
      ...(isZero(payment.credit)
        ? []
        : [
            { label: labels.paidWithCredits, value: formats.less(payment.credit) },
            { label: labels.amountReceived, value: received },
          ]),
      ...(isZero(refunded) ? [] : [{ label: labels.refunded, value: formats.less(refunded) }]),
    ],
    own: ownOf(writing, variablesOf(facts, writing)),
    action: { label: words.viewReceipt, href: documentUrl('payment', payment) },
    footer: [
      customer
        ? say('sentBy', { seller: seller.name, number: customer.number })
        : say('sentByAlone', { seller: seller.name }),
      ...(charge ? [say('transaction', { id: charge.gatewayId })] : []),
    ].join(words.space),
  };
});

function variablesOf(facts: ReceiptFacts, writing: Writing): ViewOf<typeof receiptVariables> {
  const { payment, charge, applied, seller } = facts;
  const { currency, amount, reference } = payment;
  const money = (value: string) => ({
    amount: writing.formats.money(value),
    amount_number: roundMoney(value, currency),
  });
  return {
    payment: {
      number: payment.receiptNumber ?? null,
      ...dayOf(writing, payment.date, seller.timeZone),
      currency,
      ...money(subtract(amount, payment.credit)),
      method: paidWith(payment, charge, writing)[0]?.value ?? null,
      reference: reference ?? null,
      url: documentUrl('payment', payment),
    },
    documents: applied.map((one) => ({ number: one.number, ...money(one.amount) })),
  };
}

/** The parts of a payment that paid no invoice, so that all rows add up to it: deposits, credit, and what is not applied. */
function otherRows({ payment, charge, applied, deposited = '0' }: ReceiptFacts, { labels, formats }: Writing): Row[] {
  const { amount, balance } = payment;
  const known = add('0', charge?.convenienceFee ?? '0', balance, deposited, ...applied.map((one) => one.amount));
  const parts = [
    { label: labels.deposit, amount: deposited },
    { label: labels.addedToCredit, amount: subtract(amount, known) },
    { label: labels.unapplied, amount: balance },
  ];
  return parts
    .filter((part) => !isZero(part.amount))
    .map((part) => ({ label: part.label, value: formats.money(part.amount) }));
}

/** The convenience fee that was charged; empty: none. */
function feeRow(charge: MailedCharge | null, { labels, formats }: Writing): { label: string; value: string }[] {
  if (!charge || isZero(charge.convenienceFee)) return [];
  return [{ label: labels.convenienceFee, value: formats.money(charge.convenienceFee) }];
}

function paidWith(
  payment: MailedPayment,
  charge: MailedCharge | null,
  { labels, words }: Writing,
): { label: string; value: string }[] {
  if (charge?.source) return [{ label: words.paidWith, value: sourceInWords(charge.source, { labels, words }) }];
  const method = payment.method === 'other' ? undefined : labels.methods[payment.method];
  const reference = payment.reference ? [{ label: labels.reference, value: payment.reference }] : [];
  return [...(method ? [{ label: words.paidWith, value: method }] : []), ...reference];
}
