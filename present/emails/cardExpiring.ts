import type { ExpiryMonth } from '../../billing/cardExpiry.ts';
import type { Account } from '../../db/schema/account.ts';
import type { Customer } from '../../db/schema/customer.ts';
import type { ViewOf } from '../variables/kinds.ts';
import type { cardExpiringVariables } from '../variables/money.ts';
import { mail } from './layout.ts';
import { greeted } from './letter.ts';
import { type MailedSource, sourceInWords } from './source.ts';
import { ownOf } from './variables.ts';
import { type Reader, type Seller, writingFor } from './writing.ts';

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
