import type { Account } from '../../db/schema/account.ts';
import type { Customer } from '../../db/schema/customer.ts';
import { portalWordsOf } from '../../words/portal/words.ts';
import { fill } from '../../words/text.ts';
import { mail } from './layout.ts';
import { type Reader, type Seller, writingFor } from './writing.ts';

export interface PortalMailFacts {
  seller: Seller & Pick<Account, 'currency'>;
  customer: Reader & Pick<Customer, 'currency'>;
  /** URL of the page behind the link. */
  href: string;
}

/** What all mails about the portal have in common. */
function framed(seller: PortalMailFacts['seller'], customer: PortalMailFacts['customer']) {
  const currency = customer.currency ?? seller.currency;
  const writing = writingFor(seller, customer, { currency, timeZone: seller.timeZone });
  const { language, direction, say } = writing;
  const footer = say('sentBy', { seller: seller.name, number: customer.number });
  const frame = { language, direction, seller: seller.name, figure: '', tone: 'plain', rows: [], footer } as const;
  return { words: portalWordsOf(language), writing, frame: { ...frame, rows: [] } };
}

/** Template portal_sign_in_email: the link that signs in. Its paragraphs name no secret, because the API shows them. */
export const portalSignInEmail = mail(({ seller, customer, href }: PortalMailFacts) => {
  const { words, frame } = framed(seller, customer);
  return {
    ...frame,
    subject: fill(words.mailSubject, { seller: seller.name }),
    heading: words.mailHeading,
    paragraphs: [words.mailHere, words.mailElse],
    action: { label: words.signIn, href },
  };
});

/** Template portal_email_change_email: the link that confirms a new address of a customer. */
export const portalEmailChangeEmail = mail(({ seller, customer, href }: PortalMailFacts & Named) => {
  const { words, writing, frame } = framed(seller, customer);
  return {
    ...frame,
    subject: fill(words.changeSubject, { seller: seller.name }),
    heading: words.changeHeading,
    paragraphs: [fill(words.changeHere, { name: writing.own(customer.name) }), words.mailElse],
    action: { label: words.confirmEmail, href },
  };
});

interface Named {
  customer: Reader & Pick<Customer, 'currency' | 'name'>;
}

/** Template portal_email_changed_email: tells the address from before that another one has taken its place. */
export const portalEmailChangedEmail = mail(
  ({ seller, customer, email }: Omit<PortalMailFacts, 'href'> & Named & { email: string }) => {
    const { words, writing, frame } = framed(seller, customer);
    const values = { name: writing.own(customer.name), address: writing.own(email), seller: seller.name };
    return {
      ...frame,
      subject: words.changedSubject,
      heading: words.changedHeading,
      paragraphs: [fill(words.changedHere, values)],
    };
  },
);
