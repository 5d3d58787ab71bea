import type { Account } from '../../db/schema/account.ts';
import type { Customer } from '../../db/schema/customer.ts';
import { directionOf, type Formats, formatsOf } from '../printed/formats.ts';
import { fill, labelsOf } from '../printed/labels.ts';
import { readerOf } from '../printed/reader.ts';
import type { Labels } from '../printed/wording.ts';
import type { MailWords } from './wording.ts';
import { mailWordsOf } from './words.ts';

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

/** Language, formats and texts for one mail. */
export interface Writing {
  language: string;
  /** The country whose number and date formats are used. Null: the default of the language. */
  country: string | null;
  direction: 'ltr' | 'rtl';
  formats: Formats;
  /** The labels that documents use, too. */
  labels: Labels;
  words: MailWords;
  say(what: keyof MailWords, values: Readonly<Record<string, string>>): string;
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
  return {
    language,
    country,
    words,
    direction: directionOf(language),
    labels: labelsOf(language),
    formats: formatsOf({ language, country, currency: of.currency, timeZone: of.timeZone }),
    say: (what, values) => fill(words[what], values),
  };
}
