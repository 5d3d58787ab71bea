import { LOOKUP_SCHEMA } from '../../lookups.ts';
import type { EntityManager } from '../../orm.ts';
import { textArray } from '../kernel/arrays.ts';

/** Ids of the customers whose invoices this sender of bank transfers has paid, the oldest customers first. */
export async function customersOfSender(
  em: EntityManager,
  { accountId, senderId, most }: { accountId: number; senderId: string; most: number },
): Promise<number[]> {
  const rows = await em.execute<{ id: number }[]>(
    `select distinct customer_id as id from payment
     where account_id = ? and ach_sender_id = ? and customer_id is not null and not voided order by id limit ?`,
    [accountId, senderId, most],
  );
  return rows.map(({ id }) => id);
}

/** Ids of the customers with these names in lower case, the oldest first. Those that were merged or anonymized are left out. */
export async function customersOfNames(
  em: EntityManager,
  { names, most }: { names: readonly string[]; most: number },
): Promise<number[]> {
  if (names.length === 0) return [];
  const rows = await em.execute<{ id: number }[]>(
    `select found_id as id from ${LOOKUP_SCHEMA}.customers_of_names(?::text[], ?::int)`,
    [textArray(names), most],
  );
  return rows.map(({ id }) => id);
}
