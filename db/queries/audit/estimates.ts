import { type Check, compare } from './check.ts';

const NAME = "'estimate ' || coalesce(number, id::text)";

/** SQL: for each payment, the amount that it reserved as deposits, less the deposits with which it paid invoices. */
const aside = `select account_id, payment_id, sum(case type when 'deposit' then -amount else amount end) as aside
  from payment_application where estimate_id is not null group by account_id, payment_id`;

/** Checks of estimates: deposits recomputed from payments and the ledger, status from their other columns. */
export const estimateChecks: Check[] = [
  {
    name: 'the deposit of an estimate is what payments put aside for it, less what has paid its invoice',
    sql: `select ${compare(NAME, "deposit_received || ' ' || deposit_left", "received || ' ' || received_less")} from (
            select e.account_id, e.id, e.number, e.deposit_received, e.deposit_left,
                   coalesce(sum(a.amount) filter (where a.type <> 'deposit'), 0)::numeric(18, 4) as received,
                   coalesce(sum(case a.type when 'deposit' then -a.amount else a.amount end), 0)::numeric(18, 4) as received_less
            from estimate e left join payment_application a on a.account_id = e.account_id and a.estimate_id = e.id
            group by e.account_id, e.id, e.number, e.deposit_received, e.deposit_left) x where deposit_received <> received or deposit_left <> received_less`,
  },
  {
    name: 'deposits in the ledger are what payments put aside',
    sql: `select ${compare("'payment ' || payment_id", 'sum(aside)', 'sum(booked)')} from (
            select account_id, payment_id, aside, 0 as booked from (${aside}) a
            union all
            select account_id, payment_id, 0, -amount from ledger_entry
            where ledger_account = 'customer_credits:deposits' and payment_id is not null) x
          group by account_id, payment_id having sum(aside) <> sum(booked)`,
  },
  {
    name: 'the status of an estimate is what the rest of it says',
    sql: `select ${compare(NAME, "status || ' ' || deposit_paid", "says || ' ' || is_paid")} from (
            select *, case when voided_at is not null then 'voided' when issued_at is null then 'draft' when invoice_id is not null then 'invoiced'
                when closed and approved_at is null then 'declined' when approved_at is not null then 'approved'
                when sent_at is not null then 'sent' else 'not_sent' end as says,
              deposit_said_paid or (deposit_received > 0 and deposit_received >= deposit) as is_paid
            from estimate) x where status <> says or deposit_paid <> is_paid`,
  },
  {
    name: 'an issued estimate has a number and a snapshot',
    sql: `select ${compare("'estimate ' || id", "coalesce(number, 'none')", "'a number and a snapshot'")} from estimate
          where issued_at is not null and (number is null or snapshot_id is null)`,
  },
];
