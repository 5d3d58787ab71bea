import type { EntityManager } from '../../orm.ts';
import { numberArray } from '../kernel/sql.ts';

/** An invoice that a page has sold. `signUpId`: the sign-up whose first invoice it is; null: it is of a payment link. */
interface SoldInvoice {
  invoiceId: number;
  signUpId: number | null;
}

/** The invoices that wait for the first payment of a sign-up, and those of payment links. */
export function soldByInvoices(
  em: EntityManager,
  { accountId, ids }: { accountId: number; ids: readonly number[] },
): Promise<SoldInvoice[]> {
  const values = [accountId, numberArray(ids)];
  return em.execute<SoldInvoice[]>(
    `select invoice_id as "invoiceId", id as "signUpId" from sign_up
       where account_id = ? and invoice_id = any(?::int[]) and state = 'charging'
     union all
     select invoice_id, null from link_payment where account_id = ? and invoice_id = any(?::int[])`,
    [...values, ...values],
  );
}

/** Ids of the invoices of a customer that wait for the first payment of a sign-up. */
export async function firstInvoices(
  em: EntityManager,
  { accountId, customerId }: { accountId: number; customerId: number },
): Promise<number[]> {
  const rows = await em.execute<{ id: number }[]>(
    `select invoice_id as id from sign_up where account_id = ? and customer_id = ? and state = 'charging'`,
    [accountId, customerId],
  );
  return rows.map(({ id }) => id);
}
