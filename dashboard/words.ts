import { createContext, useContext } from 'react';
import type { DashboardWords } from '../words/dashboard/wording.ts';
import type { FormWords } from '../words/editing/wording.ts';
import type { Language } from '../words/languages.ts';
import type { OverviewWords } from '../words/overview/wording.ts';

/** All texts of the dashboard in one language. */
export interface Spoken {
  dashboard: DashboardWords;
  /** Home, the palette, and what numbers lead to. */
  overview: OverviewWords;
  /** Forms, and what people do for customers. */
  forms: FormWords;
}

/** Each language is in files of its own, so that a browser loads one. */
const loaders: Readonly<Record<Language, () => Promise<Spoken>>> = {
  ar: async () => {
    const [{ ar: dashboard }, { ar: overview }, { ar: forms }] = await Promise.all([
      import('../words/dashboard/ar.ts'),
      import('../words/overview/ar.ts'),
      import('../words/editing/ar.ts'),
    ]);
    return { dashboard, overview, forms };
  },
  de: async () => {
    const [{ de: dashboard }, { de: overview }, { de: forms }] = await Promise.all([
      import('../words/dashboard/de.ts'),
      import('../words/overview/de.ts'),
      import('../words/editing/de.ts'),
    ]);
    return { dashboard, overview, forms };
  },
  en: async () => {
    const [{ en: dashboard }, { en: overview }, { en: forms }] = await Promise.all([
      import('../words/dashboard/en.ts'),
      import('../words/overview/en.ts'),
      import('../words/editing/en.ts'),
    ]);
    return { dashboard, overview, forms };
  },
  es: async () => {
    const [{ es: dashboard }, { es: overview }, { es: forms }] = await Promise.all([
      import('../words/dashboard/es.ts'),
      import('../words/overview/es.ts'),
      import('../words/editing/es.ts'),
    ]);
    return { dashboard, overview, forms };
  },
  fr: async () => {
    const [{ fr: dashboard }, { fr: overview }, { fr: forms }] = await Promise.all([
      import('../words/dashboard/fr.ts'),
      import('../words/overview/fr.ts'),
      import('../words/editing/fr.ts'),
    ]);
    return { dashboard, overview, forms };
  },
  he: async () => {
    const [{ he: dashboard }, { he: overview }, { he: forms }] = await Promise.all([
      import('../words/dashboard/he.ts'),
      import('../words/overview/he.ts'),
      import('../words/editing/he.ts'),
    ]);
    return { dashboard, overview, forms };
  },
  ja: async () => {
    const [{ ja: dashboard }, { ja: overview }, { ja: forms }] = await Promise.all([
      import('../words/dashboard/ja.ts'),
      import('../words/overview/ja.ts'),
      import('../words/editing/ja.ts'),
    ]);
    return { dashboard, overview, forms };
  },
  zh: async () => {
    const [{ zh: dashboard }, { zh: overview }, { zh: forms }] = await Promise.all([
      import('../words/dashboard/zh.ts'),
      import('../words/overview/zh.ts'),
      import('../words/editing/zh.ts'),
    ]);
    return { dashboard, overview, forms };
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
