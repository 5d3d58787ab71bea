import type { Account } from '../../db/schema/account.ts';
import type { Customer } from '../../db/schema/customer.ts';
import { accountingWordsOf } from '../../words/accounting/words.ts';
import type { MailWords } from '../../words/emails/wording.ts';
import { mailWordsOf } from '../../words/emails/words.ts';
import { labelsOf } from '../../words/labels/words.ts';
import { fill } from '../../words/text.ts';
import { directionOf, formatsOf, isolated } from '../printed/formats.ts';
import type { Pen } from '../printed/head.ts';
import { readerOf } from '../printed/reader.ts';

/** The sender of a mail, as far as its look depends on it. */
export type Sender = Pick<Account, 'name'> &
  Partial<
    Pick<
      Account,
      | 'address1'
      | 'address2'
      | 'city'
      | 'state'
      | 'postalCode'
      | 'country'
      | 'accentColor'
      | 'logoHash'
      | 'environment'
      | 'email'
      | 'replyTo'
    >
  >;

/** The sender of mails to customers. */
export type Seller = Sender & Pick<Account, 'language' | 'country' | 'timeZone'>;

/** The customer who reads the mail. */
export type Reader = Pick<Customer, 'number' | 'language' | 'country' | 'shownTheme'>;

/** The texts that do not depend on a number. */
type Sentence = { [Name in keyof MailWords]: MailWords[Name] extends string ? Name : never }[keyof MailWords];

/** Language, formats and texts for one mail. */
export interface Writing extends Pen {
  language: string;
  /** The country whose number and date formats are used. Null: the default of the language. */
  country: string | null;
  direction: 'ltr' | 'rtl';
  words: MailWords;
  say(what: Sentence, values: Readonly<Record<string, string>>): string;
}

/** The writing for mails to a customer. It has the same language and country as the customer's documents. */
export function writingFor(
  seller: Seller,
  customer: Reader | null,
  of: { currency: string; timeZone: string },
): Writing {
  const wanted = customer?.language ?? seller.language;
  const { language, country } = readerOf({ customer, seller, language: wanted });
  const words = mailWordsOf(language);
  const direction = directionOf(language);
  return {
    language,
    country,
    words,
    direction,
    labels: labelsOf(language),
    accounting: accountingWordsOf(language),
    own: (text) => isolated(text, direction),
    formats: formatsOf({ language, country, currency: of.currency, timeZone: of.timeZone }),
    say: (what, values) => fill(words[what], values),
  };
}
