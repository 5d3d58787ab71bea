import type { EntityManager } from '../../orm.ts';

/** Ids of the customers that own these invoices, except `besides`. */
export async function ownersOf(
  em: EntityManager,
  { accountId, invoiceIds, besides }: { accountId: number; invoiceIds: readonly number[]; besides: number | null },
): Promise<number[]> {
  if (invoiceIds.length === 0) return [];
  const rows = await em.execute<{ id: number }[]>(
    `select distinct customer_id as id from invoice where account_id = ? and id = any(?::int[]) and customer_id is distinct from ?::int`,
    [accountId, `{${invoiceIds.join()}}`, besides],
  );
  return rows.map(({ id }) => id);
}

/**
 * A payment's customer, who may be unknown, and the other customers whose invoices it pays. Returns undefined if there is no such payment.
 */
export async function partiesOf(
  em: EntityManager,
  { accountId, id }: { accountId: number; id: number },
): Promise<{ customerId: number | null; owners: number[] } | undefined> {
  const [row] = await em.execute<{ customerId: number | null; owners: number[] }[]>(
    `select p.customer_id as "customerId", array(
       select distinct i.customer_id from payment_application a
       join invoice i on i.account_id = a.account_id and i.id = a.invoice_id
       where a.account_id = p.account_id and a.payment_id = p.id and i.customer_id <> p.customer_id
     ) as owners from payment p where p.account_id = ? and p.id = ?`,
    [accountId, id],
  );
  return row;
}
