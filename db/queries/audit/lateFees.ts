import { type Check, compare } from './check.ts';
import { digitsOf } from './digits.ts';

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
