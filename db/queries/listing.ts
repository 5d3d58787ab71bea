import type { EntityClass, FilterQuery, QueryOrderMap } from '@mikro-orm/core';
import type { EntityManager } from '../orm.ts';

/** Conditions on rows of one table. */
export type Where<Row> = FilterQuery<Row>;
export type OrderBy<Row> = QueryOrderMap<Row>;
export type RowClass<Row> = EntityClass<Row>;

/** One page of a list: what `em.find` takes. */
export interface Slice<Row> {
  orderBy: OrderBy<Row>[];
  limit: number;
  offset: number;
}

/** All of several conditions. The type of a condition can only be followed for a table that is known: hence the overload. */
export function allOf<Row>(conditions: Where<Row>[]): Where<Row>;
export function allOf(conditions: unknown[]): unknown {
  return { $and: conditions };
}

/** How many rows there are, exactly. */
export function countRows<Row extends object>(
  em: EntityManager,
  row: RowClass<Row>,
  where: Where<Row>,
): Promise<number> {
  return em.count(row, where);
}
