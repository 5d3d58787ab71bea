import type { JsonSchema } from '../body/documented.ts';
import type { Kind } from '../framework/kind.ts';
import { exampleOf, type Property, refTo, type Shape } from '../framework/shape.ts';

/** Component schemas of these kinds and of all kinds that they refer to, by name. Throws when two shapes share a name. */
export function schemasOf(kinds: readonly Kind[]): Record<string, JsonSchema> {
  const found = new Map<string, Kind>();
  for (const kind of kinds) collect(kind, found);
  const named = [...found].map(([name, kind]) => [name, schemaOfKind(kind)] as const);
  return Object.fromEntries(named.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function collect(kind: Kind, found: Map<string, Kind>): void {
  const { shape, relations = {}, parts = {} } = kind;
  const known = found.get(shape.name);
  if (known && known.shape !== shape) throw new Error(`two shapes are called ${shape.name}`);
  if (known?.relations || (known && !kind.relations)) return;
  found.set(shape.name, kind);
  for (const relation of [...Object.values(relations), ...Object.values(parts)]) collect(relation.to(), found);
  for (const inner of innerShapes(shape)) collect({ shape: inner }, found);
}

function innerShapes(shape: Shape): readonly Shape[] {
  if ('oneOf' in shape) return shape.oneOf;
  return [...Object.values(shape.properties), ...Object.values(shape.optional)].flatMap(({ shapes }) => shapes ?? []);
}

function schemaOfKind({ shape, relations = {} }: Kind): JsonSchema {
  const { description } = shape;
  if ('oneOf' in shape) return { description, oneOf: shape.oneOf.map(refTo) };
  const properties = Object.entries({ ...shape.properties, ...shape.optional }).map(([name, property]) => {
    const relation = relations[name];
    return [name, relation ? expandable(property, relation.to().shape) : withExample(property)] as const;
  });
  return {
    type: 'object',
    description,
    properties: Object.fromEntries(properties),
    required: Object.keys(shape.properties),
    additionalProperties: false,
    examples: [exampleOf(shape)],
  };
}

/** Adds the example, unless the field is an object: objects have their own examples. */
function withExample({ schema, example, shapes }: Property): JsonSchema {
  return shapes || example === null || 'const' in schema ? schema : { ...schema, examples: [example] };
}

/** Schema of a field that is an id, or the object if the request expands it. */
function expandable({ schema, example }: Property, shape: Shape): JsonSchema {
  const { description, ...plain } = schema;
  return { anyOf: [plain, refTo(shape)], description: `${description}; can be expanded`, examples: [example] };
}
