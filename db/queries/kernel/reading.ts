import { isCanceled } from '../../failure.ts';
import type { EntityManager } from '../../orm.ts';
import { METADATA } from '../../schema/indexes.ts';
import { asSystem, currentOwner } from '../../tenant.ts';
import { type Children, inWindows } from './childWindows.ts';
import { type Keyset, orderBy, type Part, type SortColumn, whole } from './keyset.ts';
import { alongCustomers, apart, inTurn, merged, split, withCustomers } from './parts.ts';
import { type Plain, plainReader, type RowClass, tableOf } from './plain.ts';
import { all, type Condition, condition, hasId, textArray } from './sql.ts';

/** Rows of a table that match a condition. `from`: a query in parentheses instead of the table. */
export interface Rows<Row extends object> {
  row: RowClass<Row>;
  from?: string | Condition | undefined;
  where: Condition;
  /**
   * Whether amounts are compared. Such rows are read without the row policy: under it, PostgreSQL uses no index for an operator that is not
   * leakproof.
   */
  byAmount?: boolean;
}

export interface Slice<Row extends object> extends Rows<Row> {
  order: readonly SortColumn[];
  /** Reads only these parts, which are disjoint; by default all rows. */
  parts?: readonly Part[];
  /** Disjoint conditions of which each row meets one. An index has the rows of each in the order of the slice. */
  alternatives?: readonly Condition[] | undefined;
  /** The rows are few: they are found first and then sorted. */
  isFew?: boolean;
  limit: number;
  offset: number;
}

/** A plain row, and its position in the order. */
export interface Placed<Row> {
  row: Plain<Row>;
  keyset: Keyset;
}

/** Reads the rows of one account: every statement here names it. */
export interface Reading {
  slice<Row extends object>(slice: Slice<Row>): Promise<Placed<Row>[]>;
  /** The existing rows with these ids, by id. */
  byId<Row extends object>(row: RowClass<Row>, ids: Iterable<number>): Promise<Map<number, Plain<Row>>>;
  /** The rows with these codes, by code. Of several rows with one code: the one that is not archived, else the newest. */
  byCode<Row extends object>(row: RowClass<Row>, codes: Iterable<string>): Promise<Map<string, Plain<Row>>>;
  /** Rows that refer to parents by a column, grouped by parent and ordered. The rows of one parent come from one statement. */
  children<Row extends object>(row: RowClass<Row>, of: Children): Promise<Map<number, Plain<Row>[]>>;
  /** Ids of the first rows in an order. */
  ids<Row extends object>(rows: Rows<Row>, order: readonly SortColumn[], limit: number): Promise<number[]>;
  /** Number of rows, counted up to a limit. */
  count<Row extends object>(rows: Rows<Row>, limit: number): Promise<number>;
  /** Number of rows, counted up to a limit, if there is one; null if counting takes longer than this. */
  countWithin<Row extends object>(rows: Rows<Row>, milliseconds: number, limit?: number): Promise<number | null>;
  /** Number of rows that the planner expects. */
  estimate<Row extends object>(rows: Rows<Row>): Promise<number>;
  /** Reads these rows in one transaction; null if a statement takes longer than this. */
  within<Row extends object, Result>(
    rows: Rows<Row>,
    milliseconds: number,
    read: (reading: Reading) => Promise<Result>,
  ): Promise<Result | null>;
}

