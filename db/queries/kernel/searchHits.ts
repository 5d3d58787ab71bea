import type { SearchWord } from '../../../billing/searchWords.ts';
import type { EntityManager } from '../../orm.ts';
import { asSystem, currentOwner } from '../../tenant.ts';
import { type RowClass, tableOf } from './plain.ts';
import { ofOwner, within } from './reading.ts';
import { hasWords, rarest, type Searchable } from './search.ts';
import { all, type Condition, condition, numberArray } from './sql.ts';

/** By what an object was found, best first. */
export const matches = ['number', 'id', 'email', 'phone', 'name', 'customer', 'amount', 'reference'] as const;
export type Match = (typeof matches)[number];

/** An exact look-up, which an index answers. */
export interface LookUp {
  match: Match;
  where: Condition;
  /** The order in which the index of the look-up has its rows, if there may be many. Absent: newest first. */
  order?: string;
  /** Only rows in this currency, among the first of the look-up. */
  currency?: string | null;
}

/** How one type of object is looked for. */
export interface HitQuery {
  row: RowClass<object>;
  exists: Condition;
  lookUps: readonly LookUp[];
  /** The words, and how the rows have them; null: rows are not found by words. */
  named: { searchable: Searchable; words: readonly SearchWord[] } | null;
  /** Customers whose newest rows are hits. */
  ofCustomers: readonly number[];
}

export interface FoundHit {
  id: number;
  match: Match;
}

/** Newest rows that are compared with words before the index of words is asked. */
const SAMPLED = 1000;
/** Rows that a look-up, or the index of words, hands on to be compared. */
const MOST_COMPARED = 2000;
/** Hits of a type that names no customer, for a limited member: the row policies hide some of them. */
const MOST_HIDDEN = 100;
/** How long one statement may take, ms. */
const EACH_MILLISECONDS = 500;
/** Look-ups read little: starting further processes, or compiling a statement, takes longer. */
const CHEAPLY = "select set_config('max_parallel_workers_per_gather', '0', true), set_config('jit', 'off', true)";

/**
 * Looks for objects of several types, best first, at most `most` of each. A type whose statement takes too long is null. Runs over the rows of the
 * account without row policies, under which no index of words is used; so the caller reads the rows that it shows under them.
 */
export async function findHits(
  em: EntityManager,
  { accountId, queries, most }: { accountId: number; queries: readonly HitQuery[]; most: number },
): Promise<(FoundHit[] | null)[]> {
  const found: (FoundHit[] | null)[] = [];
  const findMore = (inner: EntityManager) => findRest(inner, accountId, { queries, most, found });
  while (found.length < queries.length) {
    const done = await asSystem(() => within(em, EACH_MILLISECONDS, findMore), accountId);
    if (done === null) found.push(null); // the transaction is lost, the hits before are not
  }
  return found;
}

/** Adds the hits of the types after those that are found. */
async function findRest(
  em: EntityManager,
  accountId: number,
  { queries, most, found }: { queries: readonly HitQuery[]; most: number; found: (FoundHit[] | null)[] },
): Promise<true> {
  await em.execute(CHEAPLY);
  for (const query of queries.slice(found.length)) found.push(await hitsOf(em, accountId, { query, most }));
  return true;
}

