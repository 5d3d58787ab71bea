import type { EntityManager } from '../../orm.ts';
import { numberArray } from '../kernel/arrays.ts';

/** Ids of the write-offs of invoices that were not taken back. */
export async function activeWriteOffs(
  em: EntityManager,
  { accountId, invoiceIds }: { accountId: number; invoiceIds: readonly number[] },
): Promise<number[]> {
  const rows = await em.execute<{ id: number }[]>(
    'select id from write_off where account_id = ? and invoice_id = any(?::int[]) and reversed_at is null order by id',
    [accountId, numberArray(invoiceIds)],
  );
  return rows.map(({ id }) => id);
}

/** The payment whose money paid an invoice last, if it is used up and no gateway made it; null: there is none. */
export async function lastShortPayment(
  em: EntityManager,
  { accountId, invoiceId }: { accountId: number; invoiceId: number },
): Promise<{ id: number; paid: string } | null> {
  const [row] = await em.execute<{ id: number; paid: string; isShort: boolean }[]>(
    `select p.id, a.amount::text as paid, p.charge_id is null and p.balance = 0 and not p.voided as "isShort"
     from payment_application a join payment p on p.account_id = a.account_id and p.id = a.payment_id
     where a.account_id = ? and a.invoice_id = ? and a.type = 'invoice' order by a.id desc limit 1`,
    [accountId, invoiceId],
  );
  return row?.isShort ? { id: row.id, paid: row.paid } : null;
}
