import type { Language } from '../../words/languages.ts';
import type { ColumnTitles } from '../../words/reporting/wording.ts';
import { fill, valuesIn } from '../../words/text.ts';

/** Each language is a file of its own, which reports load. English titles are those of the API. */
export const columnTitles: Readonly<Record<Language, () => Promise<ColumnTitles>>> = {
  ar: async () => (await import('../../words/reporting/ar.ts')).ar,
  de: async () => (await import('../../words/reporting/de.ts')).de,
  en: async () => ({}),
  es: async () => (await import('../../words/reporting/es.ts')).es,
  fr: async () => (await import('../../words/reporting/fr.ts')).fr,
  he: async () => (await import('../../words/reporting/he.ts')).he,
  ja: async () => (await import('../../words/reporting/ja.ts')).ja,
  zh: async () => (await import('../../words/reporting/zh.ts')).zh,
};

/** The title of a column in a language; one that is unknown, such as the name of a custom field, stays. */
export function titleIn(titles: ColumnTitles, title: string): string {
  const exact = titles[title];
  if (exact !== undefined) return exact;
  for (const [label, said] of Object.entries(titles)) {
    const values = label.includes('{') ? valuesIn(label, title) : null;
    if (values) return fill(said, values);
  }
  return title;
}
