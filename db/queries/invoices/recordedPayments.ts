import type { RecordedPayment } from '../../../billing/lateFee.ts';
import type { EntityManager } from '../../orm.ts';

/** The money that pays an invoice, with the dates of the payments. */
export async function recordedPayments(
  em: EntityManager,
  { accountId, invoiceId }: { accountId: number; invoiceId: number },
): Promise<RecordedPayment[]> {
  const rows = await em.execute<{ date: Date | string; recorded: Date | string; amount: string }[]>(
    `select p.date, a.created_at as recorded, a.amount::text as amount from payment_application a
     join payment p on p.account_id = a.account_id and p.id = a.payment_id
     where a.account_id = ? and a.invoice_id = ? and a.type = 'invoice' order by a.id`,
    [accountId, invoiceId],
  );
  return rows.map(({ date, recorded, amount }) => ({
    date: new Date(date).getTime(),
    recordedAt: new Date(recorded).getTime(),
    amount,
  }));
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
