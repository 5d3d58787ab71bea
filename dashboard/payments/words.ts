import type { ReceivingWords } from '../../words/receiving/wording.ts';
import { fillCount, type Plural } from '../../words/text.ts';
import { useFormats } from '../formats.ts';
import { laterWords } from '../words.ts';

/** Texts about payments: their form, their acts, matching, and bank statements. */
export const useReceivingWords = laterWords<ReceivingWords>({
  ar: async () => (await import('../../words/receiving/ar.ts')).ar,
  de: async () => (await import('../../words/receiving/de.ts')).de,
  en: async () => (await import('../../words/receiving/en.ts')).en,
  es: async () => (await import('../../words/receiving/es.ts')).es,
  fr: async () => (await import('../../words/receiving/fr.ts')).fr,
  he: async () => (await import('../../words/receiving/he.ts')).he,
  ja: async () => (await import('../../words/receiving/ja.ts')).ja,
  zh: async () => (await import('../../words/receiving/zh.ts')).zh,
});

/** Fills texts for a number of things. */
export function useCounted(): (plural: Plural, count: number) => string {
  const formats = useFormats();
  const { language } = formats;
  return (plural, count) => fillCount(plural, { language, count }, { number: formats.number(count) });
}
