import { type CustomizedObject, customizedObjects } from '../../billing/customFields.ts';
import type { Json } from '../../billing/json.ts';
import type { Searchable } from '../../db/queries/kernel/search.ts';
import { type JsonSchema, orEmpty, schemaOf } from '../body/documented.ts';
import * as fields from '../body/fields.ts';
import type { Kind } from './kind.ts';
import { OPERATORS_TOLD, operatorsOf, operatorsSchema } from './operators.ts';
import type { Resource } from './resource.ts';
import type { QueryParameter } from './route.ts';
import { type Property, type Shape, typeIn } from './shape.ts';

type Parameters = Record<string, QueryParameter>;

/** Query parameters of a list, derived from its resource. Without `page`, `per_page` and `cursor`, which all lists share. */
export function listParameters<Row extends object>(resource: Resource<Row>): Parameters {
  const { columns, parameters = {}, extraParameters = {}, searchable } = resource;
  const names = Object.keys(columns);
  const sortable = names.filter((name) => columns[name]?.sort);
  const filters = names.flatMap((name): [string, JsonSchema][] => {
    const schema = filterSchema(resource, name);
    return schema ? [[name, schema]] : [];
  });
  if (customizedIn(resource)) filters.push([CUSTOM_FIELDS, customFieldsSchema]);
  const own = Object.entries({ ...parameters, ...extraParameters });
  return {
    ...Object.fromEntries(
      own.map(([name, field]) => [name, { schema: parameterSchema(resource.shape, { name, field }) }]),
    ),
    ...(searchable ? { search: { schema: searchSchema(searchable) } } : {}),
    ...(sortable.length > 0 ? { sort: { schema: sortSchema(sortable) } } : {}),
    ...(filters.length > 0 ? { filter: filterOf(filters) } : {}),
    ...(resource.metadata ? { metadata: metadataParameter('Only objects whose metadata has this value') } : {}),
    ...readParameters(resource),
    ...csvParameters,
  };
}

/** Name of the custom fields in filters and columns: `filter[custom_fields][key]`, `columns=custom_fields.key`. */
export const CUSTOM_FIELDS = 'custom_fields';

/** The kind of objects with custom fields that a resource lists; null: they have none. */
export function customizedIn({
  shape,
  metadata,
}: Pick<Resource<object>, 'shape' | 'metadata'>): CustomizedObject | null {
  const type = typeIn(shape);
  return metadata ? (customizedObjects.find((object) => object === type) ?? null) : null;
}

const customFieldsSchema: JsonSchema = {
  type: 'object',
  maxProperties: 10,
  additionalProperties: {
    anyOf: [
      { type: 'string', maxLength: 255 },
      { type: 'object', properties: { in: { type: 'string' } }, additionalProperties: false },
    ],
  },
  description:
    'Values of custom fields, by their ids: `filter[custom_fields][segment]=Retail`; takes `in`. Values and ids are checked against the custom fields of these objects',
};

/** The form of a list: JSON, a page at a time, or all of it as CSV. */
export const format = fields.described(
  fields.choice('json', 'csv'),
  '`csv`: all matching objects as a CSV file, without pages',
);
const COLUMNS: JsonSchema = {
  type: 'string',
  description:
    'Columns of the CSV, comma-separated; a dot leads into an object, such as `metadata.order`, to a currency, such as `balances.usd.overdue` (`balances.*.overdue`: a column for each currency in which something is owed), or to a custom field: `custom_fields.segment`; default: all single values',
  examples: ['id,number,total,metadata.order'],
};

/** Query parameters of whatever is answered as CSV, too. */
export const csvParameters: Parameters = { format: { schema: schemaOf(format) }, columns: { schema: COLUMNS } };

/** Query parameters of any response with an object of this kind, including responses to writes. */
export function readParameters(kind: Kind): Parameters {
  const { includes = {} } = kind;
  const paths = pathsOf(kind);
  const included = Object.keys(includes);
  return {
    ...(paths.length > 0 ? { expand: { schema: expandSchema(paths) } } : {}),
    ...(included.length > 0 ? { include: { schema: includeSchema(included) } } : {}),
  };
}

/** A field in responses. */
function propertyOf(shape: Shape, name: string): Property | undefined {
  const { properties = {} } = 'oneOf' in shape ? (shape.oneOf[0] ?? {}) : shape;
  return properties[name];
}

function descriptionOf(shape: Shape, name: string): string | undefined {
  const description = propertyOf(shape, name)?.schema.description;
  return typeof description === 'string' ? description : undefined;
}

/** UNIX time of 1 December 2026, the example of time bounds. */
const EXAMPLE_TIME = 1_796_083_200;

/** Examples of fields that are null in the example of their object. An integer is the id of an object. */
const EXAMPLES: Readonly<Record<string, Json>> = {
  catalog_item: 'hosting',
  currency: 'usd',
  gateway_id: 'ch_3PqRsT',
  state: 'TX',
  type: 'service',
};
const EXAMPLE_ID = 77;

function exampleOf(shape: Shape, { name, type }: { name: string; type: Json | undefined }): Json {
  if (bounds[name]) return EXAMPLE_TIME;
  const shown = propertyOf(shape, name)?.example ?? EXAMPLES[name] ?? null;
  return shown === null && type === 'integer' ? EXAMPLE_ID : shown;
}

