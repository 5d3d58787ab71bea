import { knownDeclineCode } from '../../../billing/payments/declines.ts';
import { ar } from './ar.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { he } from './he.ts';
import { ja } from './ja.ts';
import type { PayingWords } from './wording.ts';
import { zh } from './zh.ts';

const languages: Readonly<Record<string, PayingWords>> = { ar, de, en, es, fr, he, ja, zh };

/** The texts of the pages on which a customer pays. English if they are not translated into a language. */
export function payingWordsOf(language: string): PayingWords {
  return Object.hasOwn(languages, language) ? (languages[language] ?? en) : en;
}

/** The same for the deposit of an estimate. */
export function depositWordsOf(language: string): PayingWords {
  const words = payingWordsOf(language);
  const { errors, ...own } = words.deposit;
  return { ...words, ...own, errors: { ...words.errors, ...errors } };
}

/** A decline as the gateway told it. */
export interface ToldDecline {
  code: string | null;
  message: string | null;
}

/** The reason of a decline in a language. The gateway's own words if the code is unknown. */
export function declineInWords(language: string, { code, message }: ToldDecline): string {
  const known = knownDeclineCode(code);
  const { declines } = payingWordsOf(language);
  return known === null ? (message ?? declines.generic_decline) : declines[known];
}
