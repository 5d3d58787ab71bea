import { isSpoken } from './labels.ts';

/** Whose language and country a document or a mail is written for. */
export interface Reader {
  /** Two letters, of a language that there are words of. */
  language: string;
  /** Null: nobody knows it, and numbers and days are those of the language at large. */
  country: string | null;
}

interface Party {
  language?: string | null | undefined;
  country?: string | null | undefined;
}

/**
 * The reader of what a seller writes to a customer: words, numbers and days are all of this one language and country. The seller's
 * language and country stand in for what the customer has not said, but its country never for that of a customer with a language of its
 * own. A language that nobody has translated is English.
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
