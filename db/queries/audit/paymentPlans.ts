import { isRunning, paymentPlanStatuses } from '../../../billing/paymentPlan.ts';
import { quoted } from '../../schema/columns.ts';
import { type Check, compare } from './check.ts';

const running = quoted(paymentPlanStatuses.filter((status) => isRunning({ status })));

/** SQL: the installments of plans that are not canceled. Each has the sum of the amounts up to it, and the sum of all. */
const installments = `select p.account_id, p.id, p.status, i.balance as owed, (x.value ->> 'amount')::numeric as amount,
    (x.value ->> 'balance')::numeric as balance, x.ordinality as place,
    sum((x.value ->> 'amount')::numeric) over (partition by p.account_id, p.id order by x.ordinality) as until,
    sum((x.value ->> 'amount')::numeric) over (partition by p.account_id, p.id) as total
  from payment_plan p join invoice i on i.account_id = p.account_id and i.id = p.invoice_id
  cross join jsonb_array_elements(p.installments) with ordinality x where p.status <> 'canceled'`;

/** Checks of payment plans: installments recomputed from the balance of their invoice, status and terms from both. */
export const paymentPlanChecks: Check[] = [
  {
    name: 'the installments of a payment plan are what is owed of its invoice',
    sql: `select ${compare("'payment plan ' || id", 'sum(balance)', 'owed')} from (${installments}) x
          group by account_id, id, owed having sum(balance) <> owed`,
  },
  {
    name: 'payments fill the installments of a payment plan in their order',
    sql: `select ${compare("'payment plan ' || id || ' installment ' || place", 'balance', 'filled')} from (
            select *, least(amount, greatest(0, until - (total - owed))) as filled from (${installments}) x) y where balance <> filled`,
  },
  {
    name: 'a payment plan is finished when, and only when, nothing of its invoice is owed',
    sql: `select ${compare("'payment plan ' || id", 'status', 'owed')} from (${installments}) x
          where place = 1 and (status = 'finished') <> (owed = 0)`,
  },
  {
    name: 'AutoPay charges no invoice whose payment plan waits for approval',
    sql: `select ${compare("'payment plan ' || id", 'charged', 'never')} from (
            select p.account_id, p.id, i.next_payment_attempt_at as charged, null::timestamptz as never from payment_plan p
            join invoice i on i.account_id = p.account_id and i.payment_plan_id = p.id
            where p.status = 'pending_signup' and p.approval_token is not null and p.approval is null) x
          where charged is not null`,
  },
  {
    name: 'a payment plan that is running is the latest of its invoice',
    sql: `select ${compare("'payment plan ' || id", 'id', 'latest')} from (
            select p.account_id, p.id, i.payment_plan_id as latest from payment_plan p
            join invoice i on i.account_id = p.account_id and i.id = p.invoice_id where p.status in (${running})) x
          where latest is distinct from id`,
  },
];
