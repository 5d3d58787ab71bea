import type { EntityManager } from '../../orm.ts';
import { numberArray } from '../kernel/arrays.ts';

/**
 * Ids of the open tasks that reminders of a customer made, of which nothing is owed any more: no invoice is open that the reminder asked for.
 * `ended`: invoices that are paid, closed or voided by the caller, whose rows may still say otherwise.
 */
export async function finishedTasks(
  em: EntityManager,
  { accountId, customerId, ended }: { accountId: number; customerId: number; ended: readonly number[] },
): Promise<number[]> {
  const rows = await em.execute<{ id: number }[]>(
    `select t.id from task t
     join reminder r on r.account_id = t.account_id and r.customer_id = t.customer_id and r.task_id = t.id
     left join chasing_cadence k on k.account_id = r.account_id and k.id = r.cadence_id
     where t.account_id = ? and t.customer_id = ? and not t.complete and not exists (
       select 1 from invoice i where i.account_id = r.account_id and i.customer_id = r.customer_id and not i.closed
         and i.balance > 0 and i.issued_at <= r.created_at and i.id <> all(?::int[])
         and (k.kind is distinct from 'invoice' and (i.chasing_cadence_id is null or i.payment_plan_id is not null)
           or exists (select 1 from jsonb_array_elements(i.taken_steps) s where s ->> 'on' >= r.day::text)))
     order by t.id`,
    [accountId, customerId, numberArray(ended)],
  );
  return rows.map(({ id }) => id);
}
