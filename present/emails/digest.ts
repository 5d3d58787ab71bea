import { zero } from '../../billing/money.ts';
import type { DigestFacts, DigestSum } from '../../db/queries/accounts/digest.ts';
import { mail } from './layout.ts';
import type { Row } from './parts.ts';
import { teamMail } from './teamMail.ts';
import { type Seller, writingFor } from './writing.ts';

export interface DigestMailFacts {
  seller: Seller & { currency: string };
  /** The first instant of the day that it tells of. */
  day: Date;
  facts: DigestFacts;
}

/** Template digest_email, sent to the team of the account: the money of a day, and what is open now. */
export const digestEmail = mail(({ seller, day, facts }: DigestMailFacts) => {
  const { currency, timeZone } = seller;
  return teamMail(seller, currency, ({ words, say, formats }) => {
    const money = ({ currency, amount }: Omit<DigestSum, 'count'>) =>
      writingFor(seller, null, { currency, timeZone }).formats.money(amount);
    const sums = (label: string, all: readonly DigestSum[]): Row[] =>
      all.map((one) => ({ label, value: `${money(one)} (${formats.quantity(String(one.count))})` }));
    const count = (label: string, number: number): Row[] =>
      number > 0 ? [{ label, value: formats.quantity(String(number)) }] : [];
    const { collected, failed, disputes, openDisputes, problems, tasks } = facts;
    const shown = formats.day(day);
    const first = collected.find((one) => one.currency === currency) ?? collected[0];
    return {
      subject: say('digestSubject', { seller: seller.name, day: shown }),
      heading: say('digestHeading', { day: shown }),
      figure: money(first ?? { currency, amount: zero(currency) }),
      tone: 'plain',
      paragraphs: [words.digestHere],
      rows: [
        ...sums(words.digestCollected, collected),
        ...sums(words.digestFailed, failed),
        ...sums(words.digestDisputes, disputes),
        ...count(words.digestOpenDisputes, openDisputes),
        ...count(words.digestProblems, problems),
        ...count(words.digestTasks, tasks),
      ],
    };
  });
});
