import type { OpenApi, Operation } from '../../api/openapi/types.ts';
import { apiDocument, type Called, operationsOf } from './openapi.ts';

/** A schema of the document, as tests look into it. */
export interface Schema extends Record<string, unknown> {
  type?: string | string[];
  anyOf?: Schema[];
  enum?: unknown[];
  pattern?: string;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
}

/** Names and, of elements of lists, 0. */
export type Path = (string | 0)[];

/** A place in a body, and what the document says of it. */
export interface Place {
  path: Path;
  schema: Schema;
}

/** What the document says of an operation's body; null: it has none. */
export function bodySchemaOf(document: OpenApi, operation: Operation): Schema | null {
  const schema: Schema | undefined = operation.requestBody?.content['application/json']?.schema;
  if (!schema) return null;
  const name =
    String(schema.$ref ?? '')
      .split('/')
      .at(-1) ?? '';
  return (document.components.schemas[name] as Schema | undefined) ?? schema;
}

/** Operations of the API that have a body. */
export const bodies = operationsOf(apiDocument).flatMap((one): { id: string; one: Called; schema: Schema }[] => {
  const schema = bodySchemaOf(apiDocument, one.operation);
  return schema ? [{ id: one.id, one, schema }] : [];
});

const alternativesOf = (schema: Schema): Schema[] => schema.anyOf ?? [schema];

/** What has fields of its own; an object in place of its id has none. */
const hasFields = ({ properties, additionalProperties }: Schema) =>
  properties !== undefined && additionalProperties === false;

/** Every place of a body, the body itself first. */
export function placesIn(schema: Schema, path: Path = []): Place[] {
  const inner = alternativesOf(schema).flatMap((one) => [
    ...(one.items ? placesIn(one.items, [...path, 0]) : []),
    ...(hasFields(one)
      ? Object.entries(one.properties ?? {}).flatMap(([name, field]) => placesIn(field, [...path, name]))
      : []),
  ]);
  return [{ path, schema }, ...inner];
}

/** Every keyword of a place, of its alternatives too. */
export function keywordsOf(schema: Schema): Schema {
  return Object.assign({}, ...(schema.anyOf ?? []).toReversed(), schema);
}

/** Whether a place is for the id of an object: alone, or within that object. */
export function isReference(schema: Schema): boolean {
  return (schema.anyOf ?? []).some(({ properties }) => properties && Object.keys(properties).join() === 'id');
}

const isOfPattern = ['usd', 'US', 'ab', '#1d4ed8', 'a@b.example', 'https://b.example/', 'invoice,1'];

/** A value that would do, with as little as possible. */
export function sampleOf(schema: Schema): unknown {
  const [one = schema] = alternativesOf(schema).toSorted((a, b) => Number(hasFields(b)) - Number(hasFields(a)));
  const { enum: words, pattern, minimum = 1, properties = {}, required = [] } = one;
  if (words) return words[0];
  switch ([one.type].flat()[0]) {
    case 'string':
      return pattern ? isOfPattern.find((text) => new RegExp(pattern).test(text)) : 'x';
    case 'integer':
    case 'number':
      return Math.max(1, Number(minimum));
    case 'boolean':
      return true;
    case 'array':
      return [];
    default:
      return Object.fromEntries(required.map((name) => [name, sampleOf(properties[name] ?? {})]));
  }
}

/** The body with another value at a place; undefined: without it. What the place is in is made where it is missing. */
export function withValue(schema: Schema, body: unknown, { path, value }: { path: Path; value: unknown }): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  const shape = alternativesOf(schema).find((one) => (step === 0 ? one.items : one.properties)) ?? schema;
  if (step === 0) {
    const item = shape.items ?? {};
    const [first = sampleOf(item), ...others] = Array.isArray(body) ? body : [];
    return [withValue(item, first, { path: rest, value }), ...others];
  }
  const fields = typeof body === 'object' && body !== null && !Array.isArray(body) ? body : sampleOf(shape);
  const inner = withValue(shape.properties?.[step] ?? {}, Reflect.get(Object(fields), step), { path: rest, value });
  return { ...Object(fields), [step]: inner };
}
