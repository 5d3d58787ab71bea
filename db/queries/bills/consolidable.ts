import { isRunning, paymentPlanStatuses } from '../../../billing/paymentPlan.ts';
import type { EntityManager } from '../../orm.ts';
import { quoted } from '../../schema/columns.ts';

const running = quoted(paymentPlanStatuses.filter((status) => isRunning({ status })));

/** Maximum number of invoices read. */
const MOST = 1000;

/**
 * Ids of a customer's open invoices, oldest first, that have no applied payment, no credit note, no running payment plan, no promised
 * payment, no early-payment discount and no undecided charge.
 */
export async function consolidable(
  em: EntityManager,
  of: { accountId: number; customerId: number; currency: string; until: Date },
): Promise<number[]> {
  const rows = await em.execute<{ id: number }[]>(
    `select id from invoice i where account_id = ? and customer_id = ? and currency = ? and date <= ? and not closed
       and issued_at is not null and balance = total and not pending and promise is distinct from 'promised'
       and not jsonb_path_exists(discounts, '$[*].percent') and not exists (
         select 1 from attempt_invoice a where a.account_id = i.account_id and a.invoice_id = i.id and a.undecided
       ) and not exists (
         select 1 from credit_note n where n.account_id = i.account_id and n.invoice_id = i.id
           and n.issued_at is not null and n.voided_at is null
       ) and not exists (
         select 1 from payment_plan p where p.account_id = i.account_id and p.id = i.payment_plan_id and p.status in (${running})
       ) order by date, id limit ${MOST}`,
    [of.accountId, of.customerId, of.currency, of.until],
  );
  return rows.map(({ id }) => id);
}
