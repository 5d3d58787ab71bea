import type { EntityManager } from '../../orm.ts';

/** Reschedules a customer's held bills, which wait to be issued, for a new try, and returns their ids. */
export async function wakeHeldBills(
  em: EntityManager,
  { accountId, customerId, at }: { accountId: number; customerId: number; at: Date },
): Promise<number[]> {
  const rows = await em.execute<{ id: number }[]>(
    `with woken as (
       update wakeup w set at = ?, put_at = ? from invoice i
       where i.account_id = ? and i.customer_id = ? and not i.closed and i.issued_at is null
         and w.account_id = i.account_id and w.process = 'invoice' and w.subject_id = i.id returning i.account_id, i.id
     ), told as (
       update problem p set next_try_at = ? from woken
       where p.account_id = woken.account_id and p.subject_type = 'invoice' and p.subject_id = woken.id and p.closed_at is null
     ) select id from woken order by id`,
    [at, at, accountId, customerId, at],
  );
  return rows.map(({ id }) => id);
}