/** Descriptions of time bounds, by parameter. */
const bounds: Readonly<Record<string, string>> = {
  updated_after: 'Only objects last changed at or after this time; UNIX time in seconds',
  updated_before: 'Only objects last changed at or before this time; UNIX time in seconds',
  contract_ends_after: 'Only objects whose contract ends at or after this time; UNIX time in seconds',
  contract_ends_before: 'Only objects whose contract ends at or before this time; UNIX time in seconds',
  start_date: 'Only objects dated at or after this time; UNIX time in seconds',
  end_date: 'Only objects dated at or before this time; UNIX time in seconds',
};

/**
 * Schema of a field as a query parameter. A parameter is text, so an id cannot be an object. An empty parameter counts as absent. The example
 * is that of the field of this name in responses.
 */
function parameterSchema(shape: Shape, { name, field }: { name: string; field: object }): JsonSchema {
  const schema = schemaOf(field);
  const [first] = Array.isArray(schema.anyOf) ? schema.anyOf : [];
  const plain = typeof first === 'object' && first !== null && !Array.isArray(first) ? first : schema;
  const description = bounds[name] ?? plain.description ?? `Only objects with exactly this \`${name}\``;
  const { pattern } = plain;
  const example = exampleOf(shape, { name, type: plain.type });
  const { examples = example === null ? undefined : [example] } = plain;
  return {
    ...plain,
    ...(typeof pattern === 'string' ? { pattern: orEmpty(pattern) } : {}),
    ...(examples ? { examples } : {}),
    description,
  };
}

function searchSchema({ fields }: Searchable): JsonSchema {
  return {
    type: 'string',
    maxLength: 255,
    description: `Only objects in which every word is found, newest first unless \`sort\` is given: in ${fields}. A word is the beginning of a word there, without regard to case and accents; words of one character are ignored`,
    examples: ['meier 0007'],
  };
}

function sortSchema(columns: readonly string[]): JsonSchema {
  const words = columns.map((name) => `\`${name}\``).join(', ');
  return {
    type: 'string',
    description: `Comma-separated columns to sort by, each followed by \`asc\` (default) or \`desc\`: ${words}`,
    examples: [`${columns.at(-1)} desc`],
    'x-columns': [...columns],
  };
}

/** The schema of the filters by a column: one value, or operators; undefined: it has none. */
function filterSchema<Row extends object>(resource: Resource<Row>, name: string): JsonSchema | undefined {
  const { columns, shape } = resource;
  const { filter, values } = columns[name] ?? {};
  const taken = operatorsOf(resource, name);
  if (!filter && taken.length === 0) return undefined;
  const schema = parameterSchema(shape, { name, field: filter ?? values?.field ?? fields.text() });
  const { description: own = '', ...one } = schema;
  const description = descriptionOf(shape, name) ?? own;
  if (taken.length === 0) return { ...one, description };
  const { isWithoutNulls } = values ?? {};
  const names = taken.map(
    (operator) => `\`${operator}\`${operator === 'empty' && isWithoutNulls ? ' (only `false`)' : ''}`,
  );
  const told = `${description}; takes ${names.join(', ')}`;
  const operators = operatorsSchema(taken, { one, isWithoutNulls });
  if (!filter) return { ...operators, description: told };
  const { examples, ...value } = one;
  return { anyOf: [value, operators], ...(examples ? { examples } : {}), description: told };
}

function filterOf(filters: readonly [string, JsonSchema][]): QueryParameter {
  const description = `Only objects whose fields match. ${OPERATORS_TOLD}`;
  const properties = Object.fromEntries(filters);
  return { style: 'deepObject', schema: { type: 'object', properties, additionalProperties: false, description } };
}

/** The parameter `metadata`, of which a request may have several. */
export function metadataParameter(description: string): QueryParameter {
  return {
    style: 'deepObject',
    schema: {
      type: 'object',
      maxProperties: 10,
      additionalProperties: { type: 'string', maxLength: 255 },
      description: `${description}: \`metadata[key]=value\``,
    },
  };
}

const DEEPEST = 2;

/** Dotted paths over the relations of a kind and its parts: `customer`, `subscription.plan`, `items.plan`. */
function pathsOf({ relations = {}, parts = {} }: Kind, depth = 1): string[] {
  const own = Object.entries(relations).flatMap(([name, relation]) => {
    const inner = depth < DEEPEST ? pathsOf(relation.to(), depth + 1) : [];
    return [name, ...inner.map((path) => `${name}.${path}`)];
  });
  const within = Object.entries(parts).flatMap(([name, part]) =>
    pathsOf(part.to(), depth).map((path) => `${name}.${path}`),
  );
  return [...own, ...within];
}

function expandSchema(paths: readonly string[]): JsonSchema {
  const words = paths.map((path) => `\`${path}\``).join(', ');
  const description = `Comma-separated fields whose ids are replaced by their objects: ${words}, and paths of up to five names. Unknown names are ignored`;
  return { type: 'string', description, examples: [paths.join(',')], 'x-paths': [...paths] };
}

function includeSchema(fields: readonly string[]): JsonSchema {
  const words = fields.map((name) => `\`${name}\``).join(', ');
  return {
    type: 'string',
    description: `Comma-separated fields to add to the answer: ${words}`,
    examples: [fields.join(',')],
  };
}
