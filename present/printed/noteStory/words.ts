import { ar } from './ar.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { he } from './he.ts';
import { ja } from './ja.ts';
import type { StoryWords } from './wording.ts';
import { zh } from './zh.ts';

const languages: Readonly<Record<string, StoryWords>> = { ar, de, en, es, fr, he, ja, zh };

/** The texts about what became of a credit note. English if they are not translated into a language. */
export function storyWordsOf(language: string): StoryWords {
  return Object.hasOwn(languages, language) ? (languages[language] ?? en) : en;
}
