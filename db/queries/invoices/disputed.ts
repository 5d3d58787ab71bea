import type { EntityManager } from '../../orm.ts';

/** Whether a charge that paid a part of an invoice has an open dispute. */
export async function hasOpenDispute(
  em: EntityManager,
  { accountId, invoiceId }: { accountId: number; invoiceId: number },
): Promise<boolean> {
  const rows = await em.execute(
    `select 1 from payment_application a join payment p on p.account_id = a.account_id and p.id = a.payment_id
     join dispute d on d.account_id = p.account_id and d.charge_id = p.charge_id
     where a.account_id = ? and a.invoice_id = ? and d.status = 'open' limit 1`,
    [accountId, invoiceId],
  );
  return rows.length > 0;
}
