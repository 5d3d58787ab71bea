import { type Check, compare } from './auditCheck.ts';

const OWNER = "'credit balance of customer ' || customer_id || ' in ' || currency";

/** What the credit balance of a customer in a currency is made of. */
const causes = `
  select p.account_id, p.customer_id, p.currency, date_trunc('second', p.date) as at,
    case a.type when 'credit' then a.amount else -a.amount end as amount, a.id as application_id, null::int as adjustment_id
  from payment_application a join payment p on p.account_id = a.account_id and p.id = a.payment_id
  where a.type in ('credit', 'applied_credit')
  union all
  select account_id, customer_id, currency, date_trunc('second', date), amount, null, id from credit_balance_adjustment`;

/** Credit balances: recomputed from the ledger, from their changes, and those from what caused them. */
export const creditChecks: Check[] = [
  {
    name: 'credit balance in the ledger is that of its changes',
    sql: `select ${compare(OWNER, 'sum(changed)', 'sum(booked)')} from (
            select account_id, customer_id, currency, amount as changed, 0 as booked from credit_balance_change
            union all
            select account_id, customer_id, currency, 0, -amount from ledger_entry e where ledger_account = 'customer_credits'
              and exists (select 1 from customer c where c.account_id = e.account_id and c.id = e.customer_id)) x
          group by account_id, customer_id, currency having sum(changed) <> sum(booked)`,
  },
  {
    name: 'a credit balance runs through its changes, and is never below zero',
    sql: `select ${compare(`${OWNER} || ' at ' || at`, 'balance', 'running')} from (
            select *, sum(amount) over (partition by account_id, customer_id, currency order by at, amount < 0, id) as running
            from credit_balance_change) x where balance <> running or running < 0`,
  },
  {
    name: 'each change of a credit balance has its cause, and each cause its change',
    sql: `select ${compare("coalesce('application ' || application_id, 'adjustment ' || adjustment_id)", 'max(change)', 'max(cause)')} from (
            select account_id, application_id, adjustment_id, concat_ws(' ', customer_id, currency, at, amount) as change, null as cause
            from credit_balance_change
            union all
            select account_id, application_id, adjustment_id, null, concat_ws(' ', customer_id, currency, at, amount) from (${causes}) c) x
          group by account_id, application_id, adjustment_id having max(change) is distinct from max(cause)`,
  },
  {
    name: 'a customer with credit is marked as one',
    sql: `select ${compare("'customer ' || id", 'has_credit', 'true')} from customer c where not has_credit and exists (
            select 1 from credit_balance_change b where b.account_id = c.account_id and b.customer_id = c.id and b.id = (
              select id from credit_balance_change l where l.account_id = b.account_id and l.customer_id = b.customer_id
                and l.currency = b.currency order by at desc, amount < 0 desc, id desc limit 1) and b.balance > 0)`,
  },
];
