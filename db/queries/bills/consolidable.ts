import type { EntityManager } from '../../orm.ts';

/** Maximum number of invoices read. */
const MOST = 1000;

/** Ids of a customer's open invoices, oldest first, that have no applied payment, no credit note and no undecided charge. */
export async function consolidable(
  em: EntityManager,
  of: { accountId: number; customerId: number; currency: string; until: Date },
): Promise<number[]> {
  const rows = await em.execute<{ id: number }[]>(
    `select id from invoice i where account_id = ? and customer_id = ? and currency = ? and date <= ? and not closed
       and issued_at is not null and balance = total and not pending and not exists (
         select 1 from attempt_invoice a where a.account_id = i.account_id and a.invoice_id = i.id and a.undecided
       ) and not exists (
         select 1 from credit_note n where n.account_id = i.account_id and n.invoice_id = i.id
           and n.issued_at is not null and n.voided_at is null
       ) order by date, id limit ${MOST}`,
    [of.accountId, of.customerId, of.currency, of.until],
  );
  return rows.map(({ id }) => id);
}
