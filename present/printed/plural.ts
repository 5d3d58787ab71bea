import { fill } from './labels.ts';

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
