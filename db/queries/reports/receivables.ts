import type { AgedBy, Bucket } from '../../../billing/reports/aging.ts';
import type { Asked } from '../../../billing/reports/report.ts';
import type { EntityManager } from '../../orm.ts';
import type { Statement } from '../kernel/slices.ts';
import { all, type Condition, condition } from '../kernel/sql.ts';

/**
 * SQL: when an entry `e` counts; `i`: its invoice. Late fees, write-offs and lost discounts count when they were posted, because they
 * happened on that day. An application counts once both its money and its invoice are there; money that went back, on the day on which it did.
 * Whatever was voided never was: its entries count on one day, and add up to nothing.
 */
export const EFFECTIVE = `case
    when e.reason in ('late_fee', 'write_off', 'reopen', 'early_discount')
      then case when i.voided_at is null and i.deleted_at is null then e.posted_at else e.document_at end
    when e.reason = 'take_back' then greatest(least(e.document_at, e.posted_at), i.date)
    when e.reason in ('application', 'unapply') and e.invoice_id is not null
      then greatest(least(e.document_at, e.posted_at), least(i.date, coalesce(i.issued_at, i.date)))
    when e.reason in ('adjustment', 'application', 'unapply') then e.document_at
    else least(e.document_at, e.posted_at) end`;

/** SQL: an entry `e` with its invoice `i` and payment `p`. */
export const ENTRY = `ledger_entry e
    left join invoice i on i.account_id = e.account_id and i.id = e.invoice_id
    left join payment p on p.account_id = e.account_id and p.id = e.payment_id`;

/** SQL: ledger accounts with money and credit that belong to customers. */
export const OWN_MONEY = `array['unapplied', 'customer_credits', 'customer_credits:notes', 'customer_credits:deposits']`;

/** SQL: the customer of an entry. Credit of a merged customer belongs to the one that it was merged into. */
export const CUSTOMER = `case e.ledger_account when 'receivable' then i.customer_id when 'unapplied' then p.customer_id else e.customer_id end`;

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

/** Money of a customer that is not applied, and its credit. Decimal text. */
export interface OwnMoneyRow {
  customer: number;
  name: string;
  number: string;
  currency: string;
  unapplied: string;
  credits: string;
}

/** SQL: owner of the customer `c` at the end of the days, from what later events say that it was before. `?`: until, known. */
const OWNER_THEN = `coalesce((
    select coalesce(v.previous ->> 'owner', '0')::int from event v
    where v.account_id = c.account_id and v.subject_type = 'customer' and v.subject_id = c.id::text
      and (v.occurred_at >= ? or v.created_at > ?) and v.previous -> 'owner' is not null
    order by v.sequence limit 1), c.owner_id)`;

/** Conditions on customers `c` and the currency of what is reported. The owner is that of the end of the days. */
export function limits({ currency, customer, owner, days, knownAt }: Asked, currencyColumn: string): Condition {
  return all([
    ...(currency === null ? [] : [condition(`${currencyColumn} = ?`, currency)]),
    ...(customer === null ? [] : [condition('c.id = ?', customer)]),
    ...(owner === null ? [] : [condition(`${OWNER_THEN} = ?`, days.until, knownAt, owner)]),
  ]);
}

/** Conditions on entries `e`: account, known, before the end of the days, currency. */
export function known({ accountId, knownAt, days, currency }: Asked, ...more: Condition[]): Condition {
  return all([
    condition('e.account_id = ? and e.posted_at <= ?', accountId, knownAt),
    condition(`${EFFECTIVE} < ?`, days.until),
    ...(currency === null ? [] : [condition('e.currency = ?', currency)]),
    ...more,
  ]);
}

export interface Ages {
  by: AgedBy;
  buckets: readonly Bucket[];
}

/** SQL: a field of the invoice `i` at the end of the days, from what later events say that it was before. `?`: until, known. */
const invoiceField = (name: string, current: string): string => `coalesce((
    select v.previous ->> '${name}' is not null from event v
    where v.account_id = i.account_id and v.subject_type = 'invoice' and v.subject_id = i.id::text
      and (v.occurred_at >= ? or v.created_at > ?) and v.previous -> '${name}' is not null
    order by v.sequence limit 1), ${current})`;

/** SQL: whether the invoice `i` was on a payment plan then. `?`: until, known, until. */
const ON_PLAN = `exists (
    select 1 from payment_plan pp where pp.account_id = i.account_id and pp.invoice_id = i.id and pp.created_at < ? and 'active' = coalesce((
      select v.previous ->> 'status' from event v
      where v.account_id = pp.account_id and v.subject_type = 'payment_plan' and v.subject_id = pp.id::text
        and (v.occurred_at >= ? or v.created_at > ?) and v.previous -> 'status' is not null
      order by v.sequence limit 1), pp.status))`;

