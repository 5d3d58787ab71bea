import { type Language, spokenLanguages } from '../../words/languages.ts';
import { refusalWordsOf } from '../../words/refusals/words.ts';
import { fill, valuesReader } from '../../words/text.ts';
import { formatDay, type Json, type Presented } from './values.ts';

/** The English labels, prepared once: a list of a task may have ten thousand texts. */
const written = Object.entries(refusalWordsOf('en')).map(([name, label]) => ({ name, read: valuesReader(label) }));

/** The labels of each language by their names, prepared when a text is first said in it. */
const prepared = new Map<Language, ReadonlyMap<string, string>>();

function labelsOf(language: Language): ReadonlyMap<string, string> {
  const known = prepared.get(language);
  if (known) return known;
  const labels = new Map(Object.entries(refusalWordsOf(language)));
  prepared.set(language, labels);
  return labels;
}

/**
 * A sentence of the product, which is written and stored in English, in a language: the refusal of a request, the reason of a problem, the
 * outcome of a task. A text that nothing translates, such as one that people or a gateway wrote, stays as it is.
 */
export function saidIn(text: string, language: Language): string {
  if (language === 'en') return text;
  const labels = labelsOf(language);
  for (const { name, read } of written) {
    const values = read(text);
    const said = values && labels.get(name);
    if (said) return fill(said, { ...values, ...daysIn(values, language), ...whatIn(values, language) });
  }
  return text;
}

/** What to store for a text that was written: the stored sentence, if the text is that sentence in another language, as it was read. */
export function unsaid<Text extends string | null | undefined>(text: Text, stored: string | null): Text | string {
  if (!text || stored === null) return text;
  return spokenLanguages.some((language) => saidIn(stored, language) === text) ? stored : text;
}

/** The days among the values of a sentence, such as `4 March 2028`, in a language. */
function daysIn({ day = '' }: Readonly<Record<string, string>>, language: Language): Record<string, string> {
  const at = new Date(`${day} UTC`);
  return Number.isNaN(at.getTime()) ? {} : { day: formatDay(at, 'UTC', language) };
}

/** What a sentence says that somebody has, which is a text of its own. */
function whatIn({ what }: Readonly<Record<string, string>>, language: Language): Record<string, string> {
  return what === undefined ? {} : { what: saidIn(what, language) };
}

/** An object with the sentences of these fields in a language. `refused.reason` is the field of each object in `refused`. */
export function objectIn(object: Presented, fields: readonly string[], language: Language): Presented {
  const said = { ...object };
  for (const field of fields) {
    const [first = '', ...rest] = field.split('.');
    const value = object[first];
    if (value !== undefined) said[first] = valueIn(value, rest.join('.'), language);
  }
  return said;
}

function valueIn(value: Json, field: string, language: Language): Json {
  if (typeof value === 'string') return saidIn(value, language);
  if (Array.isArray(value)) return value.map((one) => valueIn(one, field, language));
  return typeof value === 'object' && value !== null ? objectIn(value, [field], language) : value;
}