export function readingOf(em: EntityManager, accountId: number): Reading {
  const from = <Row extends object>(rows: Rows<Row>): Condition => {
    const source = sourceOf(em, rows);
    const { sql, values } = rows.where;
    return condition(`from ${source.sql} where account_id = ? and (${sql})`, ...source.values, accountId, ...values);
  };
  const selection = <Row extends object>(rows: Rows<Row>, rest = condition('')): Condition => {
    const { sql, values } = from(rows);
    return condition(`select * ${sql} ${rest.sql}`, ...values, ...rest.values);
  };
  /** The rows of a list: of those, the ones that the member owns. */
  const listed = <Row extends object>(rows: Rows<Row>): Rows<Row> => {
    const own = ofOwner(em, { row: rows.row, accountId });
    return own ? { ...rows, where: all([rows.where, own]) } : rows;
  };
  const run = ({ sql, values }: Condition) => em.execute<object[]>(sql, [...values]);
  const upTo = (rows: Rows<object>, limit: number | undefined): Condition => {
    const { sql, values } = from(listed(rows));
    return condition(`select 1 ${sql} ${limit === undefined ? '' : `limit ${limit}`}`, ...values);
  };
  const count: Reading['count'] = (rows, limit) => indexed({ rows, accountId }, () => countOf(em, upTo(rows, limit)));
  /** SQL: the rows of a part of a list. */
  const selectOf = ({ isFew, order, limit, offset, ...rows }: Slice<object>): ((part: Part) => Condition) => {
    const table = tableOf(em, rows.row).name;
    const ofCustomers = order[0]?.isOfCustomer === true;
    if (isFew) return (part) => apart(selection(listed(rows), condition('offset 0')), { part, ofCustomers });
    if (!ofCustomers) return (part) => selection(listed({ ...rows, where: all([rows.where, part.where]) }));
    return (part) => alongCustomers(part, { table, accountId, where: listed(rows).where, limit: limit + offset });
  };
  return {
    count,
    slice: async (slice) => {
      const { order, alternatives, limit, offset } = slice;
      const parts = split(slice.parts ?? whole(order), alternatives);
      const read = plainReader(em, slice.row);
      const isFew = slice.isFew ?? (isByMetadata(slice) && (await count(slice, MOST_SORTED + 1)) <= MOST_SORTED);
      const select = selectOf({ ...slice, isFew });
      const runParts = (some: readonly Part[], most: number) =>
        indexed({ rows: slice, accountId }, () => run(merged(some.map(select), some, { order, limit: most, offset })));
      const isInTurn = offset === 0 && !isFew && (order[0]?.isOfCustomer || order[0]?.nulls);
      const found = isInTurn
        ? await inTurn(parts, limit, (part, most) => runParts([part], most))
        : await runParts(parts, limit);
      return found.map((raw) => ({ row: read(raw), keyset: order.map(({ column }) => textOf(raw, column)) }));
    },
    ids: async (rows, order, limit) => {
      const { sql, values } = from(inOrder(em, listed(rows), order));
      const statement = condition(`select id ${sql} order by ${orderBy(order)} limit ?`, ...values, limit);
      return (await indexed({ rows, accountId }, () => run(statement))).map((raw) => Number(Reflect.get(raw, 'id')));
    },
    byId: async (row, ids) => {
      const wanted = [...new Set(ids)];
      if (wanted.length === 0) return new Map();
      const read = plainReader(em, row);
      const found = await run(selection({ row, where: hasId(wanted) }));
      return new Map(found.map((raw) => [Number(Reflect.get(raw, 'id')), read(raw)]));
    },
    byCode: async (row, codes) => {
      const wanted = textArray(new Set(codes));
      if (wanted === NONE) return new Map();
      const read = plainReader(em, row);
      const rest = condition('order by archived_at is null, id'); // the last one wins
      const found = await run(selection({ row, where: condition('code = any(?::text[])', wanted) }, rest));
      return new Map(found.map((raw) => [String(Reflect.get(raw, 'code')), read(raw)]));
    },
    children: (row, of) =>
      inWindows(em, { row, of, accountId, select: (where, rest) => run(selection({ row, where }, rest)) }),
    countWithin: (rows, milliseconds, limit) => {
      const counted = upTo(rows, limit);
      return indexed({ rows, accountId }, () => within(em, milliseconds, (inner) => countOf(inner, counted)));
    },
    estimate: async (rows) => {
      const { sql, values } = from(listed(rows));
      const explain = () =>
        em.execute<{ 'QUERY PLAN': { Plan: { 'Plan Rows': number } }[] }[]>(`explain (format json) select 1 ${sql}`, [
          ...values,
        ]);
      const [plan] = await indexed({ rows, accountId }, explain);
      return plan?.['QUERY PLAN'][0]?.Plan['Plan Rows'] ?? 0;
    },
    within: (rows, milliseconds, read) =>
      indexed({ rows, accountId }, () => within(em, milliseconds, (inner) => read(readingOf(inner, accountId)))),
  };
}

