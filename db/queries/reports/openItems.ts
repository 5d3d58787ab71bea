import type { AgedBy, Bucket } from '../../../billing/reports/aging.ts';
import type { Asked } from '../../../billing/reports/report.ts';
import type { EntityManager } from '../../orm.ts';
import { asSystem, currentOwner } from '../../tenant.ts';
import type { Statement } from '../kernel/slices.ts';
import { type Condition, condition } from '../kernel/sql.ts';
import { RETRYING } from './desk.ts';
import { entriesOf, limits } from './receivables.ts';

/** What a customer owes in a currency, by age. Decimal text. */
export interface AgedRow {
  customer: number;
  name: string;
  number: string;
  currency: string;
  /** Sums by the id of the bucket. */
  sums: Record<string, string>;
  total: string;
  disputed: string;
  promised: string;
  onPlan: string;
}

export interface Ages {
  by: AgedBy;
  buckets: readonly Bucket[];
}

/**
 * SQL: a field of the invoice `i` of the customer `c` at the end of the days, if it has changed since: `value` of `name`, one row or none. The first event since then
 * that changed it says what it was before. Only an invoice that has changed since has such an event. `?`: until or known, until, known.
 */
const formerField = (field: string, name: string): string => `left join lateral (
    select true as changed, v.previous ->> '${field}' as value from event v
    where (i.updated_at >= ? or c.test_clock_id is not null)
      and v.account_id = i.account_id and v.subject_type = 'invoice' and v.subject_id = i.id::text
      and (v.occurred_at >= ? or v.created_at > ?) and v.previous -> '${field}' is not null and v.previous -> 'draft' is null
    order by v.sequence limit 1) ${name} on true`;

/** SQL: whether the invoice `i` was on a payment plan then. `?`: until, known, until. */
const ON_PLAN = `i.payment_plan_id is not null and exists (
    select 1 from payment_plan pp where pp.account_id = i.account_id and pp.invoice_id = i.id and pp.created_at < ? and 'active' = coalesce((
      select v.previous ->> 'status' from event v
      where v.account_id = pp.account_id and v.subject_type = 'payment_plan' and v.subject_id = pp.id::text
        and (v.occurred_at >= ? or v.created_at > ?) and v.previous -> 'status' is not null
      order by v.sequence limit 1), pp.status))`;

/** SQL: ids of the invoices that payments pay which banks disputed then: the ledger has what a bank holds of a payment in `disputes`. */
function disputedInvoices(asked: Asked): Condition {
  const held = entriesOf(asked, [condition("e.ledger_account = 'disputes'")]);
  const paid = entriesOf(asked, [
    condition("e.ledger_account = 'receivable'"),
    condition(
      `e.payment_id = any(array(select e.payment_id from ${held.sql} group by 1 having sum(e.amount) <> 0))`,
      ...held.values,
    ),
  ]);
  return condition(
    `select e.invoice_id from ${paid.sql} group by e.invoice_id, e.payment_id having sum(e.amount) <> 0`,
    ...paid.values,
  );
}

/**
 * SQL: the open invoices at the end of the days, with customer, amount and age. Invoices without a due date are due at their date. `some`:
 * conditions on their entries `e`.
 */
function openInvoices(asked: Asked, by: AgedBy, some: readonly Condition[] = []): Condition {
  const { accountId, days, zone, knownAt } = asked;
  const { until, lastDay } = days;
  const entries = entriesOf(asked, [condition("e.ledger_account = 'receivable'"), ...some]);
  const limited = limits(asked, 'o.currency');
  const disputed = disputedInvoices(asked);
  const since = [new Date(Math.min(until.getTime(), knownAt.getTime())), until, knownAt];
  const from = by === 'due_date' ? 'coalesce(due_at, date)' : 'date';
  return condition(
    `select *, (date at time zone ?)::date as day, (due_at at time zone ?)::date as due_day, ?::date - (${from} at time zone ?)::date as age
     from (
       select c.id as customer, c.name, c.number as customer_number, o.currency, o.amount, i.id, i.number, i.date,
         i.next_payment_attempt_at, i.attempt_count, coalesce(i.payment_failure_message, i.payment_failure_code, '') as failure,
         case when due.changed then to_timestamp(due.value::bigint) else i.due_at end as due_at,
         o.invoice_id in (${disputed.sql}) as is_disputed,
         coalesce(case when promise.changed then promise.value else i.promise end = 'promised', false) as is_promised, ${ON_PLAN} as is_on_plan
       from (
         select e.invoice_id, e.currency, sum(e.amount) as amount from ${entries.sql} group by 1, 2 having sum(e.amount) <> 0
       ) o
       join invoice i on i.account_id = ? and i.id = o.invoice_id
       join customer c on c.account_id = i.account_id and c.id = i.customer_id
       ${formerField('due_date', 'due')}
       ${formerField('expected_payment_status', 'promise')}
       where ${limited.sql}
     ) open`,
    zone,
    zone,
    lastDay,
    zone,
    ...disputed.values,
    until,
    until,
    knownAt,
    ...entries.values,
    accountId,
    ...since,
    ...since,
    ...limited.values,
  );
}

