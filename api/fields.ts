import { z } from 'zod';
import { Refusal } from '../billing/refusal.ts';
import * as readers from './readers.ts';

/** A request field. Undefined: it is absent; null: it is empty (null or ""). */
export type Field<Value> = z.ZodType<Value | null | undefined>;

/** A field from a function that reads what was sent, or throws Unfit or a Refusal. */
export function field<Value>(read: (value: unknown) => Value): Field<Value> {
  const present = z.unknown().transform((value, context) => {
    if (value === undefined) return undefined;
    if (value === null || readers.textOf(value) === '') return null;
    try {
      return read(value);
    } catch (error) {
      if (!(error instanceof readers.Unfit || error instanceof Refusal)) throw error;
      context.addIssue({ code: 'custom', message: error.message });
      return z.NEVER;
    }
  });
  return present.optional();
}

export const text = (most = 255) => field((value) => readers.readText(value, most));
export const longText = text(10_000);
export const wholeNumber = (least: number, most: number) => field((value) => readers.readWhole(value, least, most));
export const amount = field(readers.readAmount);
export const positiveAmount = field(readers.readPositiveAmount);
/** A unit cost, quantity or rate. */
export const exact = field((value) => readers.readDecimal(value, 10));
/** A price of a unit that is not given back: zero or more. */
export const unitPrice = field((value) => {
  const price = readers.readDecimal(value, 10);
  return price.startsWith('-') ? readers.unfit('must not be negative') : price;
});
export const id = field(readers.readId);
export const code = field(readers.readCode);
export const newCode = field(readers.readNewCode);
export const boolean = field(readers.readBoolean);
export const timestamp = field(readers.readTimestamp);
export const currency = field(readers.readCurrency);
export const country = field(readers.readCountry);
export const language = field(readers.readLanguage);
export const metadata = field(readers.readMetadata);

export const email = field((value) => {
  const address = readers.readText(value, 255);
  return /^[^\s@,;<>"]+@[^\s@,;<>"]+$/.test(address) ? address : readers.unfit(`must be an email address: ${address}`);
});

/** One of some words. */
export function choice<const Word extends string>(...words: Word[]): Field<Word> {
  return field((value) => {
    const given = readers.readText(value, 255);
    return words.find((word) => word === given) ?? readers.unfit(`must be one of ${words.join(', ')}: ${given}`);
  });
}

/** A list of at most `most` elements; absent and empty are null. */
export function list<Element>(element: z.ZodType<Element>, most: number) {
  const elements = z.unknown().transform((value, context) => {
    if (value === undefined || value === null || readers.textOf(value) === '') return null;
    const message = !Array.isArray(value)
      ? 'must be a list'
      : value.length > most
        ? `may have at most ${most} elements`
        : null;
    if (message === null && Array.isArray(value)) return value;
    context.addIssue({ code: 'custom', message: message ?? '' });
    return z.NEVER;
  });
  return elements.pipe(z.array(element).nullable()).optional();
}

/** It has to be there. */
export function required<Value>(field: Field<Value>) {
  return z
    .unknown()
    .pipe(field)
    .transform((value, context): Value => {
      if (value !== undefined && value !== null) return value;
      context.addIssue({ code: 'custom', message: 'missing' });
      return z.NEVER;
    });
}

/** Of an update: absent keeps, and there is no clearing it. */
export function kept<Value>(field: Field<Value>) {
  return field
    .transform((value, context): Value | undefined => {
      if (value !== null) return value;
      context.addIssue({ code: 'custom', message: 'missing' });
      return z.NEVER;
    })
    .optional();
}

/** Of a create: absent and empty mean the default. */
export function otherwise<Value, const Default>(field: Field<Value>, fallback: Default) {
  return field.transform((value) => value ?? fallback);
}

/** Of an update: absent keeps, empty means the default. */
export function resettable<Value, const Default>(field: Field<Value>, fallback: Default) {
  return field.transform((value) => (value === null ? fallback : value)).optional();
}
