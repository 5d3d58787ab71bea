import type { SubscribingWords } from '../../words/subscribing/wording.ts';
import { laterWords } from '../words.ts';

/** Texts of the pages of subscriptions, and of the acts on them. */
export const useSubscribingWords = laterWords<SubscribingWords>({
  ar: async () => (await import('../../words/subscribing/ar.ts')).ar,
  de: async () => (await import('../../words/subscribing/de.ts')).de,
  en: async () => (await import('../../words/subscribing/en.ts')).en,
  es: async () => (await import('../../words/subscribing/es.ts')).es,
  fr: async () => (await import('../../words/subscribing/fr.ts')).fr,
  he: async () => (await import('../../words/subscribing/he.ts')).he,
  ja: async () => (await import('../../words/subscribing/ja.ts')).ja,
  zh: async () => (await import('../../words/subscribing/zh.ts')).zh,
});
