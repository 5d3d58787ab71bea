import { z } from 'zod';
import type { Json } from '../../billing/json.ts';
import { EMAIL } from '../../billing/mail/mailSender.ts';
import { Refusal } from '../../billing/refusal.ts';
import {
  type Documentation,
  documentationOf,
  documented,
  type JsonSchema,
  propertyOf,
  schemaOf,
} from './documented.ts';
import * as readers from './readers.ts';

/** A request field. Undefined: absent; null: empty (null or ""). */
export type Field<Value> = z.ZodType<Value | null | undefined>;

/**
 * Makes a field from a parser. `read` throws Unfit or a Refusal for a value that does not fit. `schema` documents the field in the
 * reference.
 */
export function field<Value>(read: (value: unknown) => Value, schema: JsonSchema): Field<Value> {
  const present = z.unknown().transform((value, context) => {
    if (value === undefined) return undefined;
    if (value === null || readers.textOf(value) === '') return null;
    try {
      return read(value);
    } catch (error) {
      if (!(error instanceof readers.Unfit || error instanceof Refusal)) throw error;
      const params = { isSentence: error instanceof Refusal, errorCode: error.code };
      context.addIssue({ code: 'custom', message: error.message, params });
      return z.NEVER;
    }
  });
  return documented(present.optional(), { schema });
}

const textSchema = (most: number): JsonSchema => ({ type: 'string', maxLength: most });

export const text = (most = 255) => field((value) => readers.readText(value, most), textSchema(most));
export const longText = text(10_000);
/** A name for display. */
export const name = field(readers.readName, textSchema(255));
/** Text that people compare or type in: a reference, a tax id, an external code. */
export const reference = field((value) => readers.readPlain(value, 255), textSchema(255));
/** Number of a document or a customer. */
export const number = field(readers.readNumber, {
  ...textSchema(255),
  description:
    'Unique number, compared without regard to case; surrounding spaces are removed. If absent on creation, the next number of the series is used',
});
/** Prefix of the numbers of a series. */
export const prefix = field(readers.readPrefix, textSchema(16));
export const wholeNumber = (least: number, most: number) =>
  field((value) => readers.readWhole(value, least, most), { type: 'integer', minimum: least, maximum: most });

const MOST = 999_999_999_999;
/** Maximum number of decimals. Numbers have at most 15 significant digits, because JSON clients read longer ones inexactly. */
const tenDecimals = { 'x-decimals': 10 };

/** An amount with at most the decimals of its currency (ISO 4217). */
export const amount = field(readers.readAmount, { type: 'number', minimum: -MOST, maximum: MOST });
export const positiveAmount = field(readers.readPositiveAmount, { type: 'number', exclusiveMinimum: 0, maximum: MOST });
/** An amount of zero or more. */
export const nonNegativeAmount = field(
  (value) => {
    const given = readers.readAmount(value);
    return given.startsWith('-') ? readers.unfit('must not be negative') : given;
  },
  { type: 'number', minimum: 0, maximum: MOST },
);
/** A unit cost, quantity or rate. */
export const decimal = field((value) => readers.readDecimal(value, 10), { type: 'number', ...tenDecimals });
/** A quantity above zero. */
export const positiveQuantity = field(
  (value) => {
    const given = readers.readDecimal(value, 6);
    return Number(given) > 0 ? given : readers.unfit('must be above 0');
  },
  { type: 'number', exclusiveMinimum: 0, 'x-decimals': 6 },
);
/** Price of a unit, zero or more. */
export const unitPrice = field(
  (value) => {
    const price = readers.readDecimal(value, 10);
    return price.startsWith('-') ? readers.unfit('must not be negative') : price;
  },
  { type: 'number', minimum: 0, ...tenDecimals },
);

