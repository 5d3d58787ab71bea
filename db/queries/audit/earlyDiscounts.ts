import { type Check, compare } from './check.ts';
import { digitsOf } from './digits.ts';

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
