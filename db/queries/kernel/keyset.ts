import { all, type Condition, condition } from './sql.ts';

export type Direction = 'asc' | 'desc';

/** One column of a sort order. The last column of an order is unique and never null. */
export interface SortColumn {
  column: string;
  direction: Direction;
  nullable: boolean;
  /** Where nulls are; unset: where PostgreSQL puts them. */
  nulls?: 'first' | 'last';
  /** It is a column of the customer of a row, not of the row. Such columns come first in an order. */
  isOfCustomer?: true;
  /** Amounts are compared. */
  byAmount?: true;
}

/** Values of one row in the columns of an order, as text; null for null. */
export type Keyset = readonly (string | null)[];

/**
 * The order as SQL. PostgreSQL puts nulls last when ascending and first when descending, so each direction is the exact reverse of the
 * other.
 */
export function orderBy(order: readonly SortColumn[]): string {
  return order
    .map(({ column, direction, nulls }) => `${column} ${direction}${nulls ? ` nulls ${nulls}` : ''}`)
    .join(', ');
}

export function reversed(order: readonly SortColumn[]): SortColumn[] {
  return order.map(({ nulls, ...column }) => ({
    ...column,
    direction: column.direction === 'asc' ? 'desc' : 'asc',
    ...(nulls ? { nulls: nulls === 'last' ? 'first' : 'last' } : {}),
  }));
}

/** A set of rows with an order of its own. */
export interface Part {
  where: Condition;
  /** The parts of the condition that are about the customers of the rows, and about the rows themselves. */
  ofCustomer: Condition;
  own: Condition;
  order: readonly SortColumn[];
}

const TRUE = condition('true');
const everything = (order: readonly SortColumn[]): Part => ({ where: TRUE, ofCustomer: TRUE, own: TRUE, order });

/**
 * All rows as parts, in their order. Nulls that come first are a separate part, because an index has them in the other direction; so are those
 * whose place the order names, because their rows have no value in the index.
 */
export function whole(order: readonly SortColumn[]): Part[] {
  const [first, ...rest] = order;
  if (!first?.nullable || (!first.nulls && first.direction === 'asc')) return [everything(order)];
  const nulls = fixed(first, null, everything(rest));
  const values = limited(first, condition(`${first.column} is not null`), everything(withoutNulls(order)));
  return nullsOf(first) === 'first' ? [nulls, values] : [values, nulls];
}

/** The order of rows with a value in the first column. The place of nulls would keep PostgreSQL from using an index. */
function withoutNulls([first, ...rest]: readonly SortColumn[]): SortColumn[] {
  if (!first) return [];
  const { nulls: _, ...same } = first;
  return [same, ...rest];
}

function nullsOf({ nulls, direction }: SortColumn): 'first' | 'last' {
  return nulls ?? (direction === 'asc' ? 'last' : 'first');
}

function limited({ isOfCustomer }: SortColumn, where: Condition, part: Part): Part {
  const about = isOfCustomer ? 'ofCustomer' : 'own';
  return { ...part, where: all([where, part.where]), [about]: all([where, part[about]]) };
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

/**
 * Rows of a part with one value in a column. The direction of the column follows the part's, so that an index has the rows in order. Nulls whose
 * place the order names have no index: they are in the order of the other columns alone.
 */
function fixed(column: SortColumn, value: string | null, part: Part): Part {
  if (value === null && column.nulls && !column.isOfCustomer) return limited(column, isSame(column, value), part);
  const direction = part.order[0]?.direction ?? column.direction;
  const { nulls: _, ...same } = column;
  return { ...limited(column, isSame(column, value), part), order: [{ ...same, direction }, ...part.order] };
}

function isSame({ column }: SortColumn, value: string | null): Condition {
  return value === null ? condition(`${column} is null`) : condition(`${column} = ?`, value);
}

/** Rows after a value of the first column. */
function beyond(order: readonly SortColumn[], value: string | null): Part[] {
  const [first, ...rest] = order;
  if (!first) return [];
  const { column, direction, nullable } = first;
  const nulls = nullsOf(first);
  const those = (where: Condition) => limited(first, where, everything(withoutNulls(order)));
  if (value === null) return nulls === 'first' ? [those(condition(`${column} is not null`))] : [];
  const values = those(condition(direction === 'asc' ? `${column} > ?` : `${column} < ?`, value));
  return nullable && nulls === 'last' ? [values, fixed(first, null, everything(rest))] : [values];
}
