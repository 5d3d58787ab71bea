import { isExactKey, type SearchWord, searchKeys, searchPattern } from '../../../billing/searchWords.ts';
import type { EntityManager } from '../../orm.ts';
import { ROUTINE_SCHEMA } from '../../routines.ts';
import { CUSTOMER_KEYS, CUSTOMER_NAMES, METADATA, NUMBER_KIND } from '../../schema/indexes.ts';
import { asSystem } from '../../tenant.ts';
import { orderBy, type Part, whole } from './keyset.ts';
import { tableOf } from './plain.ts';
import { inOrder, ofOwner, type Placed, type Rows, readingOf, type Slice, sourceOf, textOf } from './reading.ts';
import { all, type Condition, condition, textArray } from './sql.ts';

/** How the rows of a table are searched. */
export interface Searchable {
  /** What is searched, for the reference. */
  fields: string;
  /** SQL of the text of a row in which words are searched, folded. */
  text: string;
  /** The index of words has further texts: the rows that it finds are compared with all words. */
  isWider?: boolean;
  /** SQL of the texts of single fields of the API, in which words are searched, too: those that the index of words has. */
  columns: Readonly<Record<string, string>>;
  /** Finds the rows with a word by the index of words: exactly these rows if `isExactKey` holds for the word, else more. */
  byKey(word: SearchWord, accountId: number): Condition;
}

/** Searches customers by their names, addresses and numbers. */
export function searchCustomers(fields: string): Searchable {
  const kinds = ['', NUMBER_KIND];
  return {
    fields,
    text: folded(`${CUSTOMER_NAMES} || ' ' || number`),
    columns: { name: 'name', email: "coalesce(email, '')", number: 'number' },
    byKey: (word, accountId) => condition(`${CUSTOMER_KEYS} @@ ?::tsquery`, searchKeys(word, accountId, kinds)),
  };
}

/** SQL of the words of a row and of their keys, of which there is an index. */
interface Words extends Pick<Searchable, 'columns'> {
  words: string;
  keys: string;
}

/** Searches a table by its own words, which have an index. */
export function searchWords({ words, keys, columns }: Words, fields: string): Searchable {
  return {
    fields,
    text: folded(words),
    columns,
    byKey: (word, accountId) => condition(`${keys} @@ ?::tsquery`, searchKeys(word, accountId)),
  };
}

/**
 * Searches a table whose rows belong to customers: by their own words, which have an index, and by the names and addresses of their
 * customers. A customer's words are stored only with the customer, so a new name is found at once.
 */
export function searchWithCustomer(table: string, own: Words, fields: string): Searchable {
  const customer = `select c.name || ' ' || coalesce(c.email, '') from customer c where c.account_id = ${table}.account_id and c.id = ${table}.customer_id`;
  const customers = `select id from customer where account_id = ? and ${CUSTOMER_KEYS} @@ ?::tsquery`;
  return {
    fields,
    text: folded(`${own.words} || ' ' || coalesce((${customer}), '')`),
    columns: own.columns,
    byKey: (word, accountId) => {
      const keys = searchKeys(word, accountId);
      return condition(`${own.keys} @@ ?::tsquery or customer_id = any(array(${customers}))`, keys, accountId, keys);
    },
  };
}

/** Searches the text of one field. The index of words finds the rows that have the words anywhere. */
export function searchField(searchable: Searchable, name: string): Searchable {
  return { ...searchable, text: folded(searchable.columns[name] ?? "''"), isWider: true };
}

function folded(words: string): string {
  return `${ROUTINE_SCHEMA}.search_text(${words})`;
}

/**
 * Rows in which every word of a search is found, by reading them. PostgreSQL expects half of the rows to match a `case`, and so walks the
 * list until a page is full; of the comparison itself it expects none, and would read and sort the whole table.
 */
export function hasWords({ text }: Pick<Searchable, 'text'>, words: readonly SearchWord[]): Condition {
  return condition(`case when ${text} ~ all(?::text[]) then true else false end`, textArray(words.map(searchPattern)));
}

/** A search, without the rows that it is restricted to. */
export interface Search {
  searchable: Searchable;
  words: readonly SearchWord[];
}

/** A number of rows, and how many of them match. */
export interface Sample {
  rows: number;
  matches: number;
}

export interface Searching {
  /** Looks for the words in the newest rows, at most this many. */
  sample<Row extends object>(search: Search, rows: Rows<Row>, most: number): Promise<Sample>;
  /** Finds a page of the matches, and their number, by the index. Its time grows with the number of rows that have the rarest word. */
  byIndex<Row extends object>(search: Search, slice: Slice<Row>): Promise<Matches<Row>>;
}

export interface Matches<Row extends object> {
  placed: Placed<Row>[];
  total: number;
}