/** Schema of a reference to an object: its id, or the object itself as in a response. */
const idOrObject = (id: JsonSchema): JsonSchema => ({
  anyOf: [id, { type: 'object', properties: { id: { ...id, description: 'Id of the object' } }, required: ['id'] }],
});
export const id = field(readers.readId, idOrObject({ type: 'integer', minimum: 1, maximum: readers.LARGEST_ID }));
/** A 64-bit id, such as that of an event, a line or a discount. */
export const longId = field(
  readers.readLongId,
  idOrObject({ type: 'integer', minimum: 1, maximum: readers.LARGEST_LONG_ID }),
);
export const code = field(readers.readCode, idOrObject(textSchema(255)));
export const newCode = field(readers.readNewCode, { type: 'string', pattern: '^[A-Za-z0-9_-]{2,64}$' });
export const boolean = field(readers.readBoolean, { type: 'boolean' });
export const timestamp = field(readers.readTimestamp, { type: 'integer', minimum: 0, maximum: readers.LAST_SECOND });
export const day = field(readers.readDay, { type: 'string', format: 'date', examples: ['2027-03-31'] });
export const currency = field(readers.readCurrency, { type: 'string', pattern: '^[A-Za-z]{3}$' });
export const country = field(readers.readCountry, { type: 'string', pattern: '^[A-Za-z]{2}$' });
/** The fields of a postal address. */
export const address = {
  address1: text(),
  address2: text(),
  city: text(),
  state: text(),
  postal_code: text(),
  country,
};
export const language = field(readers.readLanguage, { type: 'string', pattern: '^[A-Za-z]{2}$' });
export const colour = field(readers.readColour, { type: 'string', pattern: '^#[0-9A-Fa-f]{6}$' });
export const metadata = field(readers.readMetadata, {
  type: 'object',
  maxProperties: 10,
  propertyNames: { maxLength: 40 },
  additionalProperties: { type: ['string', 'number', 'boolean', 'null'], maxLength: 255 },
});

export const email = field(readers.readEmail, { type: 'string', maxLength: 255, pattern: EMAIL.source });

/** One of the given words. */
export function choice<const Word extends string>(...words: Word[]): Field<Word> {
  const read = (value: unknown) => {
    const given = readers.readText(value, 255);
    return words.find((word) => word === given) ?? readers.unfit(`must be one of ${words.join(', ')}: ${given}`);
  };
  return field(read, { type: 'string', enum: words });
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
  const read = elements.pipe(z.array(element).nullable()).optional();
  return documented(read, { schema: { type: 'array', maxItems: most, items: propertyOf(element) } });
}

/** An object. Absent is undefined, empty is null. */
export function nested<Value>(whole: z.ZodType<Value>) {
  const given = z.unknown().transform((value) => (readers.textOf(value) === '' ? null : value));
  return documented(given.pipe(whole.nullable().optional()).optional(), { schema: schemaOf(whole) });
}

const MISSING = { code: 'custom', message: 'missing', params: { errorCode: 'parameter_missing' } } as const;

/** The field must be present and not empty. */
export function required<Value>(field: Field<Value>) {
  const read = z
    .unknown()
    .pipe(field)
    .transform((value, context): Value => {
      if (value !== undefined && value !== null) return value;
      context.addIssue(MISSING);
      return z.NEVER;
    });
  return documented(read, { ...documentationOf(field), presence: 'required' });
}

/** For updates: absent keeps the value, empty is refused. */
export function kept<Value>(field: Field<Value>) {
  const read = field
    .transform((value, context): Value | undefined => {
      if (value !== null) return value;
      context.addIssue(MISSING);
      return z.NEVER;
    })
    .optional();
  return documented(read, { ...documentationOf(field), presence: 'kept' });
}

/** For creates: absent and empty mean the default. */
export function withDefault<Value, const Default>(field: Field<Value>, fallback: Default) {
  const read = field.transform((value) => value ?? fallback);
  return documented(read, said(field, { default: shown(field, fallback) }));
}

/** For updates: absent keeps the value, empty means the default. */
export function resettable<Value, const Default>(field: Field<Value>, fallback: Default) {
  const read = field.transform((value) => (value === null ? fallback : value)).optional();
  return documented(read, said(field, { 'x-empty-means': shown(field, fallback) }));
}

/** Adds a description to a field. */
export function described<Read extends z.ZodType>(field: Read, description: string, example?: Json): Read {
  const examples = example === undefined ? {} : { examples: [example] };
  return documented(field.clone(), said(field, { description, ...examples }));
}

function said(field: z.ZodType, more: JsonSchema): Documentation {
  const documentation = documentationOf(field);
  return { ...documentation, schema: { ...documentation.schema, ...more } };
}

/** A default as requests write it: internally, exact numbers are text. */
function shown(field: z.ZodType, fallback: unknown): Json {
  if (typeof fallback === 'string') return schemaOf(field).type === 'number' ? Number(fallback) : fallback;
  return typeof fallback === 'number' || typeof fallback === 'boolean' ? fallback : {};
}
