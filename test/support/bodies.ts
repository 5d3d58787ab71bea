import type { OpenApi, Operation } from '../../api/openapi/types.ts';
import { apiDocument, type LocatedOperation, operationsOf } from './openapi.ts';

/** A schema of the OpenAPI document: the keywords that tests read. */
export interface Schema extends Record<string, unknown> {
  type?: string | string[];
  anyOf?: Schema[];
  enum?: unknown[];
  pattern?: string;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
}

/** Names of fields, and 0 for an element of a list. */
export type Path = (string | 0)[];

/** A place in a body, with its schema. */
export interface Place {
  path: Path;
  schema: Schema;
}

/** The schema of an operation's body. null: the operation has no body. */
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
export const bodies = operationsOf(apiDocument).flatMap(
  (one): { id: string; one: LocatedOperation; schema: Schema }[] => {
    const schema = bodySchemaOf(apiDocument, one.operation);
    return schema ? [{ id: one.id, one, schema }] : [];
  },
);

const alternativesOf = (schema: Schema): Schema[] => schema.anyOf ?? [schema];

/** Whether a schema declares its own fields. An object that may stand in for its id does not. */
const hasFields = ({ properties, additionalProperties }: Schema) =>
  properties !== undefined && additionalProperties === false;

/** All places of a body. The body itself comes first. */
export function placesIn(schema: Schema, path: Path = []): Place[] {
  const inner = alternativesOf(schema).flatMap((one) => [
    ...(one.items ? placesIn(one.items, [...path, 0]) : []),
    ...(hasFields(one)
      ? Object.entries(one.properties ?? {}).flatMap(([name, field]) => placesIn(field, [...path, name]))
      : []),
  ]);
  return [{ path, schema }, ...inner];
}

/** The keywords of a schema and of its alternatives, merged. */
export function keywordsOf(schema: Schema): Schema {
  return Object.assign({}, ...(schema.anyOf ?? []).toReversed(), schema);
}

/** Whether a schema accepts the id of an object, either alone or as `{id}`. */
export function isReference(schema: Schema): boolean {
  return (schema.anyOf ?? []).some(({ properties }) => properties && Object.keys(properties).join() === 'id');
}

const patternSamples = ['usd', 'US', 'ab', '#1d4ed8', 'a@b.example', 'https://b.example/', 'invoice,1'];

/** A minimal valid value of a schema. */
export function sampleOf(schema: Schema): unknown {
  const [one = schema] = alternativesOf(schema).toSorted((a, b) => Number(hasFields(b)) - Number(hasFields(a)));
  const { enum: words, pattern, minimum = 1, properties = {}, required = [] } = one;
  if (words) return words[0];
  switch ([one.type].flat()[0]) {
    case 'string':
      return pattern ? patternSamples.find((text) => new RegExp(pattern).test(text)) : 'x';
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

/** A copy of the body with another value at `path`. undefined removes the value. Missing parents are created. */
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
