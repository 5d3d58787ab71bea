import type { EntityManager } from './orm.ts';
import type { CustomerTable } from './schema/customerTables.ts';

type Reservable =
  | CustomerTable
  | 'customer'
  | 'chasing_cadence'
  | 'payment_application'
  | 'file'
  | 'subscription_addon'
  | 'refund'
  | 'dispute'
  | 'event'
  | 'mail_provider'
  | 'mail_sender'
  | 'merchant_account'
  | 'message_provider'
  | 'payment_link'
  | 'service_token'
  | 'sign_up_page'
  | 'usage_total';

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

/** Reserves ids for several new rows of a table in one statement. Makes no query for none. */
export async function reserveSeveralIds(em: EntityManager, table: Reservable, count: number): Promise<number[]> {
  if (count === 0) return [];
  const rows = await em.execute<{ id: number }[]>(
    `select nextval('${table}_id_seq') as id from generate_series(1, ?::int)`,
    [count],
  );
  return rows.map(({ id }) => id);
}