const inBucket = ({ from, to }: Bucket): string =>
  [from === null ? 'true' : `age >= ${from}`, to === null ? 'true' : `age <= ${to}`].join(' and ');

/** What each customer owes at the end of the days, by age. */
export async function agedReceivables(em: EntityManager, asked: Asked, { by, buckets }: Ages): Promise<AgedRow[]> {
  const open = openInvoices(asked, by);
  const sumOf = (where: string) => `coalesce(sum(amount) filter (where ${where}), 0)::text`;
  const sums = buckets.map((bucket) => `'${bucket.id}', ${sumOf(inBucket(bucket))}`).join(', ');
  return em.execute<AgedRow[]>(
    `select customer, coalesce(name, '') as name, customer_number as number, currency, json_build_object(${sums}) as sums, sum(amount)::text as total,
       ${sumOf('is_disputed')} as disputed, ${sumOf('is_promised')} as promised, ${sumOf('is_on_plan')} as "onPlan"
     from (${open.sql}) open group by 1, 2, 3, 4`,
    [...open.values],
  );
}

/** What is open in a currency, by age. Decimal text. */
export interface OpenByAge {
  currency: string;
  count: number;
  total: string;
  overdue: string;
  /** Sums by the id of the bucket. */
  sums: Record<string, string>;
}

/**
 * What is open of each currency at the end of the days, which are today: the sums of `agedReceivables`. Only entries of invoices that have a
 * balance are read, unless a test clock is ahead: its invoices may have been paid after today. Under row policies, PostgreSQL finds such
 * invoices by no index, so it runs without them; each table is restricted to the account, and customers to those of a limited member.
 */
export async function openByAge(
  em: EntityManager,
  asked: Asked,
  { by, buckets, isClockAhead }: Ages & { isClockAhead: boolean },
): Promise<OpenByAge[]> {
  const ofBalance = condition(
    'e.invoice_id = any(array(select d.id from invoice d where d.account_id = ? and d.deleted_at is null and d.balance > 0))',
    asked.accountId,
  );
  const open = openInvoices(asked, by, isClockAhead ? [] : [ofBalance]);
  const sumOf = (where: string) => `coalesce(sum(amount) filter (where ${where}), 0)::text`;
  const sums = buckets.map((bucket) => `'${bucket.id}', ${sumOf(inBucket(bucket))}`).join(', ');
  const ownerId = currentOwner();
  const own =
    ownerId === null
      ? condition('true')
      : condition(
          'customer in (select id from customer where account_id = ? and owner_id = ?)',
          asked.accountId,
          ownerId,
        );
  const sql = `select currency, count(*)::int as count, sum(amount)::text as total, ${sumOf('age > 0')} as overdue, json_build_object(${sums}) as sums
     from (${open.sql}) open where ${own.sql} group by 1 order by 1`;
  return asSystem(() => em.execute<OpenByAge[]>(sql, [...open.values, ...own.values]), asked.accountId);
}

/** What is open of each currency at the end of the days, and not due yet. */
export async function notYetDue(em: EntityManager, asked: Asked): Promise<{ currency: string; amount: string }[]> {
  const { accountId, days, knownAt, zone } = asked;
  // Others are due before the last day, and were already due then, or do not count before its end.
  const mayNotBeDue = condition(
    `e.invoice_id in (select d.id from invoice d where d.account_id = ? and least(d.date, coalesce(d.issued_at, d.date)) < ?
       and (coalesce(d.due_at, d.date) >= ?::date::timestamp at time zone ? or d.updated_at >= ?))`,
    accountId,
    days.until,
    days.lastDay,
    zone,
    days.until,
  );
  const open = openInvoices(asked, 'due_date', knownAt < asked.now ? [] : [mayNotBeDue]);
  return em.execute(`select currency, sum(amount)::text as amount from (${open.sql}) open where age <= 0 group by 1`, [
    ...open.values,
  ]);
}

