import { isCurrency } from '../forms/codes.ts';
import { customIdOf, customName } from '../kinds/custom.ts';
import type { Field, Form, Kind, Preset } from '../kinds/kind.ts';

/**
 * What a list shows is in the URL: parameters of the list of the API by their names (`filter[status]`, `sort`, `search`), `columns`, and the id of
 * the `view` that it shows.
 */
export type Search = Readonly<Record<string, string>>;

const LONGEST = 1000;
const MOST = 60;
export const NARROWEST = 60;
export const WIDEST = 800;

/** The parameters in a URL. Leaves out what is no text of a sensible length, and unknown currencies. */
export function searchIn(given: Record<string, unknown>): Search {
  const texts = Object.entries(given).flatMap(([name, value]) => {
    if (typeof value !== 'string' || value === '' || value.length > LONGEST) return [];
    const told = name === 'currency' ? value.toLowerCase() : value;
    return name === 'currency' && !isCurrency(told) ? [] : [[name, told] as const];
  });
  return Object.fromEntries(texts.slice(0, MOST));
}

/** `{ 'filter[status]': 'draft' }` from and to `?filter%5Bstatus%5D=draft`. */
export const parseSearch = (text: string): Search => searchIn(Object.fromEntries(new URLSearchParams(text)));

export function stringifySearch(search: Record<string, unknown>): string {
  const pairs = Object.entries(search).filter((pair): pair is [string, string] => typeof pair[1] === 'string');
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}

/** Parameters that the list sets itself. */
const OWN = ['columns', 'view', 'page', 'per_page', 'cursor', 'format', 'expand', 'include'];

/** Parameters with the order that the list has by default, if they have none. */
const sorted = (kind: Kind, search: Search): Search =>
  search.sort || search.search || kind.sort === '' ? search : { ...search, sort: kind.sort };

/** The parameters that a request for the list has. */
export function queryOf(kind: Kind, search: Search): Search {
  return {
    ...sorted(kind, without(search, OWN)),
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

/** The columns of a CSV with what a list has in sight, and what they need; balances have a column for each currency. */
export function csvOf(kind: Kind, search: Search): { columns: string; include?: string } {
  const fields = [...kind.fields.slice(0, 1), ...columnsOf(kind, search).map(({ field }) => field)];
  const names = fields.map(({ name, byCurrency }) => (byCurrency ? `${byCurrency}.*.${name}` : name));
  const ofAmounts = fields.some(({ form }) => form === 'money') && kind.fields.some(({ name }) => name === 'currency');
  const columns = [...new Set(['id', ...names, ...(ofAmounts ? ['currency'] : [])])].join(',');
  return fields.some(({ byCurrency }) => byCurrency) && kind.include ? { columns, include: kind.include } : { columns };
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

/** Forms whose first order is that of their size, largest and newest first. */
const LARGEST_FIRST: readonly Form[] = ['money', 'number', 'day', 'time'];

/** Days whose first order is that of their age, oldest first. */
const OLDEST_FIRST = ['due_date', 'oldest_due_date'];

/** The order after a press on the head of a field. */
export function nextSort(field: Field, sort: Sort | null): Sort {
  const isBy = sort !== null && sort.by === field.sort;
  const isLargestFirst = LARGEST_FIRST.includes(field.form) && !OLDEST_FIRST.includes(field.name);
  return { by: field.sort ?? '', isDescending: isBy ? !sort.isDescending : isLargestFirst };
}

/** The first column that a list is sorted by. */
export function sortOf(kind: Kind, search: Search): Sort | null {
  const text = search.sort ?? (search.search ? '' : kind.sort);
  const [by = '', direction] = (text.split(',')[0] ?? '').trim().split(/\s+/);
  return by === '' ? null : { by, isDescending: direction === 'desc' };
}

export const operators = ['gt', 'gte', 'lte', 'within', 'in', 'contains', 'empty'] as const;
export type Operator = (typeof operators)[number];

/** One filter in the URL. `field` null: the list has no such field. */
export interface Filter {
  parameter: string;
  field: Field | null;
  operator: Operator | null;
  value: string;
}

export function filtersIn(kind: Kind, search: Search): Filter[] {
  const spelled = kind.fields.flatMap((field) =>
    [null, ...operators].map((operator) => ({ field, operator, parameter: parameterOf(field.name, operator) })),
  );
  return Object.entries(search)
    .filter(([parameter]) => parameter.startsWith('filter['))
    .map(([parameter, value]) => {
      const known = spelled.find((one) => one.parameter === parameter);
      return { parameter, field: known?.field ?? null, operator: known?.operator ?? null, value };
    });
}

/** Whether a list asks for custom fields, or shows some. */
export const hasCustom = (search: Search): boolean =>
  Object.entries(search).some(
    ([name, value]) =>
      name.startsWith('filter[custom_fields]') || (name === 'columns' && value.includes(customName(''))),
  );

/** `filter[total][gte]`, `filter[custom_fields][segment]`. */
export function parameterOf(name: string, operator: Operator | null): string {
  const id = customIdOf(name);
  const path = id === null ? `[${name}]` : `[custom_fields][${id}]`;
  return `filter${path}${operator === null ? '' : `[${operator}]`}`;
}

/** Whether two URLs of a list have the same filters, columns and order. */
export function areAlike(kind: Kind, one: Search, other: Search): boolean {
  const told = (search: Search) => {
    const { view: _, ...shown } = withColumns(sorted(kind, search), columnsOf(kind, search));
    return JSON.stringify(Object.entries(shown).toSorted(([name], [next]) => name.localeCompare(next)));
  };
  return told(one) === told(other);
}

/** Parameters without some of them. */
export const without = (search: Search, names: readonly string[]): Search =>
  Object.fromEntries(Object.entries(search).filter(([name]) => !names.includes(name)));

/** What the URL of a list has for a preset; null: for none. Columns and the currency of balances stay. */
export function presetSearch(preset: Preset | null, search: Search): Search {
  const kept = Object.entries(search).filter(([name]) => name === 'columns' || name === 'currency');
  return { ...Object.fromEntries(kept), ...preset?.query };
}

/** Whether a list is filtered just as a preset asks. */
export function showsPreset(preset: Preset | null, search: Search): boolean {
  const told = (one: Search) =>
    Object.entries(one)
      .filter(([name]) => name === 'search' || name.startsWith('filter['))
      .toSorted(([name], [next]) => name.localeCompare(next));
  return JSON.stringify(told(presetSearch(preset, search))) === JSON.stringify(told(search));
}