export function searchingOf(em: EntityManager, accountId: number): Searching {
  return {
    sample: async ({ searchable, words }, rows, most) => {
      const { sql, values } = hasWords({ text: 'text_of_row' }, words);
      const newest = textsOf(em, { rows, searchable }, condition('account_id = ?', accountId));
      const [sample] = await em.execute<Sample[]>(
        `select count(*) as rows, count(*) filter (where ${sql}) as matches from (${newest.sql} limit ${most}) as newest`,
        [...values, ...newest.values],
      );
      return sample ?? { rows: 0, matches: 0 };
    },
    byIndex: async (search, slice) => {
      const word = await rarest(em, accountId, { search, rows: slice });
      const { sql, values } = pageOf(em, accountId, { search, word, slice });
      const found = await asSystem(
        () => em.execute<(object & { total: number; id: number | null })[]>(sql, [...values]),
        accountId,
      );
      const ids = found.flatMap(({ id }) => id ?? []);
      const rows = await readingOf(em, accountId).byId(slice.row, ids);
      const placed = found.flatMap((raw) => {
        const row = rows.get(raw.id ?? 0);
        return row ? [{ row, keyset: slice.order.map(({ column }) => textOf(raw, column)) }] : [];
      });
      return { placed, total: found[0]?.total ?? 0 };
    },
  };
}

/** The texts of the rows that match a condition, newest first. */
function textsOf<Row extends object>(
  em: EntityManager,
  { rows, searchable }: { rows: Rows<Row>; searchable: Searchable },
  where: Condition,
): Condition {
  const source = sourceOf(em, rows);
  return condition(
    `select ${searchable.text} as text_of_row from ${source.sql} where ${where.sql} and (${rows.where.sql}) order by id desc`,
    ...source.values,
    ...where.values,
    ...rows.where.values,
  );
}

/**
 * Rows with one word are read by the index first, and only they are compared with the other words. Without order, and without those words,
 * no other plan is as cheap as the index.
 */
function pageOf<Row extends object>(
  em: EntityManager,
  accountId: number,
  { search, word, slice }: { search: Search; word: SearchWord; slice: Slice<Row> },
): Condition {
  const { searchable, words } = search;
  const { order, parts = whole(order), limit, offset } = slice;
  const source = sourceOf(em, inOrder(em, slice, order));
  const columns = [...new Set(['id', ...order.map(({ column }) => column)])].join(', ');
  const own = ofOwner(em, { row: slice.row, accountId }) ?? [];
  const near = all(
    [condition('account_id = ?', accountId), slice.where, searchable.byKey(word, accountId)].concat(own),
  );
  const left = isExactKey(word) && !searchable.isWider ? words.filter((one) => one !== word) : words;
  const text = left.length === 0 ? 'null' : searchable.text;
  const matching = left.length === 0 ? condition('true') : hasWords({ text: 'text_of_row' }, left);
  const beside = anyOf(parts);
  return condition(
    `with near as materialized (select ${columns}, ${text} as text_of_row from ${source.sql} where ${near.sql}),
       found as materialized (select ${columns} from near where ${matching.sql})
     select counted.total, page.* from (select count(*) as total from found) as counted
     left join (select * from found where ${beside.sql} order by ${orderBy(order)} limit ? offset ?) as page on true
     order by ${orderBy(order)}`,
    ...source.values,
    ...near.values,
    ...matching.values,
    ...beside.values,
    limit,
    offset,
  );
}

function anyOf(parts: readonly Part[]): Condition {
  return condition(
    parts.map(({ where }) => `(${where.sql})`).join(' or '),
    ...parts.flatMap(({ where }) => where.values),
  );
}

/** To find the rarest word, this many places in a list are looked at, and this many rows at each. */
const PLACES = 10;
const ROWS_AT_PLACE = 50;

/** The word with the fewest matches in rows of all ages. Among several, and for rows that only the index of metadata finds, the longest. */
export async function rarest<Row extends object>(
  em: EntityManager,
  accountId: number,
  { search, rows }: { search: Search; rows: Rows<Row> },
): Promise<SearchWord> {
  const { searchable, words } = search;
  const [first = [], ...more] = words;
  if (more.length === 0) return first;
  if (rows.where.sql.includes(METADATA))
    return words.toSorted((one, other) => (other[0]?.length ?? 0) - (one[0]?.length ?? 0))[0] ?? first;
  const { name } = tableOf(em, rows.row);
  const range = `select min(id) as least, max(id) as most from ${name} where account_id = ?`;
  const near = textsOf(
    em,
    { rows, searchable },
    condition(`account_id = ? and id <= most - place * ((most - least) / ${PLACES})`, accountId),
  );
  const counts = words.map((_, index) => `count(*) filter (where text_of_row ~ ?) as word_${index}`);
  const [counted = {}] = await em.execute<Record<string, number>[]>(
    `select ${counts.join(', ')} from (${range}) as range, generate_series(0, ${PLACES - 1}) as place,
       lateral (${near.sql} limit ${ROWS_AT_PLACE}) as near`,
    [...words.map(searchPattern), accountId, ...near.values],
  );
  const ranked = words.map((word, index) => ({
    word,
    matches: counted[`word_${index}`] ?? 0,
    length: word[0]?.length ?? 0,
  }));
  const [best] = ranked.toSorted((one, other) => one.matches - other.matches || other.length - one.length);
  return best?.word ?? first;
}
