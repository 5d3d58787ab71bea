import { isRunning, paymentPlanStatuses } from '../../../billing/collection/paymentPlan.ts';
import { quoted } from '../../schema/columns.ts';
import { type Check, compare, digitsOf } from './check.ts';

/** Checks of late fees: each recomputed from its terms and its principal, and compared with the ledger entries. */
export const lateFeeChecks: Check[] = [
  {
    name: 'late fees are booked once, on the invoice that charges them',
    sql: `select ${compare("'invoice ' || id", 'sum(fee)', 'sum(booked)')} from (
            select account_id, coalesce(fee_invoice_id, invoice_id) as id, amount as fee, 0 as booked from late_fee
            union all
            select e.account_id, e.invoice_id, 0, e.amount from ledger_entry e
            join invoice i on i.account_id = e.account_id and i.id = e.invoice_id
            where e.ledger_account = 'receivable' and (e.reason = 'late_fee' or (e.reason = 'issue' and exists (
              select 1 from late_fee f where f.account_id = e.account_id and f.fee_invoice_id = e.invoice_id)))) x
          group by account_id, id having sum(fee) <> sum(booked)`,
  },
  {
    name: 'a late fee is what its terms give of the principal, up to the cap',
    sql: `select ${compare("'late fee ' || id", 'amount', 'owed')} from (
            select account_id, id, amount,
              least(case when is_percent then round(principal * rate / 100, ${digitsOf('currency')}) else rate end, cap - earlier) as owed
            from (select *, coalesce(sum(amount) over (partition by account_id, invoice_id order by accrued_on
              rows between unbounded preceding and 1 preceding), 0) as earlier from late_fee) y) x where amount <> owed`,
  },
];

/** SQL: the amount that pays invoice i in time for a discount that ends at `endsAt`, as `paidInTime` reads it, with what was written off. */
const inTime = (endsAt: string): string => `coalesce((select sum(a.amount) from payment_application a
  join payment p on p.account_id = a.account_id and p.id = a.payment_id
  left join credit_note n on n.account_id = a.account_id and n.id = a.credit_note_id
  where a.account_id = i.account_id and a.invoice_id = i.id and (n.id is null or (n.early_discount_until is null and not n.late_fee_review))
    and (p.date < ${endsAt} or exists (select 1 from charge c
      join attempt t on t.account_id = c.account_id and t.id = c.attempt_id
      where c.account_id = p.account_id and c.id = p.charge_id and t.created_at < ${endsAt}))), 0) + i.written_off`;

const LATE_FEES = `coalesce((select sum(l.amount) from line_item l
  where l.account_id = i.account_id and l.invoice_id = i.id and l.type = 'late_fee'), 0)`;

/** SQL: the early-payment discounts `d` on invoices `i`, each with its place among the discounts. */
const INCLUDED = `invoice i cross join jsonb_array_elements(i.discounts) with ordinality as d(value, place)
  where d.value ->> 'percent' is not null`;

/** Checks of early-payment discounts: each is recomputed, and compared with the money that earned it. */
export const earlyDiscountChecks: Check[] = [
  {
    name: 'an early-payment discount is its percentage of what the discounts before it left',
    sql: `select ${compare("'invoice ' || coalesce(number, id::text)", 'amount', 'expected')} from (
            select i.account_id, i.id, i.number, (d.value ->> 'amount')::numeric as amount, round((
              coalesce((select sum(l.amount - coalesce((select sum((o.value ->> 'amount')::numeric) from jsonb_array_elements(l.discounts) o), 0))
                from line_item l where l.account_id = i.account_id and l.invoice_id = i.id and l.discountable), 0)
              - coalesce((select sum((o.value ->> 'amount')::numeric) from jsonb_array_elements(i.discounts) with ordinality as o(value, place)
                where o.place < d.place), 0)) * (d.value ->> 'percent')::numeric / 100, ${digitsOf('i.currency')}) as expected
            from ${INCLUDED}) x where amount <> expected`,
  },
  {
    name: 'an early-payment discount that ended is on no invoice that was not paid in time',
    sql: `select ${compare("'invoice ' || number", 'paid', 'owed')} from (
            select i.account_id, i.number, ${inTime("to_timestamp((d.value ->> 'expiresAt')::numeric / 1000)")} as paid, i.total - ${LATE_FEES} as owed
            from ${INCLUDED} and i.paid and i.discount_review_at is null) x where paid < owed`,
  },
  {
    name: 'a credit note that grants an early-payment discount leaves nothing of what was owed in time',
    sql: `select ${compare("'credit note ' || number", 'paid + total', 'owed')} from (
            select g.account_id, g.number, g.total, ${inTime('g.early_discount_until')} as paid, i.total - ${LATE_FEES} as owed
            from credit_note g join invoice i on i.account_id = g.account_id and i.id = g.invoice_id
            where g.early_discount_until is not null and g.voided_at is null and i.discount_review_at is null) x where paid + total < owed`,
  },
];

const runningPlans = quoted(paymentPlanStatuses.filter((status) => isRunning({ status })));

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
            join invoice i on i.account_id = p.account_id and i.id = p.invoice_id where p.status in (${runningPlans})) x
          where latest is distinct from id`,
  },
];
