import { all, any, type Condition, condition } from './condition.ts';

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

/** Rows that come after a row in an order. The first column is bounded by itself, so that an index leads to the place. */
export function after(order: readonly SortColumn[], keyset: Keyset): Condition {
  const [first, ...rest] = order;
  const [value = null, ...values] = keyset;
  if (!first) return condition('false');
  const beyond = isBeyond(first, value);
  if (rest.length === 0) return beyond;
  const tied = all([isSame(first, value), after(rest, values)]);
  const either = any([beyond, tied]);
  return first.nullable || value === null ? either : all([isNotBefore(first, value), either]);
}

function isSame({ column }: SortColumn, value: string | null): Condition {
  return value === null ? condition(`${column} is null`) : condition(`${column} = ?`, value);
}

function isNotBefore({ column, direction }: SortColumn, value: string): Condition {
  return condition(`${column} ${direction === 'asc' ? '>=' : '<='} ?`, value);
}

function isBeyond({ column, direction, nullable }: SortColumn, value: string | null): Condition {
  if (direction === 'desc')
    return value === null ? condition(`${column} is not null`) : condition(`${column} < ?`, value);
  if (value === null) return condition('false');
  return nullable ? condition(`(${column} > ? or ${column} is null)`, value) : condition(`${column} > ?`, value);
}