/** SQL: whether a payment of the invoice `i` was disputed then. `?`: until, until. */
const DISPUTED = `exists (
    select 1 from payment_application a join payment m on m.account_id = a.account_id and m.id = a.payment_id
    join dispute d on d.account_id = m.account_id and d.charge_id = m.charge_id
    where a.account_id = i.account_id and a.invoice_id = i.id and d.created_at < ? and (d.status = 'open' or d.updated_at >= ?))`;

/** SQL: the open invoices at the end of the days, with customer, amount and age. Invoices without a due date are due at their date. */
function openInvoices(asked: Asked, by: AgedBy): Condition {
  const { accountId, days, zone, knownAt } = asked;
  const { until, lastDay } = days;
  const where = known(asked, condition("e.ledger_account = 'receivable'"));
  const from = by === 'due_date' ? 'coalesce(i.due_at, i.date)' : 'i.date';
  const limited = limits(asked, 'o.currency');
  const asOf = { disputed: [until, until], promised: [until, knownAt], onPlan: [until, until, knownAt] };
  return condition(
    `select c.id as customer, c.name, c.number as customer_number, o.currency, o.amount, i.id, i.number,
       (i.date at time zone ?)::date as day, (i.due_at at time zone ?)::date as due_day,
       ?::date - (${from} at time zone ?)::date as age,
       ${DISPUTED} as is_disputed, ${invoiceField('expected_payment_date', 'i.promise is not null')} as is_promised, ${ON_PLAN} as is_on_plan
     from (
       select e.invoice_id, e.currency, sum(e.amount) as amount from ${ENTRY} where ${where.sql} group by 1, 2 having sum(e.amount) <> 0
     ) o
     join invoice i on i.account_id = ? and i.id = o.invoice_id
     join customer c on c.account_id = i.account_id and c.id = i.customer_id
     where ${limited.sql}`,
    zone,
    zone,
    lastDay,
    zone,
    ...asOf.disputed,
    ...asOf.promised,
    ...asOf.onPlan,
    ...where.values,
    accountId,
    ...limited.values,
  );
}

/** SQL: each customer with the one into which it was merged at last. `?`: account, account. */
export const ROOTS = `root (id, final) as (
    select id, id from customer where account_id = ? and merged_into_id is null
    union all select k.id, r.final from root r join customer k on k.account_id = ? and k.merged_into_id = r.id)`;

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

/** What is open of each currency at the end of the days, and not due yet. */
export async function notYetDue(em: EntityManager, asked: Asked): Promise<{ currency: string; amount: string }[]> {
  const open = openInvoices(asked, 'due_date');
  return em.execute(`select currency, sum(amount)::text as amount from (${open.sql}) open where age <= 0 group by 1`, [
    ...open.values,
  ]);
}

/** Each customer's own money that is applied to nothing at the end of the days: of payments, and credit. */
export async function ownMoney(em: EntityManager, asked: Asked): Promise<OwnMoneyRow[]> {
  const { accountId } = asked;
  const where = known(asked, condition(`e.ledger_account = any(${OWN_MONEY})`));
  const limited = limits(asked, 'm.currency');
  const of = (condition: string) => `coalesce(-sum(m.amount) filter (where ${condition}), 0)::text`;
  return em.execute<OwnMoneyRow[]>(
    `with recursive ${ROOTS}
     select c.id as customer, coalesce(c.name, '') as name, c.number, m.currency, ${of("m.ledger_account = 'unapplied'")} as unapplied,
       ${of("m.ledger_account <> 'unapplied'")} as credits
     from (
       select ${CUSTOMER} as customer_id, e.ledger_account, e.currency, sum(e.amount) as amount from ${ENTRY}
       where ${where.sql} group by 1, 2, 3 having sum(e.amount) <> 0
     ) m join root r on r.id = m.customer_id join customer c on c.account_id = ? and c.id = r.final
     where ${limited.sql} group by c.id, c.name, c.number, m.currency`,
    [accountId, accountId, ...where.values, accountId, ...limited.values],
  );
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
}

/** The open invoices at the end of the days, oldest first. `bucket` null: of all ages. */
export function openItems(asked: Asked, { by, bucket }: { by: AgedBy; bucket: Bucket | null }): Statement<OpenItemRow> {
  const open = openInvoices(asked, by);
  return condition(
    `select customer, coalesce(name, '') as name, id as invoice, coalesce(number, '') as number, currency, day::text, due_day::text as "dueDay", age,
       amount::text, is_disputed as "isDisputed", is_promised as "isPromised", is_on_plan as "isOnPlan"
     from (${open.sql}) open where ${bucket === null ? 'true' : inBucket(bucket)} order by currency, age desc, id`,
    ...open.values,
  );
}

/** Id of the last event that was known; null: there is none. */
export async function lastEvent(em: EntityManager, { accountId, knownAt }: Asked): Promise<number | null> {
  const [row] = await em.execute<{ id: number | null }[]>(
    'select max(id) as id from (select id from event where account_id = ? and created_at <= ? order by id desc limit 1) known',
    [accountId, knownAt],
  );
  return row?.id ?? null;
}
