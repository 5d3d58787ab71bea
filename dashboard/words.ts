import { createContext, useContext } from 'react';
import type { CaringWords } from '../words/caring/wording.ts';
import type { DashboardWords } from '../words/dashboard/wording.ts';
import type { FormWords } from '../words/editing/wording.ts';
import type { InvoicingWords } from '../words/invoicing/wording.ts';
import type { Language } from '../words/languages.ts';
import type { OverviewWords } from '../words/overview/wording.ts';

/** All texts of the dashboard in one language. */
export interface Spoken {
  dashboard: DashboardWords;
  /** Home, the palette, and what numbers lead to. */
  overview: OverviewWords;
  /** Forms, and what people do for customers. */
  forms: FormWords;
  /** The standing of customers. */
  caring: CaringWords;
  /** The editor of documents. */
  invoicing: InvoicingWords;
}

/** Each language is in files of its own, so that a browser loads one. */
const loaders: Readonly<Record<Language, () => Promise<Spoken>>> = {
  ar: async () => {
    const [{ ar: dashboard }, { ar: overview }, { ar: forms }, { ar: caring }, { ar: invoicing }] = await Promise.all([
      import('../words/dashboard/ar.ts'),
      import('../words/overview/ar.ts'),
      import('../words/editing/ar.ts'),
      import('../words/caring/ar.ts'),
      import('../words/invoicing/ar.ts'),
    ]);
    return { dashboard, overview, forms, caring, invoicing };
  },
  de: async () => {
    const [{ de: dashboard }, { de: overview }, { de: forms }, { de: caring }, { de: invoicing }] = await Promise.all([
      import('../words/dashboard/de.ts'),
      import('../words/overview/de.ts'),
      import('../words/editing/de.ts'),
      import('../words/caring/de.ts'),
      import('../words/invoicing/de.ts'),
    ]);
    return { dashboard, overview, forms, caring, invoicing };
  },
  en: async () => {
    const [{ en: dashboard }, { en: overview }, { en: forms }, { en: caring }, { en: invoicing }] = await Promise.all([
      import('../words/dashboard/en.ts'),
      import('../words/overview/en.ts'),
      import('../words/editing/en.ts'),
      import('../words/caring/en.ts'),
      import('../words/invoicing/en.ts'),
    ]);
    return { dashboard, overview, forms, caring, invoicing };
  },
  es: async () => {
    const [{ es: dashboard }, { es: overview }, { es: forms }, { es: caring }, { es: invoicing }] = await Promise.all([
      import('../words/dashboard/es.ts'),
      import('../words/overview/es.ts'),
      import('../words/editing/es.ts'),
      import('../words/caring/es.ts'),
      import('../words/invoicing/es.ts'),
    ]);
    return { dashboard, overview, forms, caring, invoicing };
  },
  fr: async () => {
    const [{ fr: dashboard }, { fr: overview }, { fr: forms }, { fr: caring }, { fr: invoicing }] = await Promise.all([
      import('../words/dashboard/fr.ts'),
      import('../words/overview/fr.ts'),
      import('../words/editing/fr.ts'),
      import('../words/caring/fr.ts'),
      import('../words/invoicing/fr.ts'),
    ]);
    return { dashboard, overview, forms, caring, invoicing };
  },
  he: async () => {
    const [{ he: dashboard }, { he: overview }, { he: forms }, { he: caring }, { he: invoicing }] = await Promise.all([
      import('../words/dashboard/he.ts'),
      import('../words/overview/he.ts'),
      import('../words/editing/he.ts'),
      import('../words/caring/he.ts'),
      import('../words/invoicing/he.ts'),
    ]);
    return { dashboard, overview, forms, caring, invoicing };
  },
  ja: async () => {
    const [{ ja: dashboard }, { ja: overview }, { ja: forms }, { ja: caring }, { ja: invoicing }] = await Promise.all([
      import('../words/dashboard/ja.ts'),
      import('../words/overview/ja.ts'),
      import('../words/editing/ja.ts'),
      import('../words/caring/ja.ts'),
      import('../words/invoicing/ja.ts'),
    ]);
    return { dashboard, overview, forms, caring, invoicing };
  },
  zh: async () => {
    const [{ zh: dashboard }, { zh: overview }, { zh: forms }, { zh: caring }, { zh: invoicing }] = await Promise.all([
      import('../words/dashboard/zh.ts'),
      import('../words/overview/zh.ts'),
      import('../words/editing/zh.ts'),
      import('../words/caring/zh.ts'),
      import('../words/invoicing/zh.ts'),
    ]);
    return { dashboard, overview, forms, caring, invoicing };
  },
};

/** Loads the texts of a language that `spokenOf` found. */
export const loadWords = (language: Language): Promise<Spoken> => loaders[language]();

export const WordsContext = createContext<Spoken | null>(null);

function useSpoken(): Spoken {
  const spoken = useContext(WordsContext);
  if (spoken === null) throw new Error('words were used before they were loaded');
  return spoken;
}

export const useWords = (): DashboardWords => useSpoken().dashboard;
export const useOverviewWords = (): OverviewWords => useSpoken().overview;
export const useFormWords = (): FormWords => useSpoken().forms;
export const useCaringWords = (): CaringWords => useSpoken().caring;
export const useInvoicingWords = (): InvoicingWords => useSpoken().invoicing;
