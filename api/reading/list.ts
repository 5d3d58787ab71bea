import { Refusal } from '../../billing/refusal.ts';
import { type Reading, type Rows, readingOf } from '../../db/queries/kernel/reading.ts';
import { type Search, searchingOf } from '../../db/queries/kernel/search.ts';
import { all } from '../../db/queries/kernel/sql.ts';
import { asSystem, currentOwner } from '../../db/tenant.ts';
import type { ApiRequest } from '../framework/apiRequest.ts';
import { refuseRepeated, refuseUnknownInList } from '../framework/parameterNames.ts';
import type { Resource } from '../framework/resource.ts';
import type { Reply } from '../framework/route.ts';
import { belowOwner } from '../framework/stored.ts';
import { columnsIn, confinedLikeNow, csvReply, SLICE, wantsCsv, withEntries } from './csv.ts';
import { readCursor } from './cursor.ts';
import { customFieldsOf } from './customFields.ts';
import { presentRows, wantedBy } from './expand.ts';
import { type Applied, filtersOf } from './filters.ts';
import { NEWEST, orderOf } from './order.ts';
import { pageHeaders, readPage, refuseLong } from './pages.ts';
import { findOwner } from './read.ts';
import { type Bounded, findIds, readCounted, type Way, wayOf } from './rule.ts';
import { containedIn, matching, readSearch, searchIn } from './search.ts';
import { type Asked, type Found, readSlice } from './slice.ts';
import { totalOf } from './total.ts';

/** What a list reads: the page, what is searched in it, and how its rows are found. */
interface Listing<Row extends object> {
  asked: Asked<Row>;
  search: Search | null;
  way: Way;
  /** Its filters. */
  applied: readonly Applied[];
}

/** Responds with one page of a resource, sorted and filtered as requested. Throws a Refusal for unknown columns and parameters. */
export async function list<Row extends object>(request: ApiRequest, resource: Resource<Row>): Promise<Reply> {
  const { em, query, caller } = request;
  refuseRepeated(query);
  refuseLong(query);
  refuseUnknownInList(query, resource);
  const reading = readingOf(em, caller.account.id);
  const page = readPage(query);
  const { customFields, order, ...found } = await findingOf(request, resource);
  const { rows, search, applied } = found;
  const orderText = order.map(({ column, direction }) => `${column} ${direction}`).join();
  const text = query.get('cursor') ?? '';
  if (resource.owner) await findOwner(request, resource.owner);
  const cursor = text === '' ? null : readCursor(orderText, text);
  const asked = { rows, order, page, cursor, alternatives: found.alternatives };
  const listing = { asked, search, way: found.way, applied };
  if (wantsCsv(request))
    return listCsv(request, resource, {
      ...listing,
      columns: columnsIn(await withEntries(request, resource), resource, customFields),
    });
  const isWhole = applied.length === 0 && rows.where.values.length === 0;
  const { found: those, total } = search
    ? await readSearch({ reading, searching: searchingOf(em, caller.account.id) }, { asked, search })
    : await readList(request, reading, { ...listing, isWhole });
  const shown = { rows: those.placed.map(({ row }) => row), wanted: wantedBy(query, request) };
  const presented = await presentRows(reading, resource, shown);
  const [first, last] = [those.placed.at(0), those.placed.at(-1)];
  const previous = first ? { before: first.keyset } : null;
  const next = last && those.hasMore ? { after: last.keyset } : null;
  const headers = pageHeaders(request, { ...page, total, order: orderText, previous, next });
  return { statusCode: 200, json: null, members: presented, headers };
}

/** What the parameters of a list find, in which order and how. Throws a Refusal for parameters that are unfit. */
async function findingOf<Row extends object>(request: ApiRequest, resource: Resource<Row>) {
  const { query } = request;
  const customFields = await customFieldsOf(request, resource);
  const { applied, contained } = filtersOf(query, resource, { ...accountOf(request), customFields });
  const searched = searchIn(query, resource);
  const search = containedIn(contained, resource, searched) ?? searched;
  const order = orderOf(request, resource, searched ? [NEWEST] : undefined);
  const from = resource.listedFrom?.(request) ?? resource.from;
  const below = resource.owner ? belowOwner(request, resource.owner) : undefined;
  const scope = [resource.exists, below, resource.listed?.(request)].filter((part) => part !== undefined);
  const where = all([...scope, ...applied.map((one) => one.where)]);
  const byAmount = [...applied, ...order].some((one) => one.byAmount);
  const rows: Rows<Row> = { row: resource.row, from, where, byAmount };
  return { customFields, applied, search, order, rows, ...wayOf(applied, { order, isSorted: isSorted(query) }) };
}

