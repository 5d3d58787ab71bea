import { type WorkKind, workKinds } from '../../../billing/collection/work.ts';
import { customerProcesses } from '../../../billing/processes.ts';
import { type Condition, condition, textArray } from '../kernel/sql.ts';

/** Whose worklist is read, and when. */
export interface WorklistOf {
  accountId: number;
  /** The currency of the account, whose amounts come first. */
  currency: string;
  /** The end of the local day: tasks are due before it. */
  until: Date;
  /** The latest time of the account's test clocks, or `until`. */
  latest: Date;
  kinds: readonly WorkKind[];
  /** Whether it tells what customers owe, of items that are not their invoices. */
  seesOwed: boolean;
}

/** SQL: the open tasks `t` of an object, by a condition on the object. Indexes find them. */
const openTaskWith = (is: string) =>
  `select t.id, t.user_id, t.action from task t where t.account_id = :account and not t.complete and ${is}`;

/** SQL: the first of these columns of a task `t` that has a value. Under row policies PostgreSQL finds nothing by `coalesce`, but by `case`. */
const firstOf = (...columns: readonly string[]) =>
  `case ${columns.map((column) => `when t.${column} is not null then t.${column}`).join(' ')} end`;

/** Columns of a task with the invoice that waits itself. */
const WAITING_INVOICE = ['promised_invoice_id', 'disputed_invoice_id', 'held_invoice_id'] as const;

/** SQL: a task `t` waits itself, and not the invoice that it is about. */
const IS_TASK = 't.promised_invoice_id is null and t.disputed_invoice_id is null';

/**
 * SQL: open tasks that are due, with their customer `c` and the invoice `i` that they are about. On a test clock, those are due that its time has
 * reached. Those about disputed lines have a deadline instead, and stand from the beginning. Those about closed invoices are left out.
 */
const DUE_TASKS = `from task t join customer c on c.account_id = t.account_id and c.id = t.customer_id
  left join test_clock k on k.account_id = c.account_id and k.id = c.test_clock_id
  left join invoice i on i.account_id = t.account_id
    and i.id = ${firstOf(...WAITING_INVOICE, 'unmailed_invoice_id')}
  left join risky pt on pt.subject_type = 'task' and pt.subject_id = t.id
  left join risky pi on pi.subject_type = 'invoice'
    and pi.subject_id = ${firstOf(...WAITING_INVOICE)}
  left join lateral (
    select x.currency, sum(x.balance) as amount, count(*)::int as count, min(coalesce(x.due_at, x.date)) as first_due
    from task_invoice ti join invoice x on x.account_id = ti.account_id and x.id = ti.invoice_id
    where ti.account_id = t.account_id and ti.task_id = t.id and not x.closed and x.balance > 0
    group by 1 order by (x.currency = :currency) desc, 1 limit 1
  ) asks on t.chase_step_id is not null
  left join lateral (
    select b.currency, b.overdue as amount from customer_balance b
    where b.account_id = t.account_id and b.customer_id = t.customer_id and b.overdue > 0
    order by (b.currency = :currency) desc, 1 limit 1
  ) owes on :owed::boolean and i.id is null and asks.currency is null
  where t.account_id = :account and not t.complete and t.dispute_id is null
    and (t.due_at is null or t.due_at < :latest or t.disputed_invoice_id is not null)
    and (t.due_at is null or t.disputed_invoice_id is not null or case when k.id is null then t.due_at < :until else t.due_at <= k.frozen_at end)
    and pt.id is null and pi.id is null and (${IS_TASK} or not i.closed)`;

const TASK_KIND = `case when t.promised_invoice_id is not null then 'broken_promise'
  when t.disputed_invoice_id is not null then 'disputed_invoice' else 'task' end`;

