import { nearest } from '../../billing/money/nearest.ts';
import { cut, Refusal } from '../../billing/refusal.ts';
import type { Resource } from './resource.ts';
import type { Route } from './route.ts';

/** Parameters that may be repeated, because their values are combined. For any other parameter, a value would be ignored. */
const REPEATABLE: readonly string[] = ['expand', 'include', 'expand[]', 'include[]'];

/** Parameters of every list. */
const LIST_PARAMETERS: readonly string[] = ['page', 'per_page', 'cursor', 'sort', 'format', 'columns'];

/** Throws a Refusal for a parameter that is given more than once. */
export function refuseRepeated(query: URLSearchParams): void {
  const seen = new Set<string>();
  for (const name of query.keys()) {
    if (seen.has(name) && !REPEATABLE.includes(name))
      throw new Refusal('parameter_invalid', `${cut(name)} must not be repeated`, name);
    seen.add(name);
  }
}

/** Splits `filter[name]` into kind and key. The key may itself contain brackets; it is undefined for a name without brackets. */
export function bracketed(name: string): { kind: 'filter' | 'metadata'; key: string | undefined } | null {
  const [, kind, key] = /^(filter|metadata)(?:\[(.*)\])?$/s.exec(name) ?? [];
  return kind === 'filter' || kind === 'metadata' ? { kind, key } : null;
}

/**
 * Throws a Refusal for a parameter that the list does not have. Ignoring it could return more rows than the client asked for. Names in
 * `filter[…]` and `metadata[…]` are checked by `filtersOf`.
 */
export function refuseUnknownInList<Row extends object>(query: URLSearchParams, resource: Resource<Row>): void {
  const { columns, parameters = {}, extraParameters = {}, searchable } = resource;
  const plain = new Set([
    ...LIST_PARAMETERS,
    ...(searchable ? ['search'] : []),
    ...Object.keys(parameters),
    ...Object.keys(extraParameters),
    ...REPEATABLE,
  ]);
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
    throw new Refusal('parameter_unknown', `Unknown parameter ${cut(name)}${hint}`, name);
  }
}

/**
 * Throws a Refusal for a parameter that the route does not have. Ignoring it could do something other than what the client asked for. Lists
 * are skipped: they use `refuseUnknownInList`.
 */
export function refuseUnknownInRoute(query: URLSearchParams, { parameters = {}, answer }: Route): void {
  if ('isList' in answer && answer.isList) return;
  refuseRepeated(query);
  const known = [...Object.keys(parameters), ...REPEATABLE];
  for (const name of query.keys()) {
    if (known.includes(name) || (parameters.metadata && bracketed(name)?.kind === 'metadata')) continue;
    throw new Refusal('parameter_unknown', `Unknown parameter ${cut(name)}`, name);
  }
}