async function hitsOf(
  em: EntityManager,
  accountId: number,
  { query, most: shown }: { query: HitQuery; most: number },
): Promise<FoundHit[]> {
  const { name } = tableOf(em, query.row);
  const own = ofOwner(em, { row: query.row, accountId });
  const visible = all([condition('account_id = ?', accountId), query.exists].concat(own ?? []));
  const most = own === null && currentOwner() !== null ? MOST_HIDDEN : shown;
  const parts = query.lookUps.map((lookUp) => lookedUp(name, visible, { lookUp, most }));
  const { named, ofCustomers } = query;
  if (named) parts.push(...inNewest(name, visible, { ...named, most }));
  if (ofCustomers.length > 0) parts.push(ofThese(name, visible, { customers: ofCustomers, most }));
  if (parts.length === 0) return [];
  const rows = await em.execute<{ match: Match | 'read'; id: number }[]>(
    parts.map(({ sql }) => `(${sql})`).join(' union all '),
    parts.flatMap(({ values }) => [...values]),
  );
  const hits = rows.flatMap(({ match, id }) => (match === 'read' ? [] : [{ match, id: Number(id) }]));
  const read = rows.find(({ match }) => match === 'read')?.id ?? 0;
  const byName = hits.filter(({ match }) => match === 'name').length;
  if (named && byName < most && Number(read) === SAMPLED) {
    const rows = { row: query.row, where: query.exists };
    const word = await rarest(em, accountId, { search: named, rows });
    const { sql, values } = byIndex(name, visible, { ...named, key: named.searchable.byKey(word, accountId), most });
    const more = await em.execute<{ id: number }[]>(sql, [...values]);
    hits.push(...more.map(({ id }) => ({ match: 'name' as const, id: Number(id) })));
  }
  return bestOf(hits, most);
}

/** Each object once, by its best match. */
function bestOf(hits: readonly FoundHit[], most: number): FoundHit[] {
  const ranked = hits.toSorted((one, other) => matches.indexOf(one.match) - matches.indexOf(other.match));
  const seen = new Set<number>();
  return ranked.filter(({ id }) => !seen.has(id) && seen.add(id)).slice(0, most);
}

/** A look-up is ordered after it has been read: for an order that its index does not have, PostgreSQL would walk the whole table. */
function lookedUp(table: string, visible: Condition, { lookUp, most }: { lookUp: LookUp; most: number }): Condition {
  const { match, where, order, currency } = lookUp;
  const near = all([visible, where]);
  const inOrder = order === undefined ? '' : `order by ${order}`;
  const also = currency ? condition('where currency = ?', currency) : condition('');
  return condition(
    `select '${match}' as match, id from (
       select id ${currency ? ', currency' : ''} from ${table} where ${near.sql} ${inOrder} limit ${order && !currency ? most : MOST_COMPARED}
     ) as near ${also.sql} order by id desc limit ${most}`,
    ...near.values,
    ...also.values,
  );
}

interface Named {
  searchable: Searchable;
  words: readonly SearchWord[];
  most: number;
}

/** The newest rows with the words, and how many rows were compared. A word that many rows have is found here: its index would read them all. */
function inNewest(table: string, visible: Condition, { searchable, words, most }: Named): Condition[] {
  const newest = `select id, ${searchable.text} as text_of_row from ${table} where ${visible.sql} order by id desc limit ${SAMPLED}`;
  const matching = hasWords({ text: 'text_of_row' }, words);
  return [
    condition(
      `select 'name' as match, id from (${newest}) as newest where ${matching.sql} order by id desc limit ${most}`,
      ...visible.values,
      ...matching.values,
    ),
    condition(
      `select 'read' as match, count(*) as id from (select 1 from ${table} where ${visible.sql} order by id desc limit ${SAMPLED}) as newest`,
      ...visible.values,
    ),
  ];
}

/** Rows with the words among those that the index has for one of them. The limit leaves out arbitrary ones. */
function byIndex(
  table: string,
  visible: Condition,
  { key, searchable, words, most }: Named & { key: Condition },
): Condition {
  const near = all([visible, key]);
  const matching = hasWords({ text: 'text_of_row' }, words);
  return condition(
    `with near as materialized (select id, ${searchable.text} as text_of_row from ${table} where ${near.sql} limit ${MOST_COMPARED})
     select id from near where ${matching.sql} order by id desc limit ${most}`,
    ...near.values,
    ...matching.values,
  );
}

function ofThese(
  table: string,
  visible: Condition,
  { customers, most }: { customers: readonly number[]; most: number },
): Condition {
  return condition(
    `select 'customer' as match, near.id from unnest(?::int[]) as wanted (of_customer), lateral (
       select id from ${table} where ${visible.sql} and customer_id = of_customer order by id desc limit ${most}) as near
     order by near.id desc limit ${most}`,
    numberArray(customers),
    ...visible.values,
  );
}
