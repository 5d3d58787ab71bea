import { unknownName } from '../../billing/money/nearest.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { Direction, SortColumn } from '../../db/queries/kernel/keyset.ts';
import { tableOf } from '../../db/queries/kernel/plain.ts';
import { type Reading, readingOf } from '../../db/queries/kernel/reading.ts';
import { type Search, searchingOf } from '../../db/queries/kernel/search.ts';
import { all } from '../../db/queries/kernel/sql.ts';
import { currentOwner } from '../../db/tenant.ts';
import type { ApiRequest } from '../framework/apiRequest.ts';
import { refuseRepeated, refuseUnknownInList } from '../framework/parameterNames.ts';
import type { Resource } from '../framework/resource.ts';
import type { Reply } from '../framework/route.ts';
import { belowOwner } from '../framework/stored.ts';
import { columnsIn, confinedLikeNow, csvReply, SLICE, wantsCsv } from './csv.ts';
import { readCursor } from './cursor.ts';
import { presentRows, wantedBy } from './expand.ts';
import { filtersOf } from './filters.ts';
import { pageHeaders, readPage, refuseLong } from './pages.ts';
import { findOwner } from './read.ts';
import { readSearch, searchIn } from './search.ts';
import { type Asked, type Found, readSlice } from './slice.ts';
import { totalOf } from './total.ts';

/** Responds with one page of a resource, sorted and filtered as requested. Throws a Refusal for unknown columns and parameters. */
export async function list<Row extends object>(request: ApiRequest, resource: Resource<Row>): Promise<Reply> {
  const { em, query, caller } = request;
  refuseRepeated(query);
  refuseLong(query);
  refuseUnknownInList(query, resource);
  const reading = readingOf(em, caller.account.id);
  const page = readPage(query);
  const search = searchIn(query, resource);
  const order = orderOf(request, resource, search ? [NEWEST] : (resource.order ?? [BY_ID]));
  const orderText = order.map(({ column, direction }) => `${column} ${direction}`).join();
  const text = query.get('cursor') ?? '';
  const filters = filtersOf(query, resource, caller.account.id);
  if (resource.owner) await findOwner(request, resource.owner);
  const below = resource.owner ? belowOwner(request, resource.owner) : undefined;
  const scope = [resource.exists, below, resource.listed?.(request)].filter((part) => part !== undefined);
  const rows = { row: resource.row, from: resource.from, where: all([...scope, ...filters]) };
  const asked = { rows, order, page, cursor: text === '' ? null : readCursor(orderText, text) };
  if (wantsCsv(request)) return listCsv(request, resource, { asked, search });
  const { found, total } = search
    ? await readSearch({ reading, searching: searchingOf(em, caller.account.id) }, { asked, search })
    : await readList(request, reading, { asked, isWhole: filters.length === 0 && rows.where.values.length === 0 });
  const shown = { rows: found.placed.map(({ row }) => row), wanted: wantedBy(query) };
  const presented = await presentRows(reading, resource, shown);
  const [first, last] = [found.placed.at(0), found.placed.at(-1)];
  const previous = first ? { before: first.keyset } : null;
  const next = last && found.hasMore ? { after: last.keyset } : null;
  const headers = pageHeaders(request, { ...page, total, order: orderText, previous, next });
  return { statusCode: 200, json: null, members: presented, headers };
}

/** Checks the parameters of a list without reading it. Throws the Refusal with which the list would answer. */
export function checkListQuery<Row extends object>(
  { em, query, caller }: Pick<ApiRequest, 'em' | 'query' | 'caller'>,
  resource: Resource<Row>,
): void {
  refuseRepeated(query);
  refuseLong(query);
  refuseUnknownInList(query, resource);
  searchIn(query, resource);
  orderOf({ em, query }, resource, [BY_ID]);
  filtersOf(query, resource, caller.account.id);
  columnsIn(query, resource);
}

