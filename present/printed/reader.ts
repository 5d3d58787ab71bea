import { isSpoken } from './labels.ts';

/** The language and country for which a document or a mail is written. */
export interface Reader {
  /** ISO 639-1 code of a translated language. */
  language: string;
  /** Null: unknown; numbers and dates follow the language's default. */
  country: string | null;
}

interface Party {
  language?: string | null | undefined;
  country?: string | null | undefined;
}

/**
 * The reader of a seller's documents and mails to a customer: texts, numbers and dates follow this one language and country. A `language`
 * that is not translated becomes English. The country is the customer's, else the seller's. The seller's is not used for a customer with a
 * language of its own.
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
