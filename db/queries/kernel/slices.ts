import type { EntityManager } from '../../orm.ts';
import type { Condition } from './sql.ts';

/** A statement that reads rows of a type, with `?` for its values. */
export interface Statement<Row extends object> extends Condition {
  /** Never set: the type of its rows. */
  row?: Row;
}

/** Rows that are read at once. */
const SLICE = 1000;

/** The first rows of a statement. */
export function firstRows<Row extends object>(
  em: EntityManager,
  { sql, values }: Statement<Row>,
  limit: number,
): Promise<Row[]> {
  return em.execute<Row[]>(`${sql} limit ${limit}`, [...values]);
}

/** All rows of a statement, slice by slice, through a cursor of the transaction. A transaction has one at a time. */
export async function* inSlices<Row extends object>(
  em: EntityManager,
  { sql, values }: Statement<Row>,
): AsyncGenerator<Row[], void> {
  await em.execute(`declare slices no scroll cursor for ${sql}`, [...values]);
  for (;;) {
    const slice = await em.execute<Row[]>(`fetch ${SLICE} from slices`);
    if (slice.length > 0) yield slice;
    if (slice.length < SLICE) break;
  }
  await em.execute('close slices');
}