const accountOf = ({ caller: { account }, deps }: ApiRequest) => ({
  accountId: account.id,
  today: { now: deps.systemNow().getTime(), zone: account.timeZone },
});

const isSorted = (query: URLSearchParams): boolean => (query.get('sort') ?? '') !== '';

/** Ids of the objects that a list finds, at most so many, in its order. Throws the Refusal with which the list would answer. */
export async function idsFound<Row extends object>(
  request: ApiRequest,
  resource: Resource<Row>,
  most: number,
): Promise<number[]> {
  await checkListQuery(request, resource);
  const { id } = request.caller.account;
  const { rows, search, order, applied, way } = await findingOf(request, resource);
  const found = search ? matching(rows, search, id) : rows;
  const read = () => findIds(readingOf(request.em, id), { rows: found, order, most }, { way, applied });
  return search ? asSystem(read, id) : read();
}

/** Checks the parameters of a list without reading it. Throws the Refusal with which the list would answer. */
export async function checkListQuery<Row extends object>(request: ApiRequest, resource: Resource<Row>): Promise<void> {
  const { query } = request;
  refuseRepeated(query);
  refuseLong(query);
  refuseUnknownInList(query, resource);
  const customFields = await customFieldsOf(request, resource);
  const { contained } = filtersOf(query, resource, { ...accountOf(request), customFields });
  containedIn(contained, resource, searchIn(query, resource));
  orderOf(request, resource);
  columnsIn(await withEntries(request, resource), resource, customFields);
  resource.listedFrom?.(request);
}

/** Responds with all objects of a list, in its order, which are read as the client takes them. */
function listCsv<Row extends object>(
  request: ApiRequest,
  resource: Resource<Row>,
  { asked, search, way, applied, columns }: Listing<Row> & { columns: ReturnType<typeof columnsIn> },
): Reply {
  const { em, query, caller, path } = request;
  const paged = ['page', 'per_page', 'cursor'].find((name) => query.has(name));
  if (paged) throw new Refusal('parameter_invalid', `A CSV has all pages: it takes no ${paged}`, paged);
  const wanted = wantedBy(query, request);
  const { id } = caller.account;
  const confined = confinedLikeNow(id);
  let slice: Asked<Row> | null = { ...asked, page: { number: 1, size: SLICE } };
  const read = async () => {
    if (slice === null) return [];
    const reading = readingOf(em, id);
    const { found } = search
      ? await readSearch({ reading, searching: searchingOf(em, id) }, { asked: slice, search })
      : await readPart(reading, { asked: slice, way, applied });
    const last = found.placed.at(-1);
    slice = last && found.hasMore ? { ...slice, cursor: { after: last.keyset } } : null;
    return presentRows(reading, resource, { rows: found.placed.map(({ row }) => row), wanted });
  };
  return csvReply(path.split('/').at(-1) ?? 'list', columns, () => confined(read));
}

async function readPart<Row extends object>(
  reading: Reading,
  { asked, way, applied }: Pick<Listing<Row>, 'asked' | 'way' | 'applied'>,
): Promise<Bounded<Row>> {
  return way === 'direct'
    ? { found: await readSlice(reading, asked), total: null }
    : readCounted(reading, asked, { way, applied });
}

async function readList<Row extends object>(
  { caller, path, totals, deps }: ApiRequest,
  reading: Reading,
  { isWhole, ...listing }: Listing<Row> & { isWhole: boolean },
): Promise<{ found: Found<Row>; total: number }> {
  const { asked } = listing;
  const { found, total } = await readPart(reading, listing);
  if (total !== null) return { found, total };
  const { sql, values } = asked.rows.where;
  const from = typeof asked.rows.from === 'object' ? asked.rows.from.values : [];
  const name = JSON.stringify([caller.account.id, currentOwner(), path, sql, values, from]);
  const counted = { asked, found, list: { name, isWhole }, now: deps.systemNow().getTime() };
  return { found, total: await totalOf(reading, totals, counted) };
}
