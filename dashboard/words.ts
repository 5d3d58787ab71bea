import { createContext, useContext } from 'react';
import type { DashboardWords } from '../words/dashboard/wording.ts';
import type { FormWords } from '../words/editing/wording.ts';
import type { Language } from '../words/languages.ts';
import type { OverviewWords } from '../words/overview/wording.ts';

/** Each language is a file of its own, so that a browser loads one. */
const loaders: Readonly<Record<Language, () => Promise<DashboardWords>>> = {
  ar: async () => (await import('../words/dashboard/ar.ts')).ar,
  de: async () => (await import('../words/dashboard/de.ts')).de,
  en: async () => (await import('../words/dashboard/en.ts')).en,
  es: async () => (await import('../words/dashboard/es.ts')).es,
  fr: async () => (await import('../words/dashboard/fr.ts')).fr,
  he: async () => (await import('../words/dashboard/he.ts')).he,
  ja: async () => (await import('../words/dashboard/ja.ts')).ja,
  zh: async () => (await import('../words/dashboard/zh.ts')).zh,
};

/** Loads the words of a language that `spokenOf` found. */
export const loadWords = (language: Language): Promise<DashboardWords> => loaders[language]();

export const WordsContext = createContext<DashboardWords | null>(null);

export function useWords(): DashboardWords {
  const words = useContext(WordsContext);
  if (words === null) throw new Error('words were used before they were loaded');
  return words;
}

const formLoaders: Readonly<Record<Language, () => Promise<FormWords>>> = {
  ar: async () => (await import('../words/editing/ar.ts')).ar,
  de: async () => (await import('../words/editing/de.ts')).de,
  en: async () => (await import('../words/editing/en.ts')).en,
  es: async () => (await import('../words/editing/es.ts')).es,
  fr: async () => (await import('../words/editing/fr.ts')).fr,
  he: async () => (await import('../words/editing/he.ts')).he,
  ja: async () => (await import('../words/editing/ja.ts')).ja,
  zh: async () => (await import('../words/editing/zh.ts')).zh,
};

export const loadFormWords = (language: Language): Promise<FormWords> => formLoaders[language]();

export const FormWordsContext = createContext<FormWords | null>(null);

/** The words of forms, and of what people do for customers. */
export function useFormWords(): FormWords {
  const words = useContext(FormWordsContext);
  if (words === null) throw new Error('words of forms were used before they were loaded');
  return words;
}

const overviewLoaders: Readonly<Record<Language, () => Promise<OverviewWords>>> = {
  ar: async () => (await import('../words/overview/ar.ts')).ar,
  de: async () => (await import('../words/overview/de.ts')).de,
  en: async () => (await import('../words/overview/en.ts')).en,
  es: async () => (await import('../words/overview/es.ts')).es,
  fr: async () => (await import('../words/overview/fr.ts')).fr,
  he: async () => (await import('../words/overview/he.ts')).he,
  ja: async () => (await import('../words/overview/ja.ts')).ja,
  zh: async () => (await import('../words/overview/zh.ts')).zh,
};

/** Loads the words of Home, the palette and what numbers lead to. */
export const loadOverviewWords = (language: Language): Promise<OverviewWords> => overviewLoaders[language]();

export const OverviewWordsContext = createContext<OverviewWords | null>(null);

export function useOverviewWords(): OverviewWords {
  const words = useContext(OverviewWordsContext);
  if (words === null) throw new Error('words were used before they were loaded');
  return words;
}
