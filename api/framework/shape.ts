import type { Json, Presented } from '../../billing/json.ts';
import { type JsonSchema, nullable as orNull } from '../body/documented.ts';

/** One field of a response. */
export interface Property {
  schema: JsonSchema;
  example: Json;
  /** The shapes that the schema refers to. */
  shapes?: readonly Shape[];
  /** Whether the field is the id of an object. */
  isId?: true;
  /** Whether the field is a time: UNIX time in seconds. */
  isTime?: true;
}

/** The fields of an object in responses. `name` is its name in typed clients. */
export type Shape = ObjectShape | UnionShape;

export interface ObjectShape {
  name: string;
  description: string;
  /** Fields that are always present. */
  properties: Readonly<Record<string, Property>>;
  /** Fields that only some responses have. */
  optional: Readonly<Record<string, Property>>;
}

export interface UnionShape {
  name: string;
  description: string;
  oneOf: readonly ObjectShape[];
}

/** The name of a kind of object in its `object` field: `payment_plan` for `PaymentPlan`. */
export function objectType(name: string): string {
  return name.replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}

/** The type that all objects of a shape have in `object`; null: the field says something else, or they have several. */
export function typeIn(shape: Shape): string | null {
  const type = 'oneOf' in shape ? null : shape.properties.object?.schema.const;
  return typeof type === 'string' ? type : null;
}

/** The shape of an object of the API. Its `object` field is its type. */
export function shape(name: string, description: string, properties: ObjectShape['properties']): ObjectShape {
  const object = objectType(name);
  const { id, ...rest } = properties;
  return value(name, description, { ...(id ? { id } : {}), object: constant(object), ...rest });
}

/** Schema without an `object` field. */
export function value(name: string, description: string, properties: ObjectShape['properties']): ObjectShape {
  return { name, description, properties, optional: {} };
}

/** A shape with additional fields. Its `object` field stays the same. */
export function extended(base: ObjectShape, name: string, properties: ObjectShape['properties']): ObjectShape {
  return { ...base, name, properties: { ...base.properties, ...properties } };
}

export function sometimes(base: ObjectShape, optional: ObjectShape['optional']): ObjectShape {
  return { ...base, optional };
}

export function union(name: string, description: string, ...oneOf: ObjectShape[]): UnionShape {
  return { name, description, oneOf };
}

export function refTo({ name }: Shape): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

/** An example of an object, composed of the examples of its fields. */
export function exampleOf(shape: Shape): Presented {
  if ('oneOf' in shape) return shape.oneOf[0] ? exampleOf(shape.oneOf[0]) : {};
  return Object.fromEntries(Object.entries(shape.properties).map(([name, { example }]) => [name, example]));
}

export const text = (description: string, example: string): Property => ({
  schema: { type: 'string', description },
  example,
});
export const number = (description: string, example: number): Property => ({
  schema: { type: 'number', description },
  example,
});
/** An amount of money. */
export const money = (description: string, example: number): Property =>
  number(`${description}; in major currency units`, example);
export const integer = (description: string, example: number): Property => ({
  schema: { type: 'integer', description },
  example,
});
export const flag = (description: string, example: boolean): Property => ({
  schema: { type: 'boolean', description },
  example,
});
export const id = (description: string, example = 1): Property => ({
  schema: { type: 'integer', minimum: 1, description },
  example,
  isId: true,
});
export const code = (description: string, example: string): Property => ({
  schema: { type: 'string', minLength: 1, maxLength: 64, description },
  example,
  isId: true,
});
export const timestamp = (description: string, example = 1_796_083_200): Property => ({
  schema: { type: 'integer', minimum: 0, description: `${description}; UNIX time in seconds` },
  example,
  isTime: true,
});
export const currency = (description = 'Currency: three-letter ISO 4217 code'): Property => ({
  schema: { type: 'string', pattern: '^[a-z]{3}$', description },
  example: 'usd',
});
export const country: Property = {
  schema: { type: 'string', pattern: '^[A-Z]{2}$', description: 'Country: two-letter ISO 3166-1 code' },
  example: 'US',
};
export const metadata: Property = {
  schema: {
    type: 'object',
    maxProperties: 10,
    additionalProperties: { type: 'string', maxLength: 255 },
    description: 'Your own data: up to 10 keys of at most 40 characters, with values of at most 255 characters',
  },
  example: { contract: 'A-17' },
};
/** The fields of a postal address. */
export const address = {
  address1: nullable(text('First line of the address', '12 Analytical Way')),
  address2: nullable(text('Second line of the address', 'Suite 4'), null),
  city: nullable(text('City or town', 'Austin')),
  state: nullable(text('State or province', 'TX')),
  postal_code: nullable(text('Postal code', '78701')),
  country: nullable(country),
};
export const createdAt = timestamp('When it was created');
export const updatedAt = timestamp('When it was last changed');

export function constant(word: string): Property {
  return { schema: { type: 'string', const: word, description: 'Type of the object' }, example: word };
}

/** One of the given words; the first is the example. */
export function choice(description: string, ...words: string[]): Property {
  return { schema: { type: 'string', enum: words, description }, example: words[0] ?? null };
}

/** One of the given words. The example is documented first. */
export function oneOf(description: string, example: string, words: readonly string[]): Property {
  return choice(description, example, ...words.filter((word) => word !== example));
}

/** A field that may be null. Pass null as the example if it usually is. */
export function nullable(property: Property, example: Json = property.example): Property {
  return { ...property, schema: orNull(property.schema), example };
}

/** An object of another shape. */
export function one(shape: Shape, description: string): Property {
  return { schema: { anyOf: [refTo(shape)], description }, example: exampleOf(shape), shapes: [shape] };
}

export function listOf(shape: Shape, description: string): Property {
  const schema = { type: 'array', items: refTo(shape), description };
  return { schema, example: [exampleOf(shape)], shapes: [shape] };
}

export function textList(description: string, ...example: string[]): Property {
  return { schema: { type: 'array', items: { type: 'string' }, description }, example };
}

const DOCUMENT_TOKEN = '0c5f8a3e7d1b4f6a9e2d8b7c6a5f4e3d';

/** The URL of a document, open to everyone who knows it. */
export function documentUrl(description: string, document: string, part = ''): Property {
  return text(description, `https://billing.example/documents/1/${document}/${DOCUMENT_TOKEN}${part}`);
}

export function documentPdf(document: string, more = ''): Property {
  return text(
    `URL of the PDF; needs no key${more}`,
    `https://billing.example/documents/1/${document}/${DOCUMENT_TOKEN}/pdf`,
  );
}

/** A list that is always empty in this version. */
export function emptyList(description: string): Property {
  return { schema: { type: 'array', items: { type: 'object' }, description }, example: [] };
}

/** An object with unspecified fields. */
export function record(description: string, example: Presented = {}): Property {
  return { schema: { type: 'object', additionalProperties: true, description }, example };
}

/** A field that is null in most responses. */
export const unset = (property: Property): Property => nullable(property, null);
