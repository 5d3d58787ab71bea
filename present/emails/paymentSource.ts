import type { ExpiryMonth } from '../../billing/collection/cardExpiry.ts';
import type { Account } from '../../db/schema/account.ts';
import type { Customer } from '../../db/schema/customer.ts';
import { fill } from '../../words/text.ts';
import { type NamedSource, sourceName } from '../printed/paying.ts';
import type { ViewOf } from '../variables/kinds.ts';
import type { cardExpiringVariables, sourceRemovedVariables } from '../variables/money.ts';
import { mail } from './layout.ts';
import { greeted } from './letter.ts';
import { ownOf } from './variables.ts';
import { type Reader, type Seller, type Writing, writingFor } from './writing.ts';

/** A payment source, as far as mails name it. */
export type MailedSource = NamedSource;

/** A payment source in words: "Visa ending in 4242", "Bank account ending in 6789". */
export function sourceInWords(source: MailedSource, { labels, words }: Pick<Writing, 'labels' | 'words'>): string {
  const name = sourceName(source, { card: labels.methods.credit_card ?? '', bankAccount: words.bankAccount });
  return fill(labels.endingIn, { name, digits: source.last4 });
}

export interface CardExpiringFacts {
  seller: Seller & Pick<Account, 'currency'>;
  customer: Reader & Pick<Customer, 'currency'>;
  source: MailedSource;
  expires: ExpiryMonth;
  to: { name: string };
  /** URL of the page on which the customer replaces the card. */
  link: string;
}

/** Template card_expiring_email: which card expires, and when. */
export const cardExpiringEmail = mail(({ seller, customer, source, expires, to, link }: CardExpiringFacts) => {
  const writing = writingFor(seller, customer, {
    currency: customer.currency ?? seller.currency,
    timeZone: seller.timeZone,
  });
  const { language, direction, words, say, labels, formats } = writing;
  const method = sourceInWords(source, writing);
  const month = formats.month(expires);
  const variables: ViewOf<typeof cardExpiringVariables> = { method, month, source_url: link };
  return {
    language,
    direction,
    seller: seller.name,
    subject: say('expiringSubject', { seller: seller.name }),
    heading: words.expiringHeading,
    figure: month,
    tone: 'bad',
    paragraphs: [greeted(to, writing, [say('expiringHere', { method, month }), words.expiringReplace])],
    rows: [
      { label: labels.method, value: method },
      { label: words.validThrough, value: month },
    ],
    own: ownOf(writing, variables),
    action: { label: words.updateSource, href: link },
    footer: say('sentBy', { seller: seller.name, number: customer.number }),
  };
});

export interface SourceRemovedFacts {
  seller: Seller & Pick<Account, 'currency'>;
  customer: Reader & Pick<Customer, 'currency'>;
  source: MailedSource;
  to: { name: string };
  /** URL of the page on which the customer adds another one. */
  link: string;
}

/** Template payment_source_removed_email: which payment source is no longer stored at its gateway. */
export const sourceRemovedEmail = mail(({ seller, customer, source, to, link }: SourceRemovedFacts) => {
  const writing = writingFor(seller, customer, {
    currency: customer.currency ?? seller.currency,
    timeZone: seller.timeZone,
  });
  const { language, direction, words, say, labels } = writing;
  const method = sourceInWords(source, writing);
  const variables: ViewOf<typeof sourceRemovedVariables> = { method, source_url: link };
  return {
    language,
    direction,
    seller: seller.name,
    subject: say('removedSubject', { seller: seller.name }),
    heading: words.removedHeading,
    figure: method,
    tone: 'bad',
    paragraphs: [greeted(to, writing, [words.removedHere, words.removedReplace])],
    rows: [{ label: labels.method, value: method }],
    own: ownOf(writing, variables),
    action: { label: words.updateSource, href: link },
    footer: say('sentBy', { seller: seller.name, number: customer.number }),
  };
});
