import { inLanguage } from '../languages.ts';
import { ar } from './ar.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { he } from './he.ts';
import { ja } from './ja.ts';
import type { PortalWords } from './wording.ts';
import { zh } from './zh.ts';

/** The texts of the portal of customers. English if they are not translated. */
export function portalWordsOf(language: string): PortalWords {
  return inLanguage({ ar, de, en, es, fr, he, ja, zh }, language);
}
