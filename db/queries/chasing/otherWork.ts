import type { EntityManager } from '../../orm.ts';

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
