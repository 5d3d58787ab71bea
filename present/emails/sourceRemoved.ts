import type { Account } from '../../db/schema/account.ts';
import type { Customer } from '../../db/schema/customer.ts';
import type { ViewOf } from '../variables/kinds.ts';
import type { sourceRemovedVariables } from '../variables/money.ts';
import { mail } from './layout.ts';
import { greeted } from './letter.ts';
import { type MailedSource, sourceInWords } from './source.ts';
import { ownOf } from './variables.ts';
import { type Reader, type Seller, writingFor } from './writing.ts';

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
