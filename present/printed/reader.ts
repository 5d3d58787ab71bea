import { isSpoken } from '../../words/languages.ts';

/** The language and country for which a document or a mail is written. */
export interface Reader {
  /** ISO 639-1 code of a translated language. */
  language: string;
  /** Null: numbers and dates have the default format of the language. */
  country: string | null;
}

interface Party {
  language?: string | null | undefined;
  country?: string | null | undefined;
}

/**
 * The reader of the documents and mails that a seller sends to a customer. Texts, numbers and dates follow this language and country. A
 * language that is not translated becomes English. The country is the customer's, or else the seller's. The seller's country is not used for
 * a customer with a language of its own.
 */
export function readerOf({
  customer,
  seller,
  language,
}: {
  customer: Party | null;
  seller: Party;
  language: string;
}): Reader {
  const otherwise = customer?.language ? null : (seller.country ?? null);
  return { language: isSpoken(language) ? language : 'en', country: customer?.country ?? otherwise };
}