const TASKS = `select t.account_id, ${TASK_KIND} as kind, case when ${IS_TASK} then 'task' else 'invoice' end as subject_type,
    case when ${IS_TASK} then t.id else i.id end as subject_id, t.id as task_id, t.action, c.id as customer_id, c.name as customer_name,
    coalesce(t.user_id, c.owner_id) as user_id, coalesce(i.currency, asks.currency, owes.currency) as currency,
    case when i.id is null then coalesce(asks.amount, owes.amount) when i.balance > 0 and not i.closed then i.balance end as money_at_risk,
    t.due_at, t.created_at as since, case when ${IS_TASK} then t.name else coalesce(i.number, i.name) end as title,
    null::text as reason, i.disputed_lines -> -1 ->> 'reason' as message, asks.count,
    case when ${IS_TASK} then asks.first_due when t.promised_invoice_id is not null then i.expected_payment_at
      else i.dispute_hold_until end as day_at,
    owes.amount as owed ${DUE_TASKS}`;

/** Disputes that nobody has answered: their task is open, or there never was one. */
const DISPUTES = `select d.account_id, 'dispute', 'dispute', d.id, t.id, t.action, c.id, c.name, coalesce(t.user_id, c.owner_id), d.currency, d.amount,
    d.evidence_due_at, d.created_at, d.gateway_id, d.reason, null, null, null::timestamptz, null::numeric
  from dispute d join charge h on h.account_id = d.account_id and h.id = d.charge_id
  join customer c on c.account_id = h.account_id and c.id = h.customer_id
  left join lateral (${openTaskWith('t.dispute_id = d.id')} order by t.id desc limit 1) t on true
  where d.account_id = :account and d.status = 'open'
    and (t.id is not null or not exists (select 1 from task z where z.account_id = :account and z.dispute_id = d.id))`;

/**
 * Open invoices whose automatic charge failed, of which nothing else is an item: no open task asks for them, and no process is stuck with them.
 * Left out are those whose payment is promised or pending. A member who has done a task of the customer since the failure, or has planned one since
 * then for a later day, has taken care of them.
 */
const FAILED = `select i.account_id, 'failed_charge', 'invoice', i.id, null::int, null, c.id, c.name, c.owner_id, i.currency, i.balance,
    null::timestamptz, i.payment_failed_at, coalesce(i.number, i.name), i.payment_failure_code, i.payment_failure_message, i.attempt_count,
    i.next_payment_attempt_at, null::numeric
  from invoice i join customer c on c.account_id = i.account_id and c.id = i.customer_id
  left join risky pi on pi.subject_type = 'invoice' and pi.subject_id = i.id
  where i.account_id = :account and i.payment_failure_code is not null and not i.closed and i.deleted_at is null and not i.pending
    and i.promise is distinct from 'promised' and pi.id is null
    and not exists (select 1 from task_invoice ti join task t on t.account_id = ti.account_id and t.id = ti.task_id
      where ti.account_id = i.account_id and ti.invoice_id = i.id and not t.complete)
    and not exists (${openTaskWith('t.promised_invoice_id = i.id')})
    and not exists (${openTaskWith('t.disputed_invoice_id = i.id')})
    and not exists (select 1 from task t where t.account_id = i.account_id and t.customer_id = i.customer_id and t.dispute_id is null
      and case when t.complete then t.completed_by_user_id is not null and t.completed_at >= i.payment_failed_at
        else t.due_at >= :until and t.created_at >= i.payment_failed_at end)`;

/** Payments that pay nothing yet. The money of a disputed charge is at its bank. */
const UNAPPLIED = `select p.account_id, 'unapplied_payment', 'payment', p.id, null::int, null, c.id, c.name, c.owner_id, p.currency, p.balance,
    null::timestamptz, p.date, coalesce(p.reference, p.receipt_number), null, null, null, p.date, b.balance
  from payment p left join customer c on c.account_id = p.account_id and c.id = p.customer_id
  left join customer_balance b on :owed::boolean and b.account_id = p.account_id and b.customer_id = p.customer_id and b.currency = p.currency
  left join risky pp on pp.subject_type = 'payment' and pp.subject_id = p.id
  where p.account_id = :account and p.balance > 0 and not p.voided and pp.id is null
    and not exists (select 1 from charge h where h.account_id = p.account_id and h.id = p.charge_id and h.disputed)`;

