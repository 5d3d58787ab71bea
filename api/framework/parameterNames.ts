import { cut, Refusal } from '../../billing/refusal.ts';
import { nearest } from '../body/nearest.ts';
import type { Resource } from './resource.ts';
import type { Route } from './route.ts';

/** Parameters that may be repeated. For any other, repeating would ignore a value. */
const IN_PARTS: readonly string[] = ['expand', 'include', 'expand[]', 'include[]'];

/** Parameters of every list. */
const OF_EVERY_LIST: readonly string[] = ['page', 'per_page', 'cursor', 'sort'];

/** Throws a Refusal for a parameter that is given more than once. */
export function refuseRepeated(query: URLSearchParams): void {
  const seen = new Set<string>();
  for (const name of query.keys()) {
    if (seen.has(name) && !IN_PARTS.includes(name)) throw new Refusal(`${cut(name)} must not be repeated`, name);
    seen.add(name);
  }
}

/** The name in a parameter's brackets, `filter[name]`, which may itself contain brackets. `key` is undefined without brackets. */
export function bracketed(name: string): { kind: 'filter' | 'metadata'; key: string | undefined } | null {
  const [, kind, key] = /^(filter|metadata)(?:\[(.*)\])?$/s.exec(name) ?? [];
  return kind === 'filter' || kind === 'metadata' ? { kind, key } : null;
}

/**
 * Throws a Refusal for a parameter that the list does not have: ignoring it would answer more than was asked for. Names in `filter[…]` and
 * `metadata[…]` are checked by the filters.
 */
export function refuseUnknown<Row extends object>(query: URLSearchParams, resource: Resource<Row>): void {
  const { columns, parameters = {}, also = {} } = resource;
  const plain = new Set([...OF_EVERY_LIST, ...Object.keys(parameters), ...Object.keys(also), ...IN_PARTS]);
  for (const name of query.keys()) {
    if (plain.has(name) || bracketed(name)) continue;
    const filters = Object.keys(columns).filter((column) => columns[column]?.filter);
    const known = [
      ...plain,
      ...filters.map((column) => `filter[${column}]`),
      ...(resource.metadata ? ['metadata[key]'] : []),
    ];
    const meant = nearest(name, known);
    const hint = meant === null ? '' : `; did you mean ${meant}?`;
    throw new Refusal(`Unknown parameter ${cut(name)}${hint}`, name);
  }
}

/** Parameters of a later version. */
const LATER: readonly string[] = ['dry_run'];

/**
 * Throws a Refusal for a parameter that the route does not have: ignoring it would do something else than was asked for. Lists check their
 * own.
 */
export function refuseStray(query: URLSearchParams, { parameters = {}, answer }: Route): void {
  if ('isList' in answer && answer.isList) return;
  refuseRepeated(query);
  const known = [...Object.keys(parameters), ...IN_PARTS];
  for (const name of query.keys()) {
    if (known.includes(name)) continue;
    if (LATER.includes(name)) throw new Refusal(`${name} is not supported yet`, name);
    throw new Refusal(`Unknown parameter ${cut(name)}`, name);
  }
}
