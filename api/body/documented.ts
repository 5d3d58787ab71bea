import type { Presented } from '../../billing/json.ts';

export type JsonSchema = Presented;

/** What the reference says of a request field, a body or a filter. */
export interface Documentation {
  /** Of what is sent when it is neither absent nor empty. */
  schema: JsonSchema;
  /** `required`: it has to be there; `kept`: absent or a value; `optional`, also when unsaid: absent, empty or a value. */
  presence?: 'required' | 'kept' | 'optional';
}

const known = new WeakMap<object, Documentation>();

/** Gives a schema or a filter its documentation; answers it. */
export function documented<Thing extends object>(thing: Thing, documentation: Documentation): Thing {
  known.set(thing, documentation);
  return thing;
}

/** What is known of it. Throws for what nobody documented: the reference would be silent about it. */
export function documentationOf(thing: object): Documentation {
  const documentation = known.get(thing);
  if (!documentation) throw new Error('a request field has no documentation');
  return documentation;
}

export function schemaOf(thing: object): JsonSchema {
  return documentationOf(thing).schema;
}

/** The schema as an object has it among its properties. */
export function propertyOf(thing: object): JsonSchema {
  const { schema, presence = 'optional' } = documentationOf(thing);
  if (presence === 'optional') return nullable(schema);
  return schema.type === 'string' && !schema.enum ? { ...schema, minLength: 1 } : schema; // empty means null
}

/** The same, or null; text that has a pattern may be empty, which means null. */
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
