import type { EntityManager } from './orm.ts';

type Reservable =
  | 'payment'
  | 'charge'
  | 'payment_source'
  | 'subscription'
  | 'attempt'
  | 'payment_application'
  | 'credit_balance_adjustment'
  | 'customer'
  | 'contact'
  | 'line_item'
  | 'note'
  | 'task'
  | 'file';

/** Ids for rows about to be written, in one statement: so that what refers to them can be written in the same flush. */
export async function reserveIds<Table extends Reservable>(
  em: EntityManager,
  ...tables: Table[]
): Promise<Record<Table, number>> {
  const columns = tables.map((table) => `nextval('${table}_id_seq') as ${table}`);
  const [row] = await em.execute<Record<Table, number>[]>(`select ${columns.join(', ')}`);
  if (!row) throw new Error('no ids reserved');
  return row;
}
