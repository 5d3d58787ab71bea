import { inLanguage } from '../languages.ts';
import { en } from './en.ts';
import type { PlannedWords } from './wording.ts';

/** What timelines tell of planned steps and notices, in a language. */
export function plannedWordsOf(language: string): PlannedWords {
  return inLanguage({ ar: en, de: en, en, es: en, fr: en, he: en, ja: en, zh: en }, language);
}
