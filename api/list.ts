import { Refusal } from '../billing/refusal.ts';
import { allOf, countRows, type OrderBy, type Where } from '../db/queries/listing.ts';
import { expandAll, expansionsOf } from './expand.ts';
import type { Direction, Listing } from './listing.ts';
import { nearest } from './nearest.ts';
import { pageHeaders, readPage } from './pages.ts';
import { type ApiRequest, type Reply, reply } from './route.ts';

/** Answers one page of a resource, sorted and filtered as the request asks. Unknown columns are refused. */
export async function list<Row extends object>(request: ApiRequest, listing: Listing<Row>): Promise<Reply> {
  const { em, query } = request;
  const page = readPage(query);
  const conditions = allOf([listing.scope(request), ...conditionsOf(query, listing)]);
  const slice = { orderBy: orderOf(query, listing), limit: page.size, offset: (page.number - 1) * page.size };
  const rows = await listing.find(em, conditions, slice);
  const total = await countRows(em, listing.row, conditions);
  const expansions = expansionsOf(query, listing.relations);
  const presented = await expandAll(em, { rows, presented: rows.map(listing.present), expansions });
  return { ...reply(200, presented), headers: pageHeaders(request, page, total) };
}

function conditionsOf<Row extends object>(query: URLSearchParams, listing: Listing<Row>): Where<Row>[] {
  return [...query].flatMap(([name, text]) => {
    const column = /^filter\[([^\]]*)\]$/.exec(name)?.[1];
    const known = column === undefined ? listing.parameters : listing.filter;
    const condition = Object.hasOwn(known, column ?? name) ? known[column ?? name] : undefined;
    if (condition) return [condition(text, name)];
    if (column === undefined && name !== 'filter') return [];
    throw new Refusal(unknownColumn('filter', column ?? text, listing.filter), name);
  });
}

function orderOf<Row extends object>(query: URLSearchParams, listing: Listing<Row>): OrderBy<Row>[] {
  const wanted = (query.get('sort') ?? '').split(',').filter((part) => part.trim() !== '');
  const last = listing.byId(listing.newestFirst && wanted.length === 0 ? 'desc' : 'asc');
  return [...wanted.map((part) => orderBy(part, listing)), last];
}

function orderBy<Row extends object>(part: string, listing: Listing<Row>): OrderBy<Row> {
  const [column = '', direction = 'asc', ...more] = part.trim().toLowerCase().split(/\s+/);
  const ordering = Object.hasOwn(listing.sort, column) ? listing.sort[column] : undefined;
  if (!ordering) throw new Refusal(unknownColumn('sort', column, listing.sort), 'sort');
  if (!isDirection(direction) || more.length > 0)
    throw new Refusal(`Sort direction must be asc or desc: ${part.trim()}`, 'sort');
  return ordering(direction);
}

function isDirection(text: string): text is Direction {
  return text === 'asc' || text === 'desc';
}

function unknownColumn(use: 'sort' | 'filter', column: string, known: Readonly<Record<string, unknown>>): string {
  const names = Object.keys(known);
  const meant = nearest(column, names);
  const hint = meant === null ? `possible are ${names.join(', ')}` : `did you mean ${meant}?`;
  return `Unknown ${use} column ${column.slice(0, 64)}; ${hint}`;
}
