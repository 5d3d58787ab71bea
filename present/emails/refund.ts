import { type GivenRefund, refundedOf } from '../../billing/documents/receipt.ts';
import { roundMoney } from '../../billing/money/money.ts';
import type { Charge } from '../../db/schema/charge.ts';
import type { Refund } from '../../db/schema/refund.ts';
import type { ViewOf } from '../variables/kinds.ts';
import type { refundVariables } from '../variables/money.ts';
import { mail } from './layout.ts';
import { greeted } from './letter.ts';
import { type MailedSource, sourceInWords } from './paymentSource.ts';
import { ownOf } from './variables.ts';
import { type Reader, type Seller, type Writing, writingFor } from './writing.ts';

/** The refund of a charge, as far as its mail shows it. */
type MailedRefund = Pick<Refund, 'gatewayId' | 'amount' | 'currency' | 'createdAt'>;

interface RefundedCharge extends Pick<Charge, 'amount' | 'createdAt'> {
  source?: MailedSource | null | undefined;
  refunds: readonly GivenRefund[];
}

export interface RefundFacts {
  seller: Seller;
  customer: Reader;
  /** The charge, with the refund. */
  charge: RefundedCharge;
  refund: MailedRefund;
  to: { name: string };
}

/** Template refund_email: the refunded amount, and where the money goes. */
export const refundEmail = mail(({ seller, customer, charge, refund, to }: RefundFacts) => {
  const { currency } = refund;
  const writing = writingFor(seller, customer, { currency, timeZone: seller.timeZone });
  const { language, direction, words, say, labels, formats } = writing;
  const amount = formats.money(refund.amount);
  const { source = null } = charge;
  return {
    language,
    direction,
    seller: seller.name,
    subject: say('refundSubject', { amount, seller: seller.name }),
    heading: words.refundHeading,
    figure: amount,
    tone: 'good',
    paragraphs: [greeted(to, writing, [words.refundTakesDays])],
    rows: [
      { label: labels.date, value: formats.day(refund.createdAt) },
      ...(source ? [{ label: words.refundedTo, value: sourceInWords(source, { labels, words }) }] : []),
      { label: words.paidOn, value: formats.day(charge.createdAt) },
      { label: labels.amountPaid, value: formats.money(charge.amount) },
      { label: words.refundedInAll, value: formats.money(refundedOf(charge.refunds, currency)) },
    ],
    own: ownOf(writing, variablesOf(refund, charge, writing)),
    footer: [
      say('sentBy', { seller: seller.name, number: customer.number }),
      ...(refund.gatewayId ? [say('transaction', { id: refund.gatewayId })] : []),
    ].join(words.space),
  };
});

function variablesOf(
  refund: MailedRefund,
  { source = null }: RefundedCharge,
  writing: Writing,
): ViewOf<typeof refundVariables> {
  const { currency, amount, createdAt } = refund;
  const { formats } = writing;
  return {
    refund: {
      date: formats.day(createdAt),
      currency,
      amount: formats.money(amount),
      amount_number: roundMoney(amount, currency),
      method: source ? sourceInWords(source, writing) : null,
    },
  };
}
