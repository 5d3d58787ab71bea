import { type Money, roundMoney } from '../../billing/money.ts';
import { mail } from './layout.ts';
import { type Seller, writingFor } from './writing.ts';

export interface ProblemFacts {
  seller: Seller;
  problem: {
    id: number;
    /** The amount that cannot be billed or collected meanwhile. */
    amount: Money;
    currency: string;
    /** Type and id of the object: `invoice 77`. The mail has no name, because it stays when a customer is anonymized. */
    object: string;
  };
}

/** Template problem_email, sent to the team of the account: an amount that cannot be billed or collected. */
export const problemEmail = mail(({ seller, problem }: ProblemFacts) => {
  const { currency } = problem;
  const writing = writingFor(seller, null, { currency, timeZone: seller.timeZone });
  const { language, direction, words, say, formats } = writing;
  const amount = formats.money(roundMoney(problem.amount, currency));
  return {
    language,
    direction,
    seller: seller.name,
    subject: say('problemSubject', { amount }),
    heading: say('problemHeading', { amount }),
    figure: amount,
    tone: 'bad',
    paragraphs: [words.problemHere],
    rows: [
      { label: words.problemObject, value: problem.object },
      { label: words.problemNumber, value: String(problem.id) },
    ],
    footer: say('sentByAlone', { seller: seller.name }),
  };
});
