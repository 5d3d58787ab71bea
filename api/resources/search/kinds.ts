import type { Area } from '../../../billing/people/permissions.ts';
import type { SearchQuery } from '../../../billing/searchQuery.ts';
import type { Plain, RowClass } from '../../../db/queries/kernel/plain.ts';
import type { Reading } from '../../../db/queries/kernel/reading.ts';
import type { Searchable } from '../../../db/queries/kernel/search.ts';
import type { LookUp, Match } from '../../../db/queries/kernel/searchHits.ts';
import { all, type Condition, condition, textArray } from '../../../db/queries/kernel/sql.ts';
import type { Resource } from '../../framework/resource.ts';

/** What a hit says about its object. */
export interface HitFacts {
  title: string;
  /** Null: it belongs to no customer. */
  customerId: number | null;
  /** The address of a customer or contact. */
  email?: string | null;
  amount?: string | null;
  currency?: string | null;
  status?: string | null;
}

/** One type of object that the search finds. */
export interface SearchKind {
  object: string;
  area: Area;
  /** Words before an id that name the type, beside `object`. */
  words: readonly string[];
  row: RowClass<object>;
  exists: Condition;
  searchable: Searchable | null;
  /** Whether the newest ones of customers that are found by name are hits. */
  isOfCustomers: boolean;
  /** `prefixes`: those of the series of numbers, present and past. */
  lookUps(query: SearchQuery, prefixes: ReadonlyMap<string, readonly string[]>): LookUp[];
  /** Reads the rows of hits, and says what the hits show. Rows that the caller does not see are missing. */
  facts(reading: Reading, ids: readonly number[]): Promise<Map<number, HitFacts & { id: number | string }>>;
}

/** Which columns of a type the exact look-ups read. Each has an index that begins with the account. */
interface Columns {
  /** Comparison key of its number. */
  number?: string;
  /** Series of its number. */
  series?: string;
  amounts?: readonly string[];
  /** SQL of its address in lower case. */
  email?: string;
  /** SQL of the digits of its telephone number from the end, as an index of the rows with one has it. */
  phone?: string;
  /** SQL that compares its name in lower case, as the index has it. */
  lowerName?: string;
  reference?: string;
  hasCode?: boolean;
  /** It has an id of the gateway. */
  gateways?: boolean;
}

export interface KindOf<Row extends object> {
  resource: Pick<Resource<Row>, 'area' | 'row' | 'exists' | 'searchable' | 'hasLongIds'>;
  object: string;
  words?: readonly string[];
  searchable?: Searchable;
  isOfCustomers?: boolean;
  /** It is found only by its type and id. */
  isTyped?: boolean;
  columns?: Columns;
  facts(row: Plain<Row>, related: Related): HitFacts & { id: number | string };
  /** Rows that the facts need, by their ids, of another table. */
  related?: { row: RowClass<object>; idOf(row: Plain<Row>): number | null };
}

/** A row of another table that a hit's facts come from; undefined: there is none, or the caller does not see it. */
type Related = object | undefined;

const GATEWAYS = ['test', 'stripe'];

export function kind<Row extends object>(
  of: KindOf<Row> & { resource: { row: RowClass<Row> & RowClass<object> } },
): SearchKind {
  const { resource, object, words = [], columns = {}, isTyped = false } = of;
  return {
    object,
    area: resource.area,
    words: [object.replaceAll('_', ' '), ...words],
    row: resource.row,
    exists: resource.exists ?? condition('true'),
    searchable: of.searchable ?? resource.searchable ?? null,
    isOfCustomers: of.isOfCustomers ?? false,
    lookUps: (query, prefixes) =>
      lookUps(query, { object, columns, isTyped, prefixes: prefixes.get(columns.series ?? '') ?? [] }),
    facts: async (reading, ids) => {
      const rows = await reading.byId(resource.row, ids);
      const { related } = of;
      const others = related ? [...rows.values()].flatMap((row) => related.idOf(row) ?? []) : [];
      const found = related ? await reading.byId(related.row, others) : new Map<number, Related>();
      return new Map([...rows].map(([id, row]) => [id, of.facts(row, found.get(related?.idOf(row) ?? 0))]));
    },
  };
}

/** The largest character, behind which no number with a prefix can be. */
const LAST = '\u{10ffff}';

/** Texts of a column that begin with a text, as a range of its index; in another order than that of bytes, the range may have others. */
function startsWith(column: string, text: string): Condition {
  return condition(`${column} >= ? and ${column} < ? and starts_with(${column}, ?)`, text, text + LAST, text);
}

function lookUps(
  { typed, id, code, exact, numberKey, email, phone: phoneDigits, amounts, currency }: SearchQuery,
  {
    object,
    columns,
    prefixes,
    isTyped,
  }: { object: string; columns: Columns; prefixes: readonly string[]; isTyped: boolean },
): LookUp[] {
  const found: LookUp[] = [];
  const add = (match: Match, where: Condition, more: Omit<LookUp, 'match' | 'where'> = {}) =>
    found.push({ match, where, ...more });
  if (typed?.type === object) add('id', condition('id = ?', typed.id));
  if (isTyped) return found;
  if (id !== null && !columns.hasCode) add('id', condition('id = ?', id));
  if (columns.hasCode && code !== null) add('id', condition('code = ?', code));
  const { number, amounts: amountColumns = [], email: address, phone, lowerName, reference } = columns;
  if (number && numberKey !== null) {
    const inSeries = /^\d+$/.test(numberKey) ? prefixes.map((prefix) => prefix + numberKey.padStart(5, '0')) : [];
    const whole = [numberKey, ...inSeries];
    add('number', condition(`${number} = any(?::text[])`, textArray(whole)));
    add('number', startsWith(number, numberKey), { order: `${number} desc` });
  }
  if (address && email !== null) add('email', startsWith(address, email), { order: address });
  if (phone && phoneDigits !== null)
    add('phone', all([condition('phone is not null'), startsWith(phone, phoneDigits)]), { order: phone });
  if (lowerName) add('name', condition(lowerName, exact.toLowerCase()));
  if (reference) add('reference', startsWith(reference, exact), { order: `${reference} desc` });
  if (columns.gateways)
    add('reference', condition('gateway = any(?::text[]) and gateway_id = ?', textArray(GATEWAYS), exact));
  for (const column of amountColumns)
    for (const amount of amounts)
      add('amount', condition(`${column} >= ?::numeric and ${column} <= ?::numeric`, amount, amount), {
        order: `${column} desc, id desc`, // only its index has this order, so PostgreSQL walks no other
        currency,
      });
  return found;
}
