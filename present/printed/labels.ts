import { ar } from './labels/ar.ts';
import { de } from './labels/de.ts';
import { en } from './labels/en.ts';
import { es } from './labels/es.ts';
import { fr } from './labels/fr.ts';
import { he } from './labels/he.ts';
import { ja } from './labels/ja.ts';
import { zh } from './labels/zh.ts';
import type { Labels } from './wording.ts';

const languages: Readonly<Record<string, Labels>> = { ar, de, en, es, fr, he, ja, zh };

/** The languages into which documents and mails are translated. */
export const spokenLanguages = Object.keys(languages);

/** Whether documents are translated into a language. */
export function isSpoken(language: string): boolean {
  return Object.hasOwn(languages, language);
}

/** The first of the wanted languages into which documents are translated, or else English. */
export function spokenOf(wanted: readonly string[]): string {
  return wanted.map((tag) => tag.slice(0, 2).toLowerCase()).find(isSpoken) ?? 'en';
}

/** The labels of a language. English if documents are not translated into it. */
export function labelsOf(language: string): Labels {
  return Object.hasOwn(languages, language) ? (languages[language] ?? en) : en;
}

/** Japanese titles at the end of a name, which then gets no further one. */
const TITLED = /(様|さま|サマ|さん|殿|御中|先生)[\s\u2069]*$/;

/**
 * Replaces the placeholders of a label, such as `{day}`, by their values. Placeholders without a value stay. A name that has a title already
 * does not get that of the label (`{name}様`).
 */
export function fill(label: string, values: Readonly<Record<string, string | number>>): string {
  return label.replace(/\{(\w+)\}(\s*様)?/g, (whole, name: string, title = '') => {
    const value = values[name];
    if (value === undefined) return whole;
    return TITLED.test(String(value)) ? String(value) : `${value}${title}`;
  });
}

/** A text for a number: its forms by the plural rules of the language. `other`: every number without a form of its own. */
export type Plural = Readonly<{ other: string } & Partial<Record<Intl.LDMLPluralRule, string>>>;

/** The form of a text for a number. */
export function formOf(plural: Plural, language: string, count: number): string {
  return plural[new Intl.PluralRules(language).select(count)] ?? plural.other;
}

/** The form of a text for a number, with its values. */
export function fillCount(
  plural: Plural,
  { language, count }: { language: string; count: number },
  values: Readonly<Record<string, string | number>>,
): string {
  return fill(formOf(plural, language, count), values);
}

/** The language and country for which a document or a mail is written. */
export interface Reader {
  /** ISO 639-1 code of a translated language. */
  language: string;
  /** Null: numbers and dates have the default format of the language. */
  country: string | null;
}

interface Party {
  language?: string | null | undefined;
  country?: string | null | undefined;
}

/**
 * The reader of the documents and mails that a seller sends to a customer. Texts, numbers and dates follow this language and country. A
 * language that is not translated becomes English. The country is the customer's, or else the seller's. The seller's country is not used for
 * a customer with a language of its own.
 */
export function readerOf({
  customer,
  seller,
  language,
}: {
  customer: Party | null;
  seller: Party;
  language: string;
}): Reader {
  const otherwise = customer?.language ? null : (seller.country ?? null);
  return { language: isSpoken(language) ? language : 'en', country: customer?.country ?? otherwise };
}
