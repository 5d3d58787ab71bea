import { isCanceled } from '../failure.ts';
import type { EntityManager } from '../orm.ts';
import { type Condition, condition } from './condition.ts';
import { type Keyset, orderBy, type SortColumn } from './keyset.ts';
import { type Plain, plainReader, type RowClass, tableOf } from './plain.ts';

/** Some of the rows of a table, or of a query in parentheses that answers its rows. */
export interface Rows<Row extends object> {
  row: RowClass<Row>;
  from?: string | undefined;
  where: Condition;
}

export interface Slice<Row extends object> extends Rows<Row> {
  order: readonly SortColumn[];
  limit: number;
  offset: number;
}

/** A plain row, and where it stands in the order that was asked for. */
export interface Placed<Row> {
  row: Plain<Row>;
  keyset: Keyset;
}

/** Reads the rows of one account: every statement here names it. */
export interface Reading {
  slice<Row extends object>(slice: Slice<Row>): Promise<Placed<Row>[]>;
  /** Those of some ids that there are. */
  byId<Row extends object>(row: RowClass<Row>, ids: Iterable<number>): Promise<Map<number, Plain<Row>>>;
  /** Rows that refer to some ids by a column, by that id and in an order. */
  children<Row extends object>(row: RowClass<Row>, of: Children): Promise<Map<number, Plain<Row>[]>>;
  /** How many there are, counted no further than a limit. */
  count<Row extends object>(rows: Rows<Row>, limit: number): Promise<number>;
  /** How many there are; null when counting takes longer than so many milliseconds. */
  countWithin<Row extends object>(rows: Rows<Row>, milliseconds: number): Promise<number | null>;
  /** How many the planner expects. */
  estimate<Row extends object>(rows: Rows<Row>): Promise<number>;
}

interface Children {
  column: string;
  ids: Iterable<number>;
  orderBy: string;
}

export function readingOf(em: EntityManager, accountId: number): Reading {
  const from = <Row extends object>({ row, from: query, where }: Rows<Row>): Condition => {
    const table = query === undefined ? tableOf(em, row).name : `${query} as rows`;
    return condition(`from ${table} where account_id = ? and ${where.sql}`, accountId, ...where.values);
  };
  const select = <Row extends object>(rows: Rows<Row>, rest = condition('')) => {
    const { sql, values } = from(rows);
    return em.execute<object[]>(`select * ${sql} ${rest.sql}`, [...values, ...rest.values]);
  };
  return {
    slice: async ({ order, limit, offset, ...rows }) => {
      const read = plainReader(em, rows.row);
      const ordered = order.length === 0 ? '' : `order by ${orderBy(order)}`;
      const found = await select(rows, condition(`${ordered} limit ? offset ?`, limit, offset));
      return found.map((raw) => ({ row: read(raw), keyset: order.map(({ column }) => textOf(raw, column)) }));
    },
    byId: async (row, ids) => {
      const wanted = listOf(ids);
      if (wanted === NONE) return new Map();
      const read = plainReader(em, row);
      const found = await select({ row, where: condition('id = any(?::int[])', wanted) });
      return new Map(found.map((raw) => [Number(Reflect.get(raw, 'id')), read(raw)]));
    },
    children: async (row, { column, ids, orderBy: order }) => {
      const wanted = listOf(ids);
      if (wanted === NONE) return new Map();
      const read = plainReader(em, row);
      const where = condition(`${column} = any(?::int[])`, wanted);
      const found = await select({ row, where }, condition(`order by ${order}`));
      const groups = Map.groupBy(found, (raw) => Number(Reflect.get(raw, column)));
      return new Map([...groups].map(([id, members]) => [id, members.map(read)]));
    },
    count: (rows, limit) => countOf(em, condition(`select 1 ${from(rows).sql} limit ${limit}`, ...from(rows).values)),
    countWithin: (rows, milliseconds) => {
      const { sql, values } = from(rows);
      return within(em, milliseconds, (inner) => countOf(inner, condition(`select 1 ${sql}`, ...values)));
    },
    estimate: async (rows) => {
      const { sql, values } = from(rows);
      const [plan] = await em.execute<{ 'QUERY PLAN': { Plan: { 'Plan Rows': number } }[] }[]>(
        `explain (format json) select 1 ${sql}`,
        [...values],
      );
      return plan?.['QUERY PLAN'][0]?.Plan['Plan Rows'] ?? 0;
    },
  };
}

const NONE = '{}';

/** An array as one value: the statement is the same for any number of ids, and is planned once. */
function listOf(ids: Iterable<number>): string {
  return `{${[...new Set(ids)].join(',')}}`;
}

function textOf(raw: object, column: string): string | null {
  const value: unknown = Reflect.get(raw, column);
  return value === null ? null : String(value);
}

async function countOf(em: EntityManager, rows: Condition): Promise<number> {
  const statement = `select count(*) as count from (${rows.sql}) as counted`;
  const [found] = await em.execute<{ count: string }[]>(statement, [...rows.values]);
  return Number(found?.count ?? 0);
}

/** What a query answers, or null when the database took longer for it. */
async function within<Result>(
  em: EntityManager,
  milliseconds: number,
  query: (em: EntityManager) => Promise<Result>,
): Promise<Result | null> {
  try {
    return await em.fork({ clear: true }).transactional(async (inner) => {
      await inner.execute(`set local statement_timeout = ${milliseconds}`);
      return query(inner);
    });
  } catch (error) {
    if (isCanceled(error)) return null;
    throw error;
  }
}
