/** Japanese titles at the end of a name, which then gets no further one. */
const TITLED = /(様|さま|サマ|さん|殿|御中|先生)[\s\u2069]*$/;

/**
 * Replaces the placeholders of a label, such as `{day}`, by their values. Placeholders without a value stay. A name that has a title already
 * does not get that of the label (`{name}様`).
 */
export function fill(label: string, values: Readonly<Record<string, string | number>>): string {
  return label.replace(/\{(\w+)\}(\s*様)?/g, (whole, name: string, title = '') => {
    const value = values[name];
    if (value === undefined) return whole;
    return TITLED.test(String(value)) ? String(value) : `${value}${title}`;
  });
}

/** Characters that mean something in a regular expression. */
const SPECIAL = /[\\^$.*+?()[\]{}|]/g;

/** The values with which a label was filled to make a text; null: it did not make this text. */
export function valuesIn(label: string, text: string): Record<string, string> | null {
  return valuesReader(label)(text);
}

/** A label prepared for many texts: a function that does what `valuesIn` does. */
export function valuesReader(label: string): (text: string) => Record<string, string> | null {
  const named = label.split(/\{(\w+)\}/);
  const [start, end] = [named[0] ?? '', named.at(-1) ?? ''];
  const parts = named.map((part, index) => (index % 2 ? `(?<${part}>.+?)` : part.replace(SPECIAL, '\\$&')));
  const pattern = new RegExp(`^${parts.join('')}$`, 'su');
  return (text) => {
    if (!text.startsWith(start) || !text.endsWith(end)) return null; // most labels end here, at little cost
    const found = pattern.exec(text);
    return found ? { ...found.groups } : null;
  };
}

/** Names as they stand within a sentence: they begin with a small letter, unless they are abbreviations. */
export function inSentence<Names extends Readonly<Record<string, string>>>(
  names: Names,
): { [Name in keyof Names]: string };
export function inSentence(names: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(names).map(([key, name]) => [
      key,
      name.replace(/^\p{Lu}(?=\P{Lu})/u, (first) => first.toLowerCase()),
    ]),
  );
}

/** A text for a number: its forms by the plural rules of the language. `other`: every number without a form of its own. */
export type Plural = Readonly<{ other: string } & Partial<Record<Intl.LDMLPluralRule, string>>>;

/** The form of a text for a number. */
export function formOf(plural: Plural, language: string, count: number): string {
  return plural[new Intl.PluralRules(language).select(count)] ?? plural.other;
}

/** The form of a text for a number, with its values. */
export function fillCount(
  plural: Plural,
  { language, count }: { language: string; count: number },
  values: Readonly<Record<string, string | number>>,
): string {
  return fill(formOf(plural, language, count), values);
}
