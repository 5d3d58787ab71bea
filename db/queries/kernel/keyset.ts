import { all, type Condition, condition } from './condition.ts';

export type Direction = 'asc' | 'desc';

/** One column of an order; the last column of an order is never null and differs in every row. */
export interface SortColumn {
  column: string;
  direction: Direction;
  nullable: boolean;
}

/** The values of one row in the columns of an order, as text; null where it has none. */
export type Keyset = readonly (string | null)[];

/** PostgreSQL puts nulls last when ascending and first when descending: each order read backwards is the other. */
export function orderBy(order: readonly SortColumn[]): string {
  return order.map(({ column, direction }) => `${column} ${direction}`).join(', ');
}

export function reversed(order: readonly SortColumn[]): SortColumn[] {
  return order.map((column) => ({ ...column, direction: column.direction === 'asc' ? 'desc' : 'asc' }));
}

/** Rows in an order of their own. */
export interface Part {
  where: Condition;
  order: readonly SortColumn[];
}

/** All rows as parts: nulls that come first are one by themselves, because an index has them in the other direction. */
export function whole(order: readonly SortColumn[]): Part[] {
  const [first, ...rest] = order;
  if (!first?.nullable || first.direction === 'asc') return [{ where: condition('true'), order }];
  return [fixed(first, null, { where: condition('true'), order: rest }), ...beyond(order, null)];
}

/**
 * Rows that come after a row in an order, as parts in that order that share none: those tied with it in all columns but the last, in all
 * but the last two, and so on. Each is one stretch of an index on the columns; one condition of them all, joined by "or", would be none.
 */
export function after(order: readonly SortColumn[], keyset: Keyset): Part[] {
  const [first, ...rest] = order;
  const [value = null, ...values] = keyset;
  if (!first) return [];
  return [...after(rest, values).map((part) => fixed(first, value, part)), ...beyond(order, value)];
}

/** Part of the rows with one value in a column: in whichever direction the index then has the others in order. */
function fixed(column: SortColumn, value: string | null, { where, order }: Part): Part {
  const direction = order[0]?.direction ?? column.direction;
  return { where: all([isSame(column, value), where]), order: [{ ...column, direction }, ...order] };
}

function isSame({ column }: SortColumn, value: string | null): Condition {
  return value === null ? condition(`${column} is null`) : condition(`${column} = ?`, value);
}

/** Rows beyond a value of the first column. */
function beyond(order: readonly SortColumn[], value: string | null): Part[] {
  const [first, ...rest] = order;
  if (!first) return [];
  const { column, direction, nullable } = first;
  if (direction === 'desc')
    return [{ where: value === null ? condition(`${column} is not null`) : condition(`${column} < ?`, value), order }];
  if (value === null) return [];
  const greater = { where: condition(`${column} > ?`, value), order };
  return nullable ? [greater, fixed(first, null, { where: condition('true'), order: rest })] : [greater];
}
