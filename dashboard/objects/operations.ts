import type { ActingWords } from '../../words/acting/wording.ts';
import type { Language } from '../../words/languages.ts';
import { fill } from '../../words/text.ts';

/** Each language is a file of its own, which a page loads when it tells of acts. */
export const actingWords: Readonly<Record<Language, () => Promise<ActingWords>>> = {
  ar: async () => (await import('../../words/acting/ar.ts')).ar,
  de: async () => (await import('../../words/acting/de.ts')).de,
  en: async () => (await import('../../words/acting/en.ts')).en,
  es: async () => (await import('../../words/acting/es.ts')).es,
  fr: async () => (await import('../../words/acting/fr.ts')).fr,
  he: async () => (await import('../../words/acting/he.ts')).he,
  ja: async () => (await import('../../words/acting/ja.ts')).ja,
  zh: async () => (await import('../../words/acting/zh.ts')).zh,
};

type Named = Readonly<Record<string, string>>;

/** The noun for a kind of object, such as `credit_note`, or its name. */
export function nounOf(words: ActingWords, object: string): string {
  const nouns: Named = { ...words.nouns };
  return nouns[object] ?? object.replaceAll('_', ' ');
}

/** An operation of the audit log as a sentence: `updateCustomer` as "Customer updated". One without words keeps its own. */
export function actText(words: ActingWords, operation: string): string {
  const whole: Named = { ...words.whole };
  const verbs: Named = { ...words.verbs };
  const nouns: Named = { ...words.nouns };
  const [first = '', ...rest] = operation.split(/(?=[A-Z])/).map((part) => part.toLowerCase());
  const [verb, noun] = [verbs[first], nouns[rest.join('_')]];
  const made = verb && noun ? fill(words.act, { noun, verb }) : [first, ...rest].join(' ');
  return whole[operation] ?? made;
}

/** Who acted: its name, or what it is. */
export function actorText(words: ActingWords, { name, type }: { name: string | null; type: string }): string {
  const actors: Named = { ...words.actors };
  return name ?? actors[type] ?? type.replaceAll('_', ' ');
}

/**
 * A sentence of the API in which objects have their names instead of their ids. The sentence calls them `Customer 41`, in the
 * language of the words.
 */
export function withNames(
  words: ActingWords,
  sentence: string,
  named: readonly { object: string; id: string; title: string }[],
): string {
  return named.reduce((text, { object, id, title }) => {
    const called = new RegExp(`(?<!\\p{L})${nounOf(words, object)} ${id}(?!\\d)`, 'giu');
    return id === '' || title === '' ? text : text.replace(called, () => title);
  }, sentence);
}
