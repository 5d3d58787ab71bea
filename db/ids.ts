import type { EntityManager } from './orm.ts';
import type { CustomerTable } from './schema/customerTables.ts';

type Reservable = CustomerTable | 'customer' | 'payment_application' | 'file';

/** Reserves ids for new rows in one statement, so that rows with references to each other can be written together. */
export async function reserveIds<Table extends Reservable>(
  em: EntityManager,
  ...tables: Table[]
): Promise<Record<Table, number>> {
  const columns = tables.map((table) => `nextval('${table}_id_seq') as ${table}`);
  const [row] = await em.execute<Record<Table, number>[]>(`select ${columns.join(', ')}`);
  if (!row) throw new Error('no ids reserved');
  return row;
}
