import type { Field, Kind } from '../kinds/kind.ts';

/**
 * What a list shows is in the URL: parameters of the list of the API by their names (`filter[status]`, `sort`, `search`), and `columns`.
 */
export type Search = Readonly<Record<string, string>>;

const LONGEST = 1000;
const MOST = 60;
export const NARROWEST = 60;
export const WIDEST = 800;

/** The parameters in a URL. Anything that is no text of a sensible length counts as not there. */
export function searchIn(given: Record<string, unknown>): Search {
  const texts = Object.entries(given).flatMap(([name, value]) =>
    typeof value === 'string' && value !== '' && value.length <= LONGEST ? [[name, value] as const] : [],
  );
  return Object.fromEntries(texts.slice(0, MOST));
}

/** `{ 'filter[status]': 'draft' }` from and to `?filter%5Bstatus%5D=draft`. */
export const parseSearch = (text: string): Record<string, string> => Object.fromEntries(new URLSearchParams(text));

export function stringifySearch(search: Record<string, unknown>): string {
  const pairs = Object.entries(search).filter((pair): pair is [string, string] => typeof pair[1] === 'string');
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}

/** Parameters that the list sets itself. */
const OWN = ['columns', 'page', 'per_page', 'cursor', 'format', 'expand', 'include'];

/** The parameters that a request for the list has. */
export function queryOf(kind: Kind, search: Search): Search {
  const asked = without(search, OWN);
  const sorted = asked.sort || asked.search || kind.sort === '' ? asked : { ...asked, sort: kind.sort };
  return {
    ...sorted,
    ...(kind.expand.length > 0 ? { expand: kind.expand.join(',') } : {}),
    ...(kind.include ? { include: kind.include } : {}),
  };
}

/** A column and its width in pixels; null: its width by default. */
export interface Column {
  field: Field;
  width: number | null;
}

/** The columns of a list after that of the title: those of the URL, such as `customer,total:140`, or its usual ones. */
export function columnsOf(kind: Kind, search: Search): Column[] {
  const wanted = search.columns?.split(',') ?? kind.columns;
  const found = wanted.flatMap((text): Column[] => {
    const [name = '', width = ''] = text.split(':');
    const field = kind.fields.find((one) => one.name === name);
    const pixels = /^\d{2,4}$/.test(width) ? Math.min(WIDEST, Math.max(NARROWEST, Number(width))) : null;
    return field ? [{ field, width: pixels }] : [];
  });
  return found.filter(({ field }, place) => found.findIndex((other) => other.field === field) === place);
}

export function withColumns(search: Search, columns: readonly Column[] | null): Search {
  const { columns: _, ...others } = search;
  if (columns === null) return others;
  return { ...others, columns: columns.map(({ field, width }) => field.name + (width ? `:${width}` : '')).join(',') };
}

export interface Sort {
  by: string;
  isDescending: boolean;
}

/** The first column that a list is sorted by. */
export function sortOf(kind: Kind, search: Search): Sort | null {
  const text = search.sort ?? (search.search ? '' : kind.sort);
  const [by = '', direction] = (text.split(',')[0] ?? '').trim().split(/\s+/);
  return by === '' ? null : { by, isDescending: direction === 'desc' };
}

export const operators = ['gte', 'lte', 'in', 'contains', 'empty'] as const;
export type Operator = (typeof operators)[number];

/** One filter in the URL. `field` null: the list has no such field. */
export interface Filter {
  parameter: string;
  name: string;
  field: Field | null;
  operator: Operator | null;
  value: string;
}

export function filtersIn(kind: Kind, search: Search): Filter[] {
  return Object.entries(search).flatMap(([parameter, value]): Filter[] => {
    const [, name, operator] = /^filter\[([^\]]+)\](?:\[(\w+)\])?$/.exec(parameter) ?? [];
    if (name === undefined) return [];
    const field = kind.fields.find((one) => one.name === name) ?? null;
    return [{ parameter, name, field, operator: operators.find((one) => one === operator) ?? null, value }];
  });
}

export const parameterOf = (name: string, operator: Operator | null): string =>
  operator === null ? `filter[${name}]` : `filter[${name}][${operator}]`;

/** Parameters without some of them. */
export const without = (search: Search, names: readonly string[]): Search =>
  Object.fromEntries(Object.entries(search).filter(([name]) => !names.includes(name)));
