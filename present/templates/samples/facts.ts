import type { Account } from '../../../db/schema/account.ts';
import { type SampleWords, sampleWordsOf } from '../../../words/samples.ts';
import type { Reader, Seller } from '../../emails/writing.ts';

/** The business whose mails are shown. */
export type SampleSeller = Pick<Account, 'name' | 'language' | 'country' | 'currency'> &
  Partial<Pick<Account, 'email' | 'replyTo'>>;

/** The facts that all samples have in common. */
export interface SampleFacts {
  seller: SampleSeller & Seller;
  customer: Reader & { name: string; currency: null };
  to: { name: string };
  currency: string;
  words: SampleWords;
}

export const DAYS = {
  start: new Date('2026-12-01T00:00:00Z'),
  date: new Date('2026-12-01T12:00:00Z'),
  retry: new Date('2026-12-04T12:00:00Z'),
  wasDue: new Date('2026-12-05T12:00:00Z'),
  now: new Date('2026-12-15T12:00:00Z'),
  due: new Date('2026-12-31T12:00:00Z'),
  end: new Date('2027-01-01T00:00:00Z'),
};

/** The price of the plan, which all samples bill. */
export const PRICE = '249';

/** The part of the address that makes a page secret. A sample has no page. */
export const TOKEN = 'Example';

/** A page that does not exist. */
export const NO_PAGE = 'https://billing.example/invoices/1/7/Example';

/**
 * The facts for a language. The customer has a language of its own if it is not that of the seller, so that numbers and days have the format
 * that the mail to such a customer would have.
 */
export function factsIn(language: string, seller: SampleSeller): SampleFacts {
  const words = sampleWordsOf(language);
  const name = words.customer;
  const own = language === seller.language ? null : language;
  return {
    seller: { ...seller, timeZone: 'UTC' },
    customer: { number: 'CUST-0001', name, language: own, country: null, currency: null },
    to: { name },
    currency: seller.currency,
    words,
  };
}

/** The fields that the documents of samples have in common. */
export function documentOf({ currency }: SampleFacts, number: string) {
  return {
    accountId: 0,
    id: 7,
    token: TOKEN,
    number,
    currency,
    timeZone: 'UTC',
    date: DAYS.date,
    purchaseOrder: 'PO-7',
  };
}
