import { createContext, use, useContext } from 'react';
import type { CaringWords } from '../words/caring/wording.ts';
import type { DashboardWords } from '../words/dashboard/wording.ts';
import type { FormWords } from '../words/editing/wording.ts';
import type { Language } from '../words/languages.ts';
import type { OverviewWords } from '../words/overview/wording.ts';

/** Texts of the dashboard that are loaded with its first page, in one language. */
export interface Spoken {
  language: Language;
  dashboard: DashboardWords;
  /** Home, the palette, and what numbers lead to. */
  overview: OverviewWords;
  /** Forms, and what people do for customers. */
  forms: FormWords;
  /** The standing of customers. */
  caring: CaringWords;
}

/** Each language is in files of its own, so that a browser loads one. */
const loaders: Readonly<Record<Language, () => Promise<Spoken>>> = {
  ar: async () => {
    const [{ ar: dashboard }, { ar: overview }, { ar: forms }, { ar: caring }] = await Promise.all([
      import('../words/dashboard/ar.ts'),
      import('../words/overview/ar.ts'),
      import('../words/editing/ar.ts'),
      import('../words/caring/ar.ts'),
    ]);
    return { language: 'ar', dashboard, overview, forms, caring };
  },
  de: async () => {
    const [{ de: dashboard }, { de: overview }, { de: forms }, { de: caring }] = await Promise.all([
      import('../words/dashboard/de.ts'),
      import('../words/overview/de.ts'),
      import('../words/editing/de.ts'),
      import('../words/caring/de.ts'),
    ]);
    return { language: 'de', dashboard, overview, forms, caring };
  },
  en: async () => {
    const [{ en: dashboard }, { en: overview }, { en: forms }, { en: caring }] = await Promise.all([
      import('../words/dashboard/en.ts'),
      import('../words/overview/en.ts'),
      import('../words/editing/en.ts'),
      import('../words/caring/en.ts'),
    ]);
    return { language: 'en', dashboard, overview, forms, caring };
  },
  es: async () => {
    const [{ es: dashboard }, { es: overview }, { es: forms }, { es: caring }] = await Promise.all([
      import('../words/dashboard/es.ts'),
      import('../words/overview/es.ts'),
      import('../words/editing/es.ts'),
      import('../words/caring/es.ts'),
    ]);
    return { language: 'es', dashboard, overview, forms, caring };
  },
  fr: async () => {
    const [{ fr: dashboard }, { fr: overview }, { fr: forms }, { fr: caring }] = await Promise.all([
      import('../words/dashboard/fr.ts'),
      import('../words/overview/fr.ts'),
      import('../words/editing/fr.ts'),
      import('../words/caring/fr.ts'),
    ]);
    return { language: 'fr', dashboard, overview, forms, caring };
  },
  he: async () => {
    const [{ he: dashboard }, { he: overview }, { he: forms }, { he: caring }] = await Promise.all([
      import('../words/dashboard/he.ts'),
      import('../words/overview/he.ts'),
      import('../words/editing/he.ts'),
      import('../words/caring/he.ts'),
    ]);
    return { language: 'he', dashboard, overview, forms, caring };
  },
  ja: async () => {
    const [{ ja: dashboard }, { ja: overview }, { ja: forms }, { ja: caring }] = await Promise.all([
      import('../words/dashboard/ja.ts'),
      import('../words/overview/ja.ts'),
      import('../words/editing/ja.ts'),
      import('../words/caring/ja.ts'),
    ]);
    return { language: 'ja', dashboard, overview, forms, caring };
  },
  zh: async () => {
    const [{ zh: dashboard }, { zh: overview }, { zh: forms }, { zh: caring }] = await Promise.all([
      import('../words/dashboard/zh.ts'),
      import('../words/overview/zh.ts'),
      import('../words/editing/zh.ts'),
      import('../words/caring/zh.ts'),
    ]);
    return { language: 'zh', dashboard, overview, forms, caring };
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

/** Texts of one place, loaded when it is first shown. Who needs them waits in a `Suspense`. */
export function laterWords<Words>(loaders: Readonly<Record<Language, () => Promise<Words>>>): () => Words {
  const begun = new Map<Language, Promise<Words>>();
  const load = (language: Language) => {
    const loading = loaders[language]();
    begun.set(language, loading);
    loading.catch(() => begun.delete(language));
    return loading;
  };
  return function useLaterWords() {
    const { language } = useSpoken();
    return use(begun.get(language) ?? load(language));
  };
}
