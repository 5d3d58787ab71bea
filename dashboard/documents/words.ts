import type { InvoicingWords } from '../../words/invoicing/wording.ts';
import { laterWords } from '../words.ts';

/** Texts of the editor of documents, and of the acts on them. */
export const useInvoicingWords = laterWords<InvoicingWords>({
  ar: async () => (await import('../../words/invoicing/ar.ts')).ar,
  de: async () => (await import('../../words/invoicing/de.ts')).de,
  en: async () => (await import('../../words/invoicing/en.ts')).en,
  es: async () => (await import('../../words/invoicing/es.ts')).es,
  fr: async () => (await import('../../words/invoicing/fr.ts')).fr,
  he: async () => (await import('../../words/invoicing/he.ts')).he,
  ja: async () => (await import('../../words/invoicing/ja.ts')).ja,
  zh: async () => (await import('../../words/invoicing/zh.ts')).zh,
});
