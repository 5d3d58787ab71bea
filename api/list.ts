import { Refusal } from '../billing/refusal.ts';
import { all, type Condition } from '../db/queries/condition.ts';
import type { Direction, SortColumn } from '../db/queries/keyset.ts';
import { tableOf } from '../db/queries/plain.ts';
import { readingOf } from '../db/queries/reading.ts';
import { readCursor } from './cursor.ts';
import { presentRows, wantedBy } from './expand.ts';
import { nearest } from './nearest.ts';
import { pageHeaders, readPage } from './pages.ts';
import type { Resource } from './resource.ts';
import { type ApiRequest, type Reply, reply } from './route.ts';
import { readSlice } from './slice.ts';
import { totalOf } from './total.ts';

/** Answers one page of a resource, sorted and filtered as the request asks. Unknown columns are refused. */
export async function list<Row extends object>(request: ApiRequest, resource: Resource<Row>): Promise<Reply> {
  const { em, query, caller } = request;
  const reading = readingOf(em, caller.account.id);
  const page = readPage(query);
  const order = orderOf(request, resource);
  const orderText = order.map(({ column, direction }) => `${column} ${direction}`).join();
  const text = query.get('cursor') ?? '';
  const filters = filtersOf(query, resource);
  const scope = [resource.exists, resource.listed?.(request)].filter((part) => part !== undefined);
  const rows = { row: resource.row, from: resource.from, where: all([...scope, ...filters]) };
  const asked = { rows, order, page, cursor: text === '' ? null : readCursor(orderText, text) };
  const found = await readSlice(reading, asked);
  const whole = filters.length === 0 ? `${caller.account.id} ${request.path} ${rows.where.sql}` : null;
  const total = await totalOf(reading, request.totals, { asked, found, list: whole });
  const shown = { rows: found.placed.map(({ row }) => row), wanted: wantedBy(query) };
  const presented = await presentRows(reading, resource, shown);
  const [first, last] = [found.placed.at(0), found.placed.at(-1)];
  const previous = first ? { before: first.keyset } : null;
  const next = last && found.hasMore ? { after: last.keyset } : null;
  const headers = pageHeaders(request, { ...page, total, order: orderText, previous, next });
  return { ...reply(200, presented), headers };
}

/** `filter[column]`, and the list's own parameters. */
function filtersOf<Row extends object>(query: URLSearchParams, resource: Resource<Row>): Condition[] {
  const { columns, parameters = {} } = resource;
  return [...query].flatMap(([name, text]) => {
    const column = /^filter\[([^\]]*)\]$/.exec(name)?.[1];
    if (column === undefined && name !== 'filter') {
      const own = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
      return own && text !== '' ? [own(text, name)] : [];
    }
    const filter = column !== undefined && Object.hasOwn(columns, column) ? columns[column]?.filter : null;
    if (filter) return [filter(text, name)];
    const known = Object.keys(columns).filter((key) => columns[key]?.filter);
    throw new Refusal(unknownColumn('filter', column ?? text, known), name);
  });
}

function orderOf<Row extends object>({ em, query }: ApiRequest, resource: Resource<Row>): SortColumn[] {
  const { nullable } = tableOf(em, resource.row);
  const wanted = (query.get('sort') ?? '').split(',').filter((part) => part.trim() !== '');
  const [natural, ...rest] = resource.order ?? [{ column: 'id', direction: 'asc' as const }];
  const columns = wanted.map((part) => orderBy(part, resource));
  const last =
    columns.length === 0 && natural ? [natural, ...rest] : [...columns, { column: 'id', direction: 'asc' as const }];
  return last.map(({ column, direction }) => ({ column, direction, nullable: nullable.has(column) }));
}

function orderBy<Row extends object>(part: string, { columns }: Resource<Row>): Omit<SortColumn, 'nullable'> {
  const [name = '', direction = 'asc', ...more] = part.trim().toLowerCase().split(/\s+/);
  const column = Object.hasOwn(columns, name) ? columns[name]?.sort : null;
  const known = Object.keys(columns).filter((key) => columns[key]?.sort);
  if (!column) throw new Refusal(unknownColumn('sort', name, known), 'sort');
  if (!isDirection(direction) || more.length > 0)
    throw new Refusal(`Sort direction must be asc or desc: ${part.trim()}`, 'sort');
  return { column, direction };
}

function isDirection(text: string): text is Direction {
  return text === 'asc' || text === 'desc';
}

function unknownColumn(use: 'sort' | 'filter', column: string, known: readonly string[]): string {
  const meant = nearest(column, known);
  const hint = meant === null ? `possible are ${known.join(', ')}` : `did you mean ${meant}?`;
  return `Unknown ${use} column ${column.slice(0, 64)}; ${hint}`;
}
