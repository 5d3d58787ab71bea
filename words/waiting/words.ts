import { inLanguage } from '../languages.ts';
import { ar } from './ar.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { he } from './he.ts';
import { ja } from './ja.ts';
import type { WaitingWords } from './wording.ts';
import { zh } from './zh.ts';

/** Why something waits for a person, in a language. */
export function waitingWordsOf(language: string): WaitingWords {
  return inLanguage({ ar, de, en, es, fr, he, ja, zh }, language);
}
