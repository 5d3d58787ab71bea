import type { WorkWords } from '../../words/worklist/wording.ts';
import { laterWords } from '../words.ts';

/** Texts of the worklist. */
export const useWorkWords = laterWords<WorkWords>({
  ar: async () => (await import('../../words/worklist/ar.ts')).ar,
  de: async () => (await import('../../words/worklist/de.ts')).de,
  en: async () => (await import('../../words/worklist/en.ts')).en,
  es: async () => (await import('../../words/worklist/es.ts')).es,
  fr: async () => (await import('../../words/worklist/fr.ts')).fr,
  he: async () => (await import('../../words/worklist/he.ts')).he,
  ja: async () => (await import('../../words/worklist/ja.ts')).ja,
  zh: async () => (await import('../../words/worklist/zh.ts')).zh,
});
