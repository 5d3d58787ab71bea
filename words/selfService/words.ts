import { inLanguage } from '../languages.ts';
import { ar } from './ar.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { he } from './he.ts';
import { ja } from './ja.ts';
import type { SelfServiceWords } from './wording.ts';
import { zh } from './zh.ts';

/** The texts of what customers do themselves. English if they are not translated. */
export function selfServiceWordsOf(language: string): SelfServiceWords {
  return inLanguage({ ar, de, en, es, fr, he, ja, zh }, language);
}