/**
 * The condition for rows of customers that the current member owns, beside the policies: with it, PostgreSQL finds these customers first, and
 * work as the system on behalf of the member is limited too. Null: the member sees all customers, or the rows belong to none.
 */
export function ofOwner(
  em: EntityManager,
  { row, accountId }: { row: RowClass<object>; accountId: number },
): Condition | null {
  const ownerId = currentOwner();
  if (ownerId === null) return null;
  const { name, columns } = tableOf(em, row);
  if (name === 'customer') return condition('owner_id = ?', ownerId);
  if (!columns.has('customer_id')) return null;
  return condition(
    'customer_id in (select id from customer where account_id = ? and owner_id = ?)',
    accountId,
    ownerId,
  );
}

/** The table of the rows, or the query in its place. */
export function sourceOf(em: EntityManager, { row, from }: Pick<Rows<object>, 'row' | 'from'>): Condition {
  const { name } = tableOf(em, row);
  if (from === undefined) return condition(name);
  const query = typeof from === 'string' ? condition(from) : from;
  return condition(`${query.sql} as "${name}"`, ...query.values);
}

/** The rows with the columns of an order: those of their customers, too. */
export function inOrder<Row extends object>(
  em: EntityManager,
  rows: Rows<Row>,
  [first]: readonly SortColumn[],
): Rows<Row> {
  if (!first?.isOfCustomer) return rows;
  return { ...rows, from: withCustomers(tableOf(em, rows.row).name) };
}

/**
 * Runs a query that searches metadata or compares amounts without the row policy. Under the policy, PostgreSQL uses no index for an operator that is
 * not leakproof, such as theirs. The `from` of the query restricts it to the account.
 */
function indexed<Result>(
  { rows, accountId }: { rows: Pick<Rows<object>, 'where' | 'byAmount'>; accountId: number },
  query: () => Promise<Result>,
): Promise<Result> {
  return rows.byAmount || isByMetadata(rows) ? asSystem(query, accountId) : query();
}

const isByMetadata = ({ where }: Pick<Rows<object>, 'where'>): boolean => where.sql.includes(METADATA);

/**
 * Up to this many rows with metadata are found by its index and then sorted. PostgreSQL expects each value in 1 % of the rows, and would walk
 * the list until a page is full: all of it for a rare value.
 */
const MOST_SORTED = 5_000;

const NONE = '{}';

/** The value of a column as a keyset has it. */
export function textOf(raw: object, column: string): string | null {
  const value: unknown = Reflect.get(raw, column);
  return value === null ? null : String(value);
}

async function countOf(em: EntityManager, rows: Condition): Promise<number> {
  const statement = `select count(*) as count from (${rows.sql}) as counted`;
  const [found] = await em.execute<{ count: number }[]>(statement, [...rows.values]);
  return found?.count ?? 0;
}

/** Limits the time of the statements of a transaction. Each is planned for its values: how many rows a range has decides on the plan. */
const LIMITED = `select set_config('statement_timeout', ?, true), set_config('plan_cache_mode', 'force_custom_plan', true)`;

/** Result of a query, or null if it exceeds its time limit. */
export async function within<Result>(
  em: EntityManager,
  milliseconds: number,
  query: (em: EntityManager) => Promise<Result>,
): Promise<Result | null> {
  try {
    return await em.fork({ clear: true }).transactional(async (inner) => {
      await inner.execute(LIMITED, [`${milliseconds}`]);
      return query(inner);
    });
  } catch (error) {
    if (isCanceled(error)) return null;
    throw error;
  }
}
