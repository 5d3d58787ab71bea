import { inLanguage, type Language } from '../languages.ts';
import { ar } from './ar.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { he } from './he.ts';
import { ja } from './ja.ts';
import type { RefusalWords } from './wording.ts';
import { zh } from './zh.ts';

/** The texts of refusals, problems and outcomes. */
export function refusalWordsOf(language: Language): RefusalWords {
  return inLanguage({ ar, de, en, es, fr, he, ja, zh }, language);
}
