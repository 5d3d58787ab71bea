import { inLanguage } from '../languages.ts';
import { ar } from './ar.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { he } from './he.ts';
import { ja } from './ja.ts';
import type { ManagingWords } from './wording.ts';
import { zh } from './zh.ts';

/** The texts of the pages on which a customer looks at a subscription and adds a payment source. English if they are not translated. */
export function managingWordsOf(language: string): ManagingWords {
  return inLanguage({ ar, de, en, es, fr, he, ja, zh }, language);
}
