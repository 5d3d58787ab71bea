import { all, type Condition, condition } from './sql.ts';

export type Direction = 'asc' | 'desc';

/** One column of a sort order. The last column of an order is unique and never null. */
export interface SortColumn {
  column: string;
  direction: Direction;
  nullable: boolean;
}

/** Values of one row in the columns of an order, as text; null for null. */
export type Keyset = readonly (string | null)[];

/**
 * The order as SQL. PostgreSQL puts nulls last when ascending and first when descending, so each direction is the exact reverse of the
 * other.
 */
export function orderBy(order: readonly SortColumn[]): string {
  return order.map(({ column, direction }) => `${column} ${direction}`).join(', ');
}

export function reversed(order: readonly SortColumn[]): SortColumn[] {
  return order.map((column) => ({ ...column, direction: column.direction === 'asc' ? 'desc' : 'asc' }));
}

/** A set of rows with an order of its own. */
export interface Part {
  where: Condition;
  order: readonly SortColumn[];
}

/** All rows as parts. Nulls that come first are a separate part, because an index has them in the other direction. */
export function whole(order: readonly SortColumn[]): Part[] {
  const [first, ...rest] = order;
  if (!first?.nullable || first.direction === 'asc') return [{ where: condition('true'), order }];
  return [fixed(first, null, { where: condition('true'), order: rest }), ...beyond(order, null)];
}

/**
 * Rows after a given row in an order, as disjoint parts in that order: rows equal to it in all columns but the last, in all but the last
 * two, and so on. Each part is one range of an index on the columns; a single condition with `or` would not be.
 */
export function after(order: readonly SortColumn[], keyset: Keyset): Part[] {
  const [first, ...rest] = order;
  const [value = null, ...values] = keyset;
  if (!first) return [];
  return [...after(rest, values).map((part) => fixed(first, value, part)), ...beyond(order, value)];
}

/** Rows of a part with one value in a column. The direction of the column follows the part's, so that an index has the rows in order. */
function fixed(column: SortColumn, value: string | null, { where, order }: Part): Part {
  const direction = order[0]?.direction ?? column.direction;
  return { where: all([isSame(column, value), where]), order: [{ ...column, direction }, ...order] };
}

function isSame({ column }: SortColumn, value: string | null): Condition {
  return value === null ? condition(`${column} is null`) : condition(`${column} = ?`, value);
}

/** Rows after a value of the first column. */
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
