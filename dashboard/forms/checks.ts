import { fill } from '../../words/text.ts';
import type { Formats } from '../written.ts';
import { changedIn, type Entered, type FormField, type Values } from './field.ts';

/** How a person reads what is wrong with a field. */
export interface CheckWords {
  isMissing: string;
  notEmail: string;
  notNumber: string;
  twoNumbers: string;
  uploading: string;
}

/** Something that a form refuses by itself, at one of its fields. */
export interface Fault {
  field: FormField;
  message: string;
}

/**
 * Everything in a form that is wrong without asking the API: required fields that are empty; and of what changed, texts that are no amount or no
 * address in the place of one, and numbers whose text could be two. The API says what other values must be.
 */
export function faultsIn(
  fields: readonly FormField[],
  { base, values, formats, words }: { base: Values; values: Values; formats: Formats; words: CheckWords },
): Fault[] {
  const changed = changedIn(fields, base, values);
  return fields.flatMap((field): Fault[] => {
    const entered = values[field.name];
    if (typeof entered === 'object' && 'files' in entered && entered.files.some(({ id }) => id < 0))
      return [{ field, message: words.uploading }];
    const text = textIn(entered);
    if (field.isRequired && text === '') return [{ field, message: fill(words.isMissing, { name: field.label }) }];
    if (text === '' || !changed.includes(field)) return [];
    if (isUnreadable(field, text, formats)) return [{ field, message: numberNeeded(text, words, formats) }];
    if (field.kind === 'email' && !isAddress(text)) return [{ field, message: words.notEmail }];
    return [];
  });
}

const textIn = (entered: Entered | undefined): string => String(entered ?? '').trim();

function isUnreadable({ kind }: FormField, text: string, formats: Formats): boolean {
  if (kind === 'money') return formats.plainNumber(text) === null;
  return kind === 'number' && formats.twoNumbers(text) !== null;
}

/** Whether a text can be an address: the API decides. */
const isAddress = (text: string): boolean => /^[^\s@]+@[^\s@]+$/.test(text);

/** Says what a text must be that is no number. */
export function numberNeeded(
  text: string,
  { notNumber, twoNumbers }: Pick<CheckWords, 'notNumber' | 'twoNumbers'>,
  formats: Formats,
): string {
  const two = formats.twoNumbers(text);
  if (!two) return fill(notNumber, { example: formats.number(1234.5) });
  const { whole, exact } = two;
  return fill(twoNumbers, { typed: text.trim(), whole, exact: formats.typedNumber(exact) });
}
