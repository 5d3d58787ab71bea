import { roundMoney } from '../../billing/money.ts';
import type { Dispute } from '../../db/schema/dispute.ts';
import { mail } from './layout.ts';
import { teamMail } from './teamMail.ts';
import type { Seller } from './writing.ts';

export interface DisputeFacts {
  seller: Seller;
  dispute: Pick<Dispute, 'amount' | 'currency' | 'reason' | 'gatewayId' | 'evidenceDueAt'>;
  /** Number of the customer. The mail has no name, because it stays when the customer is anonymized. */
  customerNumber: string;
}

/** Template dispute_email, sent to the team of the account: which payment is disputed, and until when evidence helps. */
export const disputeEmail = mail(({ seller, dispute, customerNumber }: DisputeFacts) => {
  const { currency, evidenceDueAt } = dispute;
  return teamMail(seller, currency, ({ words, say, formats }) => {
    const amount = formats.money(roundMoney(dispute.amount, currency));
    const day = evidenceDueAt ? formats.day(evidenceDueAt) : null;
    const evidence = day ? say('disputeEvidence', { day }) : words.disputeEvidenceSoon;
    return {
      subject: say('disputeSubject', { amount }),
      heading: words.disputeHeading,
      figure: amount,
      tone: 'bad',
      paragraphs: [[words.disputeHere, evidence].join(words.space)],
      rows: [
        { label: words.disputeCustomer, value: customerNumber },
        { label: words.disputeReason, value: dispute.reason },
        { label: words.disputeReference, value: dispute.gatewayId },
      ],
    };
  });
});
