import { inLanguage } from '../languages.ts';
import { ar } from './ar.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { he } from './he.ts';
import { ja } from './ja.ts';
import type { PayingWords } from './wording.ts';
import { zh } from './zh.ts';

/** The texts of the pages on which a customer pays. English if they are not translated into a language. */
export function payingWordsOf(language: string): PayingWords {
  return inLanguage({ ar, de, en, es, fr, he, ja, zh }, language);
}

/** The same for the deposit of an estimate. */
export function depositWordsOf(language: string): PayingWords {
  const words = payingWordsOf(language);
  const { errors, ...own } = words.deposit;
  return { ...words, ...own, errors: { ...words.errors, ...errors } };
}
