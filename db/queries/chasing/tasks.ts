import type { EntityManager } from '../../orm.ts';
import { numberArray } from '../kernel/sql.ts';

/** SQL: condition of an invoice `i` that is open and not among those that the caller ended. */
const OPEN = 'not i.closed and i.balance > 0 and i.id <> all(?::int[])';

/**
 * Ids of a customer's open tasks that ask for nothing any more: a cadence made them for an invoice that has ended, and no other invoice
 * that they ask for is open. `ended`: invoices that the caller has paid, closed or voided, whose rows may still say otherwise.
 */
export async function finishedTasks(
  em: EntityManager,
  { accountId, customerId, ended }: { accountId: number; customerId: number; ended: readonly number[] },
): Promise<number[]> {
  const ids = numberArray(ended);
  const rows = await em.execute<{ id: number }[]>(
    `select distinct t.id from task_invoice e join task t on t.account_id = e.account_id and t.id = e.task_id
     where e.account_id = ? and e.invoice_id = any(?::int[]) and not t.complete and not exists (
       select 1 from task_invoice a join invoice i on i.account_id = a.account_id and i.id = a.invoice_id
       where a.account_id = t.account_id and a.task_id = t.id and ${OPEN})
     union all
     ${OF_EARLIER_VERSIONS} order by id`,
    [accountId, ids, ids, accountId, customerId, ids],
  );
  return rows.map(({ id }) => id);
}

/** SQL: tasks of versions that stored no asked invoices. They wait for all that was open when the reminder was made. */
const OF_EARLIER_VERSIONS = `select t.id from task t
  join reminder r on r.account_id = t.account_id and r.customer_id = t.customer_id and r.task_id = t.id
  left join chasing_cadence k on k.account_id = r.account_id and k.id = r.cadence_id
  where t.account_id = ? and t.customer_id = ? and not t.complete
    and not exists (select 1 from task_invoice a where a.account_id = t.account_id and a.task_id = t.id)
    and not exists (
      select 1 from invoice i where i.account_id = r.account_id and i.customer_id = r.customer_id and ${OPEN}
        and i.issued_at <= r.created_at
        and (k.kind is distinct from 'invoice' and (i.chasing_cadence_id is null or i.payment_plan_id is not null)
          or exists (select 1 from jsonb_array_elements(i.taken_steps) s where s ->> 'on' >= r.day::text)))`;

/**
 * Whether other work of a customer is due or under way: a step of an open invoice or a subscription, or an attempt without an outcome. A
 * process with a problem does not count, because it can stay due for days.
 */
export async function hasOtherWork(
  em: EntityManager,
  { accountId, customerId, now }: { accountId: number; customerId: number; now: Date },
): Promise<boolean> {
  const rows = await em.execute(
    `with subject as (
       select 'invoice' as process, id from invoice where account_id = ? and customer_id = ? and not closed
       union all
       select 'subscription', id from subscription where account_id = ? and customer_id = ? and status not in ('finished', 'canceled')
     )
     select 1 from subject s join wakeup w on w.account_id = ? and w.process = s.process and w.subject_id = s.id and w.at <= ?
     where not exists (select 1 from wakeup p where p.account_id = w.account_id and p.process = w.process
       and p.subject_id = w.subject_id and p.rule = 'problem')
     union all
     select 1 from subject s join attempt_invoice a on a.account_id = ? and a.invoice_id = s.id and a.undecided
     where s.process = 'invoice' limit 1`,
    [accountId, customerId, accountId, customerId, accountId, now, accountId],
  );
  return rows.length > 0;
}
