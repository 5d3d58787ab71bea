import type { MailWords } from './wording.ts';
import { ar } from './words/ar.ts';
import { de } from './words/de.ts';
import { en } from './words/en.ts';
import { es } from './words/es.ts';
import { fr } from './words/fr.ts';
import { he } from './words/he.ts';
import { ja } from './words/ja.ts';
import { zh } from './words/zh.ts';

const languages: Readonly<Record<string, MailWords>> = { ar, de, en, es, fr, he, ja, zh };

/** The texts of a language. English if mails are not translated into it. */
export function mailWordsOf(language: string): MailWords {
  return Object.hasOwn(languages, language) ? (languages[language] ?? en) : en;
}
