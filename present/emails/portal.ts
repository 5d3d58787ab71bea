import type { Account } from '../../db/schema/account.ts';
import type { Customer } from '../../db/schema/customer.ts';
import { fill } from '../printed/labels.ts';
import { portalWordsOf } from '../printed/portal/words.ts';
import { mail } from './layout.ts';
import { type Reader, type Seller, writingFor } from './writing.ts';

export interface PortalMailFacts {
  seller: Seller & Pick<Account, 'currency'>;
  customer: Reader & Pick<Customer, 'currency'>;
  /** URL of the page behind the link. */
  href: string;
}

/** Template portal_sign_in_email: the link that signs in. Its paragraphs name no secret, because the API shows them. */
export const portalSignInEmail = mail(({ seller, customer, href }: PortalMailFacts) => {
  const currency = customer.currency ?? seller.currency;
  const writing = writingFor(seller, customer, { currency, timeZone: seller.timeZone });
  const { language, direction, say } = writing;
  const words = portalWordsOf(language);
  return {
    language,
    direction,
    seller: seller.name,
    subject: fill(words.mailSubject, { seller: seller.name }),
    heading: words.mailHeading,
    figure: '',
    tone: 'plain',
    paragraphs: [words.mailHere, words.mailElse],
    rows: [],
    action: { label: words.signIn, href },
    footer: say('sentBy', { seller: seller.name, number: customer.number }),
  };
});