/** Responds with all objects of a list, in its order, which are read as the client takes them. */
function listCsv<Row extends object>(
  { em, query, caller, path }: ApiRequest,
  resource: Resource<Row>,
  { asked, search }: { asked: Asked<Row>; search: Search | null },
): Reply {
  const paged = ['page', 'per_page', 'cursor'].find((name) => query.has(name));
  if (paged) throw new Refusal('parameter_invalid', `A CSV has all pages: it takes no ${paged}`, paged);
  const columns = columnsIn(query, resource);
  const wanted = wantedBy(query);
  const { id } = caller.account;
  const confined = confinedLikeNow(id);
  let slice: Asked<Row> | null = { ...asked, page: { number: 1, size: SLICE } };
  const read = async () => {
    if (slice === null) return [];
    const reading = readingOf(em, id);
    const { found } = search
      ? await readSearch({ reading, searching: searchingOf(em, id) }, { asked: slice, search })
      : { found: await readSlice(reading, slice) };
    const last = found.placed.at(-1);
    slice = last && found.hasMore ? { ...slice, cursor: { after: last.keyset } } : null;
    return presentRows(reading, resource, { rows: found.placed.map(({ row }) => row), wanted });
  };
  return csvReply(path.split('/').at(-1) ?? 'list', columns, () => confined(read));
}

async function readList<Row extends object>(
  { caller, path, totals, deps }: ApiRequest,
  reading: Reading,
  { asked, isWhole }: { asked: Asked<Row>; isWhole: boolean },
): Promise<{ found: Found<Row>; total: number }> {
  const found = await readSlice(reading, asked);
  const { sql, values } = asked.rows.where;
  const list = { name: JSON.stringify([caller.account.id, currentOwner(), path, sql, values]), isWhole };
  return { found, total: await totalOf(reading, totals, { asked, found, list, now: deps.systemNow().getTime() }) };
}

type Order = NonNullable<Resource<object>['order']>;

/** The order that is requested, or the default one. */
function orderOf<Row extends object>(
  { em, query }: Pick<ApiRequest, 'em' | 'query'>,
  resource: Resource<Row>,
  usual: Order,
): SortColumn[] {
  const { nullable } = tableOf(em, resource.row);
  const wanted = (query.get('sort') ?? '').split(',').filter((part) => part.trim() !== '');
  const columns = wanted.map((part) => orderBy(part, resource));
  refuseTwice(columns);
  const isUnique = columns.some(({ column }) => column === BY_ID.column);
  const order = columns.length === 0 ? usual : isUnique ? columns : [...columns, BY_ID];
  return order.map(({ column, direction }) => ({ column, direction, nullable: nullable.has(column) }));
}

const BY_ID = { column: 'id', direction: 'asc' } as const;
const NEWEST = { column: 'id', direction: 'desc' } as const;

/** Throws a Refusal for a column that is named twice. This also limits the number of columns. */
function refuseTwice(columns: readonly { name: string; column: string }[]): void {
  const seen = new Set<string>();
  for (const { name, column } of columns) {
    if (seen.has(column)) throw new Refusal('parameter_invalid', `sort must not repeat a column: ${name}`, 'sort');
    seen.add(column);
  }
}

function orderBy<Row extends object>(
  part: string,
  { columns }: Resource<Row>,
): Omit<SortColumn, 'nullable'> & { name: string } {
  const [name = '', direction = 'asc', ...more] = part.trim().toLowerCase().split(/\s+/);
  const column = Object.hasOwn(columns, name) ? columns[name]?.sort : null;
  const known = Object.keys(columns).filter((key) => columns[key]?.sort);
  if (!column) throw new Refusal('parameter_invalid', unknownName('sort column', name, known), 'sort');
  if (!isDirection(direction) || more.length > 0)
    throw new Refusal('parameter_invalid', `Sort direction must be asc or desc: ${part.trim()}`, 'sort');
  return { name, column, direction };
}

function isDirection(text: string): text is Direction {
  return text === 'asc' || text === 'desc';
}
