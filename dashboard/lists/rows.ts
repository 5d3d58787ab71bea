import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useCustomFieldsOf } from '../forms/options.ts';
import { customizedOf, kindWith } from '../kinds/custom.ts';
import { type Kind, type ListName, type Row, textOf } from '../kinds/kind.ts';
import type { Session } from '../session.ts';
import { csvOf, hasCustom, queryOf, type Search } from './state.ts';

/** Rows of one request. */
export const PAGE_ROWS = 100;
/** More rows are higher than a browser can scroll. */
export const MOST_ROWS = 400_000;
/** How long rows that are out of sight are kept. */
const KEPT_MILLISECONDS = 20_000;

interface Page {
  rows: readonly Row[];
  total: number;
}

/** Reads one page of a list. */
export async function readPage(
  { api }: Session,
  list: ListName,
  { signal, query, ...page }: { signal: AbortSignal; query: Search; per_page: number; page?: number },
): Promise<Page> {
  const { data, total } = await api.with({ signal }).full('get', `/${list}`, Object.assign(page, query));
  return { rows: data, total: total ?? data.length };
}

export const idOf = (row: Row): string => textOf(row, 'id');

/** What an object has in each currency. */
export function byCurrencyIn(row: Row, name: 'balances'): Row[] {
  const balances = row[name];
  return Array.isArray(balances) ? balances.map((one): Row => ({ ...one })) : [];
}

/** The currencies in which objects owe something. */
export const currenciesOwed = (rows: readonly Row[], name: 'balances'): string[] =>
  rows.flatMap((row) => byCurrencyIn(row, name).map((one) => textOf(one, 'currency')));

/** The rows of a list that are in sight, and how many it has. `numbers`: of the pages in sight, from 1. */
export function useRows(
  session: Session,
  { kind, search, numbers }: { kind: Kind; search: Search; numbers: number[] },
) {
  const query = queryOf(kind, search);
  const pageQuery = (page: number) => ({
    queryKey: ['list', kind.list, query, page],
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      readPage(session, kind.list, { query, per_page: PAGE_ROWS, page, signal }),
    gcTime: KEPT_MILLISECONDS,
  });
  const first = useQuery({ ...pageQuery(1), placeholderData: keepPreviousData });
  const others = useQueries({ queries: numbers.filter((number) => number !== 1).map(pageQuery) });
  const byNumber = new Map<number, readonly Row[]>([[1, first.data?.rows ?? []]]);
  for (const [place, number] of numbers.filter((one) => one !== 1).entries())
    byNumber.set(number, others[place]?.data?.rows ?? []);
  const total = Math.min(first.data?.total ?? 0, MOST_ROWS);
  return {
    first,
    total: first.data?.total ?? 0,
    count: total,
    rowAt: (index: number): Row | null => byNumber.get(Math.floor(index / PAGE_ROWS) + 1)?.[index % PAGE_ROWS] ?? null,
  };
}

/** The CSV of everything that a list shows with its filters, with the columns in sight; balances in a column for each currency. */
export function readCsv({ api }: Session, { kind, search }: { kind: Kind; search: Search }) {
  const { include: _, ...query } = queryOf(kind, search);
  const { columns, ...more } = csvOf(kind, search);
  const named = columns.split(',').map((name) => (kind.expand.includes(name) ? `${name}.name` : name));
  return api.bytes(`/${kind.list}`, 'text/csv', Object.assign({}, query, more, { columns: named.join(',') }));
}

/** The kind of a list as its URL shows it; null: custom fields that the URL names are being read. */
export function useKindIn(kind: Kind, search: Search): Kind | null {
  const { me } = useRouteContext({ from: '__root__' });
  const custom = useCustomFieldsOf(customizedOf(kind.object));
  const currency = search.currency ?? me.currency;
  const shown = useMemo(() => kindWith(kind, { custom: custom ?? [], currency }), [kind, custom, currency]);
  return custom === null && hasCustom(search) ? null : shown;
}
