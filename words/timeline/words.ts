import { inLanguage } from '../languages.ts';
import { ar } from './ar.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { he } from './he.ts';
import { ja } from './ja.ts';
import type { TimelineWords } from './wording.ts';
import { zh } from './zh.ts';

/** What timelines tell of events and mails, in a language. */
export function timelineWordsOf(language: string): TimelineWords {
  return inLanguage({ ar, de, en, es, fr, he, ja, zh }, language);
}