/** SQL: the customer of the object of a problem `p`. */
const CUSTOMER_OF = [
  ...customerProcesses.map(({ process, table }) => ({ type: process, table, column: 'customer_id' })),
  { type: 'task', table: 'task', column: 'customer_id' },
  { type: 'customer', table: 'customer', column: 'id' },
]
  .map(
    ({ type, table, column }) =>
      `select o.${column} as id from ${table} o where p.subject_type = '${type}' and o.account_id = p.account_id and o.id = p.subject_id`,
  )
  .join(' union all ');

/** SQL: the open task that the object of a problem `p` is, or that is about the invoice that it is. */
const TASK_OF = ['id', ...WAITING_INVOICE]
  .map((column) =>
    openTaskWith(`t.${column} = p.subject_id and p.subject_type = '${column === 'id' ? 'task' : 'invoice'}'`),
  )
  .join(' union all ');

const PROBLEMS = `select p.account_id, 'problem', 'problem', p.id, t.id, t.action, c.id, c.name, coalesce(t.user_id, c.owner_id), p.currency, p.money_at_risk,
    null::timestamptz, p.since, null, p.step, p.message, p.tries, null::timestamptz, null::numeric
  from risky p left join lateral (${CUSTOMER_OF} limit 1) o on true
  left join customer c on c.account_id = p.account_id and c.id = o.id
  left join lateral (${TASK_OF} order by 1 desc limit 1) t on true`;

const BRANCHES: readonly { kinds: readonly WorkKind[]; sql: string }[] = [
  // The first branch names the columns.
  { kinds: ['task', 'broken_promise', 'disputed_invoice'], sql: TASKS },
  { kinds: ['dispute'], sql: DISPUTES },
  { kinds: ['failed_charge'], sql: FAILED },
  { kinds: ['unapplied_payment'], sql: UNAPPLIED },
  { kinds: ['problem'], sql: PROBLEMS },
];

/** What amounts are taken from, so that larger ones come first as texts. */
const MOST = '100000000000000';

/**
 * SQL: a text that sorts by money at risk: first the currency of the account, then the other ones by their codes, the largest amount of each
 * first; then what has no amount.
 */
const PLACE = `(case when money_at_risk is null then '2' when currency = :currency then '0' else '1' || currency end
  || to_char(${MOST} - coalesce(money_at_risk, 0), 'FM000000000000000.0000') || kind || to_char(subject_id, 'FM0000000000')) collate "C"`;

/**
 * What waits for a person, as a query in parentheses: each object once. It reads the open tasks that are due, open disputes, open problems, failed and
 * unapplied payments, and what these name, but no other invoices.
 */
export function worklistOf({ kinds, ...of }: WorklistOf): Condition {
  const parts = BRANCHES.filter((branch, index) => index === 0 || branch.kinds.some((kind) => kinds.includes(kind)));
  const sql = `(with risky as materialized (
      select * from problem where account_id = :account and closed_at is null and money_at_risk > 0
    ), item as (${parts.map((part) => part.sql).join(' union all ')}),
    once as (select distinct on (subject_type, subject_id) * from item
      order by subject_type, subject_id, array_position(:kinds::text[], kind), task_id desc)
    select *, kind || to_char(subject_id, 'FM"-"0000000000') as id, ${PLACE} as place from once)`;
  return bound(sql, {
    account: of.accountId,
    currency: of.currency,
    until: of.until,
    latest: new Date(Math.max(of.latest.getTime(), of.until.getTime())),
    kinds: textArray(workKinds),
    owed: of.seesOwed,
  });
}

/** A statement whose values have names. */
function bound(sql: string, values: Readonly<Record<string, unknown>>): Condition {
  const names = Object.keys(values).join('|');
  const places = new RegExp(`:(${names})\\b`, 'g');
  const found = [...sql.matchAll(places)].map(([, name = '']) => values[name]);
  return condition(sql.replace(places, '?'), ...found);
}
