import { unknownName } from '../../billing/money/nearest.ts';
import { Refusal } from '../../billing/refusal.ts';
import { type Condition, condition } from '../../db/queries/kernel/sql.ts';
import { HAS_METADATA, METADATA } from '../../db/schema/indexes.ts';
import * as fields from '../body/fields.ts';
import { bracketed } from '../framework/parameterNames.ts';
import { type Filter, type Resource, readParameter } from '../framework/resource.ts';

/**
 * Parses `filter[column]`, `metadata[key]` and the list's own parameters into SQL conditions. An empty parameter counts as absent, except for
 * metadata, whose values may be empty. Throws a Refusal for an unknown filter.
 */
export function filtersOf<Row extends object>(
  query: URLSearchParams,
  resource: Resource<Row>,
  accountId: number,
): Condition[] {
  return [...query].flatMap(([name, text]) => {
    const inBrackets = bracketed(name);
    if (inBrackets?.kind === 'metadata') return [ofMetadata(resource, inBrackets.key, { name, text, accountId })];
    const own = inBrackets ? columnFilter(resource, inBrackets.key, { name, text }) : parameterOf(resource, name);
    return own && text !== '' ? [own(text, name)] : [];
  });
}

function parameterOf<Row extends object>({ parameters = {} }: Resource<Row>, name: string): Filter | undefined {
  return Object.hasOwn(parameters, name) ? parameters[name] : undefined;
}

interface Given {
  /** Name of the parameter, as in the request. */
  name: string;
  text: string;
}

function columnFilter<Row extends object>(
  { columns }: Resource<Row>,
  key: string | undefined,
  { name, text }: Given,
): Filter {
  const filter = key !== undefined && Object.hasOwn(columns, key) ? columns[key]?.filter : null;
  if (filter) return filter;
  const known = Object.keys(columns).filter((column) => columns[column]?.filter);
  throw new Refusal('parameter_unknown', unknownName('filter column', key ?? text, known), name);
}

/** SQL condition for objects whose metadata has exactly this value under the key. */
function ofMetadata<Row extends object>(
  resource: Resource<Row>,
  key: string | undefined,
  { name, text, accountId }: Given & { accountId: number },
): Condition {
  if (!resource.metadata)
    throw new Refusal(
      'parameter_unknown',
      `${resource.name} lists cannot be filtered by metadata: these objects have none`,
      name,
    );
  const wanted = Object.fromEntries([readMetadataFilter(key, name, text)]);
  return condition(`${HAS_METADATA} and ${METADATA} @> ?::jsonb`, JSON.stringify({ [accountId]: wanted }));
}

/** Parses a parameter `metadata[key]=value` into key and value. The value may be empty. Throws a Refusal that names the parameter. */
export function readMetadataFilter(key: string | undefined, name: string, text: string): [key: string, value: string] {
  if (!key) throw new Refusal('parameter_invalid', 'Metadata filter without a key: write metadata[key]=value', name);
  if (key.includes(']['))
    throw new Refusal(
      'parameter_invalid',
      'Metadata filter with several keys: write metadata[key]=value for each',
      name,
    );
  return [readParameter(fields.text(40), key, name), text === '' ? '' : readParameter(fields.text(), text, name)];
}
