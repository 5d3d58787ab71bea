import { type Check, compare } from './check.ts';
import { creditedByNotes as credited } from './documents.ts';

const OWNER = "'credit balance of customer ' || customer_id || ' in ' || currency";

const NOTE = "'credit note ' || coalesce(number, id::text)";

/** SQL: all causes of changes to credit balances. */
const causes = `
  select p.account_id, p.customer_id, p.currency, date_trunc('second', p.date) as at,
    case a.type when 'credit' then a.amount else -a.amount end as amount, a.id as application_id, null::int as adjustment_id
  from payment_application a join payment p on p.account_id = a.account_id and p.id = a.payment_id
  where a.type in ('credit', 'applied_credit')
  union all
  select account_id, customer_id, currency, date_trunc('second', date), amount, null, id from credit_balance_adjustment`;

/** Checks of credit: balances against ledger, changes and causes; credit notes against applications and ledger. */
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
    name: 'credit note balance is its total less what is applied of it',
    sql: `select ${compare(NOTE, 'balance', 'left_over')} from (
            select n.account_id, n.id, n.number, n.balance,
                   case when n.voided_at is not null then 0 else n.total - coalesce(sum(a.amount), 0) end as left_over
            from credit_note n left join payment_application a on a.account_id = n.account_id and a.credit_note_id = n.id
            group by n.account_id, n.id, n.number, n.balance, n.voided_at, n.total) x where balance <> left_over`,
  },
  {
    name: 'credit notes in the ledger are what is left of them',
    sql: `select ${compare(NOTE, 'left_over', 'booked')} from (
            select n.account_id, n.id, n.number,
                   case when n.issued_at is null or n.forfeited_at is not null then 0 else n.balance end as left_over,
                   -coalesce(sum(e.amount), 0) as booked
            from credit_note n left join ledger_entry e
              on e.account_id = n.account_id and e.credit_note_id = n.id and e.ledger_account = 'customer_credits:notes'
            group by n.account_id, n.id, n.number, n.issued_at, n.forfeited_at, n.balance) x where left_over <> booked`,
  },
  {
    name: 'revenue and tax payable in the ledger are what a credit note gives back',
    sql: `select ${compare("'credit note ' || id || ' ' || ledger_account", 'sum(posted)', 'sum(credited)')} from (
            select account_id, id, ledger_account, amount as credited, 0 as posted from (${credited}) x
            union all
            select account_id, credit_note_id, ledger_account, 0, amount from ledger_entry
            where credit_note_id is not null and (ledger_account like 'revenue%' or ledger_account like 'tax_payable%')) x
          group by account_id, id, ledger_account having sum(credited) <> sum(posted)`,
  },
  {
    name: 'an issued credit note has a number and a snapshot',
    sql: `select ${compare("'credit note ' || id", "coalesce(number, 'none')", "'a number and a snapshot'")} from credit_note
          where issued_at is not null and (number is null or snapshot_id is null)`,
  },
  {
    name: 'an invoice that a credit note corrects is not voided',
    sql: `select ${compare(NOTE, "'credits a voided invoice'", "'credits an invoice'")} from credit_note n
          where issued_at is not null and voided_at is null and exists (
            select 1 from invoice i where i.account_id = n.account_id and i.id = n.invoice_id and i.voided_at is not null)`,
  },
  {
    name: 'the status of a credit note is what the rest of it says',
    sql: `select ${compare(NOTE, "status || ' ' || paid || ' ' || closed", "says || ' ' || (says = 'paid') || ' ' || over")} from (
            select *, case when voided_at is not null then 'voided' when issued_at is null then 'draft' when balance = 0 then 'paid'
                when forfeited_at is not null then 'closed' else 'open' end as says,
              voided_at is not null or forfeited_at is not null or (issued_at is not null and balance = 0) as over
            from credit_note) x where status <> says or paid <> (says = 'paid') or closed <> over`,
  },
  {
    name: 'a customer with credit is marked as one',
    sql: `select ${compare("'customer ' || id", 'has_credit', 'true')} from customer c where not has_credit and exists (
            select 1 from credit_balance_change b where b.account_id = c.account_id and b.customer_id = c.id and b.id = (
              select id from credit_balance_change l where l.account_id = b.account_id and l.customer_id = b.customer_id
                and l.currency = b.currency order by at desc, amount < 0 desc, id desc limit 1) and b.balance > 0
            union all select 1 from credit_note n where n.account_id = c.account_id and n.customer_id = c.id and n.status = 'open')`,
  },
];