export interface OpenItemRow {
  customer: number;
  name: string;
  invoice: number;
  number: string;
  currency: string;
  day: string;
  dueDay: string | null;
  age: number;
  amount: string;
  isDisputed: boolean;
  isPromised: boolean;
  isOnPlan: boolean;
  /** The local day of the next automatic charge, now; null: none is planned. */
  nextAttempt: string | null;
  /** Automatic charges with an outcome, until now. */
  attempts: number;
  /** Why the last one failed; empty: it did not. */
  failure: string;
}

/** What can be told of open invoices besides their age, and its column. */
const ONLY: Readonly<Record<OnlyOpen, string>> = {
  disputed: 'is_disputed',
  promised: 'is_promised',
  on_plan: 'is_on_plan',
  overdue: 'age > 0',
  retrying: `exists (select 1 from invoice i where i.account_id = ? and i.id = open.id and ${RETRYING})`,
};
/** Those of which `aging` has sums. */
export const summedOpen = ['disputed', 'promised', 'on_plan'] as const;
export const onlyOpen = [...summedOpen, 'overdue', 'retrying'] as const;
type OnlyOpen = (typeof onlyOpen)[number];

/** SQL: what will happen to the open invoice `i`, whose active payment plan is `p`, on a local day. `?`: zone and day, before them of a charge now. */
const AHEAD: Readonly<Record<AheadOption, string>> = {
  due_on: 'p.id is null and (i.due_at at time zone ?)::date = ?',
  installment_on: `exists (select 1 from jsonb_array_elements(p.installments) x where (x ->> 'balance')::numeric > 0
    and (to_timestamp((x ->> 'date')::numeric / 1000) at time zone ?)::date = ?)`,
  promised_on: "i.promise = 'promised' and (i.expected_payment_at at time zone ?)::date = ?",
  charge_on: '(greatest(i.next_payment_attempt_at, ?) at time zone ?)::date = ?',
};
/** Options that choose open invoices by a day that lies ahead of them. */
export const aheadOptions = ['due_on', 'installment_on', 'promised_on', 'charge_on'] as const;
type AheadOption = (typeof aheadOptions)[number];

function aheadOf(asked: Asked): Condition[] {
  const { accountId, now, zone, options } = asked;
  return aheadOptions.flatMap((option) => {
    const wanted = options[option];
    if (wanted === undefined) return [];
    const values = [...(option === 'charge_on' ? [now] : []), zone, wanted];
    return [
      condition(
        `exists (select 1 from invoice i
           left join payment_plan p on p.account_id = i.account_id and p.id = i.payment_plan_id and p.status = 'active'
           where i.account_id = ? and i.id = open.id and ${AHEAD[option]})`,
        accountId,
        ...values,
      ),
    ];
  });
}

/** Null: of all ages; whatever is told of them. */
export interface OpenPart {
  by: AgedBy;
  bucket: Bucket | null;
  only: OnlyOpen | null;
}

/** The open invoices at the end of the days, oldest first. */
export function openItems(asked: Asked, { by, bucket, only }: OpenPart): Statement<OpenItemRow> {
  const open = openInvoices(asked, by);
  const ahead = aheadOf(asked);
  const where = [
    bucket === null ? 'true' : inBucket(bucket),
    only === null ? 'true' : ONLY[only],
    ...ahead.map(({ sql }) => sql),
  ];
  return condition(
    `select customer, coalesce(name, '') as name, id as invoice, coalesce(number, '') as number, currency, day::text, due_day::text as "dueDay", age,
       amount::text, is_disputed as "isDisputed", is_promised as "isPromised", is_on_plan as "isOnPlan",
       (next_payment_attempt_at at time zone ?)::date::text as "nextAttempt", attempt_count as attempts, failure
     from (${open.sql}) open where ${where.join(' and ')} order by currency, age desc, id`,
    asked.zone,
    ...open.values,
    ...(only === 'retrying' ? [asked.accountId] : []),
    ...ahead.flatMap(({ values }) => values),
  );
}
