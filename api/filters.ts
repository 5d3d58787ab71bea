import { Refusal } from '../billing/refusal.ts';
import { type Condition, condition } from '../db/queries/condition.ts';
import { HAS_METADATA, METADATA } from '../db/schema/indexes.ts';
import * as fields from './fields.ts';
import { nearest } from './nearest.ts';
import { type Filter, type Resource, readParameter } from './resource.ts';

/** `filter[column]`, `metadata[key]`, and the list's own parameters. Throws a Refusal for what the list cannot be filtered by. */
export function filtersOf<Row extends object>(
  query: URLSearchParams,
  resource: Resource<Row>,
  accountId: number,
): Condition[] {
  return [...query].flatMap(([name, text]) => {
    const [, kind, key] = /^(filter|metadata)(?:\[([^\]]*)\])?$/.exec(name) ?? [];
    if (kind === 'filter') return [ofColumn(resource, key, { name, text })];
    if (kind === 'metadata') return [ofMetadata(resource, key, { name, text, accountId })];
    const own = parameterOf(resource, name);
    return own && text !== '' ? [own(text, name)] : [];
  });
}

/** Parameters that may come in parts; any other that comes twice would have one value ignored. */
const IN_PARTS = ['expand', 'include', 'expand[]', 'include[]'];

/** Throws a Refusal for a parameter that a request has more than once. */
export function refuseRepeated(query: URLSearchParams): void {
  const seen = new Set<string>();
  for (const name of query.keys()) {
    if (seen.has(name) && !IN_PARTS.includes(name)) throw new Refusal(`${name} may be given once`, name);
    seen.add(name);
  }
}

function parameterOf<Row extends object>({ parameters = {} }: Resource<Row>, name: string): Filter | undefined {
  return Object.hasOwn(parameters, name) ? parameters[name] : undefined;
}

interface Given {
  /** Of the parameter, as the request has it. */
  name: string;
  text: string;
}

function ofColumn<Row extends object>(
  { columns }: Resource<Row>,
  key: string | undefined,
  { name, text }: Given,
): Condition {
  const filter = key !== undefined && Object.hasOwn(columns, key) ? columns[key]?.filter : null;
  if (filter) return filter(text, name);
  const known = Object.keys(columns).filter((column) => columns[column]?.filter);
  throw new Refusal(unknownColumn('filter', key ?? text, known), name);
}

/** Objects whose metadata has exactly this value under the key. */
function ofMetadata<Row extends object>(
  resource: Resource<Row>,
  key: string | undefined,
  { name, text, accountId }: Given & { accountId: number },
): Condition {
  if (!resource.metadata)
    throw new Refusal(`${resource.name} lists cannot be filtered by metadata: there is none`, name);
  if (!key) throw new Refusal('A metadata filter names its key, as in metadata[key]=value', name);
  const wanted = {
    [readParameter(fields.text(40), key, name)]: text === '' ? '' : readParameter(fields.text(), text, name),
  };
  return condition(`${HAS_METADATA} and ${METADATA} @> ?::jsonb`, JSON.stringify({ [accountId]: wanted }));
}

export function unknownColumn(use: 'sort' | 'filter', column: string, known: readonly string[]): string {
  const meant = nearest(column, known);
  const hint = meant === null ? `possible are ${known.join(', ')}` : `did you mean ${meant}?`;
  return `Unknown ${use} column ${column.slice(0, 64)}; ${hint}`;
}
