import { inLanguage } from '../languages.ts';
import { en } from './en.ts';
import type { TimelineWords } from './wording.ts';

/** What timelines tell of events and mails, in a language. */
export function timelineWordsOf(language: string): TimelineWords {
  return inLanguage({ ar: en, de: en, en, es: en, fr: en, he: en, ja: en, zh: en }, language);
}
