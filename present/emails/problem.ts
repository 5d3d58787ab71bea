import { type Money, roundMoney } from '../../billing/money.ts';
import { mail } from './layout.ts';
import type { Row } from './parts.ts';
import { teamMail } from './teamMail.ts';
import type { Seller } from './writing.ts';

/** An amount that cannot be billed or collected meanwhile; or what is wrong, in words that name no customer. */
type Stuck = { amount: Money; currency: string } | { message: string };

export interface ProblemFacts {
  seller: Seller;
  problem: Stuck & {
    id: number;
    /** Type and id of the object: `invoice 77`. The mail has no name, because it stays when a customer is anonymized. */
    object: string;
    /** Further problems of this type that the team was not told yet. */
    more: number;
  };
}

/** Currency of the formats of a mail without amounts. */
const NO_AMOUNT = 'usd';

/** Template problem_email, sent to the team of the account. */
export const problemEmail = mail(({ seller, problem }: ProblemFacts) => {
  const currency = 'currency' in problem ? problem.currency : NO_AMOUNT;
  return teamMail(seller, currency, ({ words, say, formats }) => {
    const amount = 'amount' in problem ? formats.money(roundMoney(problem.amount, currency)) : null;
    const reason: Row[] = 'message' in problem ? [{ label: words.problemReason, value: problem.message }] : [];
    const further: Row[] =
      problem.more > 0 ? [{ label: words.problemMore, value: formats.quantity(String(problem.more)) }] : [];
    return {
      subject: amount ? say('problemSubject', { amount }) : words.problemOtherSubject,
      heading: amount ? words.problemHeading : words.problemOtherHeading,
      figure: amount ?? problem.object,
      tone: 'bad',
      paragraphs: amount ? [words.problemHere] : [],
      rows: [
        ...reason,
        { label: words.problemObject, value: problem.object },
        { label: words.problemNumber, value: String(problem.id) },
        ...further,
      ],
    };
  });
});
