import type { Presented } from '../../billing/json.ts';

export type JsonSchema = Presented;

/** Documentation of a request field, a body or a filter in the reference. */
export interface Documentation {
  /** Schema of a value that is neither absent nor empty. */
  schema: JsonSchema;
  /** `required`: must be present. `kept`: may be absent, but not empty. `optional`, the default: may be absent or empty. */
  presence?: 'required' | 'kept' | 'optional';
}

const known = new WeakMap<object, Documentation>();

/** Attaches documentation to a schema or a filter, and returns that schema or filter. */
export function documented<Thing extends object>(thing: Thing, documentation: Documentation): Thing {
  known.set(thing, documentation);
  return thing;
}

/** The documentation of a field. Throws when it has none, so that the reference never lacks one. */
export function documentationOf(thing: object): Documentation {
  const documentation = known.get(thing);
  if (!documentation) throw new Error('a request field has no documentation');
  return documentation;
}

export function schemaOf(thing: object): JsonSchema {
  return documentationOf(thing).schema;
}

/** The schema of a field as a property of an object. */
export function propertyOf(thing: object): JsonSchema {
  const { schema, presence = 'optional' } = documentationOf(thing);
  if (presence === 'optional') return nullable(schema);
  return schema.type === 'string' && !schema.enum ? { ...schema, minLength: 1 } : schema; // empty means null
}

/** A schema that also accepts null. Its pattern, if it has one, also accepts empty text, which means null. */
export function nullable(schema: JsonSchema): JsonSchema {
  const { type, enum: words, anyOf, pattern, ...others } = schema;
  const rest = typeof pattern === 'string' ? { ...others, pattern: orEmpty(pattern) } : others;
  if (Array.isArray(anyOf)) return { anyOf: [...anyOf, { type: 'null' }], ...rest };
  if (typeof type !== 'string') return schema;
  return { type: [type, 'null'], ...(Array.isArray(words) ? { enum: [...words, null] } : {}), ...rest };
}

/** `^[A-Z]{2}$` as `^([A-Z]{2})?$`. */
export function orEmpty(pattern: string): string {
  return pattern.replace(/^\^(.*)\$$/, '^($1)?$');
}
