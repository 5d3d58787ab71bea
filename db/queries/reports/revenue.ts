import type { Asked } from '../../../billing/reports/report.ts';
import type { EntityManager } from '../../orm.ts';
import { writeMovements } from '../../schema/mrrMovement.ts';
import type { Statement } from '../kernel/slices.ts';
import { type Condition, condition, type Sql } from '../kernel/sql.ts';
import { limits, MERGED, remaining } from './receivables.ts';

/** Kinds of movements of a customer's revenue in a currency, net of a local day. `new`: it earned nothing before, at any time. */
export const kinds = ['new', 'reactivation', 'expansion', 'contraction', 'churn'] as const;
export type Kind = (typeof kinds)[number];

/**
 * SQL: the movements of each customer, currency and local day until the end of the days, with their kind, and revenue after it. `afterEvent`:
 * the movements of later events are `ahead`, apart from the others of their day; they count whenever they are known.
 */
function movementsOf(asked: Asked, afterEvent: number | null = null): Condition {
  const { accountId, days, zone, knownAt } = asked;
  const limited = limits(asked, 'm.currency');
  return condition(
    `with recursive ${MERGED}, net as (
       select c.id as customer, m.currency, (m.occurred_at at time zone ?)::date as day,
         coalesce(m.event_id > ?::bigint, false) as ahead, sum(m.amount) as amount
       from mrr_movement m join subscription s on s.account_id = m.account_id and s.id = m.subscription_id
       ${remaining('s.customer_id')}
       where m.account_id = ? and (m.created_at <= ? or ?::bigint is not null) and m.occurred_at < ? and ${limited.sql}
       group by 1, 2, 3, 4 having sum(m.amount) <> 0
     ), run as (
       select *, sum(amount) over (partition by customer, currency order by day, ahead) as after from net
     ), moved as (
       select customer, currency, day, ahead, amount, after,
         case when after <= 0 then 'churn' when after - amount > 0 then case when amount > 0 then 'expansion' else 'contraction' end
           when coalesce(max(after) over (partition by customer, currency order by day, ahead rows between unbounded preceding and 1 preceding), 0) > 0
             then 'reactivation' else 'new' end as kind
       from run
     )`,
    accountId,
    accountId,
    zone,
    afterEvent,
    accountId,
    accountId,
    knownAt,
    afterEvent,
    days.until,
    ...limited.values,
  );
}

export interface PeriodRow {
  currency: string;
  /** First day of the day or month; null: before the days. */
  period: string | null;
  /** Amounts and numbers of customers by kind; before the days: all in `total`. */
  amounts: Record<Kind, string>;
  heads: Record<Kind, number>;
  total: string;
  /** Customers with revenue before the days. */
  holders: number;
  /** What churned of customers with revenue at the start of the period: each at most what it had then. */
  lost: { amount: string; heads: number };
}

/** What moved revenue in each day or month of the days, and what there was before them. */
export async function revenueByPeriod(em: EntityManager, asked: Asked, unit: 'day' | 'month'): Promise<PeriodRow[]> {
  const moved = movementsOf(asked);
  const { firstDay } = asked.days;
  const each = (value: (kind: Kind) => string) =>
    `json_build_object(${kinds.map((kind) => `'${kind}', ${value(kind)}`).join(', ')})`;
  return em.execute<PeriodRow[]>(
    `${moved.sql}, placed as (
       select *, first_value(after - amount) over (partition by customer, currency, period order by day) as held
       from (select *, case when day >= ?::date then date_trunc('${unit}', day::timestamp)::date::text end as period from moved) p
     ), lost as (
       select currency, period, sum(least(churned, held)) as amount, count(*)::int as heads from (
         select currency, period, held, -sum(amount) as churned from placed where kind = 'churn' and held > 0 group by 1, 2, 3, customer
       ) l group by 1, 2
     )
     select p.currency, p.period,
       ${each((kind) => `coalesce(sum(p.amount) filter (where kind = '${kind}'), 0)::text`)} as amounts,
       ${each((kind) => `count(*) filter (where kind = '${kind}')::int`)} as heads,
       sum(p.amount)::text as total,
       (count(*) filter (where kind in ('new', 'reactivation')) - count(*) filter (where kind = 'churn'))::int as holders,
       json_build_object('amount', coalesce(min(l.amount), 0)::text, 'heads', coalesce(min(l.heads), 0)) as lost
     from placed p left join lost l on l.currency = p.currency and l.period = p.period group by 1, 2 order by 1, 2`,
    [...moved.values, firstDay],
  );
}

export interface ScheduledRow {
  date: string;
  currency: string;
  kind: Kind;
  amount: string;
}

/** The movements of events after one, in the days. Call it where the steps that write them were foreseen. */
export async function scheduledMovements(em: EntityManager, asked: Asked, afterEvent: number): Promise<ScheduledRow[]> {
  const moved = movementsOf(asked, afterEvent);
  return em.execute<ScheduledRow[]>(
    `${moved.sql} select day::text as date, currency, kind, amount::text from moved where ahead and day >= ?::date order by currency, day`,
    [...moved.values, asked.days.firstDay],
  );
}

export interface MovementRow {
  customer: number;
  name: string;
  date: string;
  currency: string;
  kind: Kind;
  amount: string;
}

/** `kind`, `cohort` (a day of its month) null: all. `isEarning`: only customers with revenue at the end of the days. */
interface MovementPart {
  kind: string | null;
  cohort: string | null;
  isEarning: boolean;
}

/** The movements of the days, each net for a customer and day. */
export function mrrMovements(asked: Asked, { kind, cohort, isEarning }: MovementPart): Statement<MovementRow> {
  const moved = movementsOf(asked);
  const earning = isEarning
    ? 'and (moved.customer, moved.currency) in (select customer, currency from moved group by 1, 2 having sum(amount) > 0)'
    : '';
  return condition(
    `${moved.sql}
     select moved.customer, coalesce(c.name, '') as name, moved.day::text as date, moved.currency, moved.kind, moved.amount::text
     from moved join customer c on c.account_id = ? and c.id = moved.customer
     where moved.day >= ?::date and (?::text is null or moved.kind = ?) and (?::date is null or exists (
       select 1 from moved first where first.customer = moved.customer and first.currency = moved.currency and first.kind = 'new'
         and date_trunc('month', first.day::timestamp) = date_trunc('month', ?::date::timestamp))) ${earning}
     order by moved.currency, moved.day, moved.customer`,
    ...moved.values,
    asked.accountId,
    asked.days.firstDay,
    kind,
    kind,
    cohort,
    cohort,
  );
}

export interface CohortRow {
  currency: string;
  /** First day of the month in which its customers earned their first revenue. */
  cohort: string;
  /** First day of the month that is shown. */
  month: string;
  customers: number;
  amount: string;
}

/** What is left of each cohort at the end of each month of the days: customers with revenue, and their revenue. */
export async function cohorts(em: EntityManager, asked: Asked): Promise<CohortRow[]> {
  const moved = movementsOf(asked);
  const { firstDay, lastDay } = asked.days;
  return em.execute<CohortRow[]>(
    `${moved.sql}, change as (
       select currency, date_trunc('month', min(day::timestamp) filter (where kind = 'new') over (partition by customer, currency)) as cohort,
         greatest(date_trunc('month', day::timestamp), date_trunc('month', ?::date::timestamp)) as month,
         (after > 0)::int - (after - amount > 0)::int as heads, greatest(after, 0) - greatest(after - amount, 0) as amount
       from moved
     ), changed as (
       select currency, cohort, month, sum(heads) as heads, sum(amount) as amount from change where cohort is not null group by 1, 2, 3
     ), month as (
       select month from generate_series(date_trunc('month', ?::date::timestamp), ?::date::timestamp, interval '1 month') month
     )
     select currency, cohort::date::text, month::date::text, customers::int, amount::text from (
       select f.currency, f.cohort, month.month, sum(coalesce(c.heads, 0)) over up_to as customers, sum(coalesce(c.amount, 0)) over up_to as amount
       from (select distinct currency, cohort from changed) f join month on month.month >= f.cohort
       left join changed c on c.currency = f.currency and c.cohort = f.cohort and c.month = month.month
       window up_to as (partition by f.currency, f.cohort order by month.month)
     ) at where customers > 0 order by 1, 2, 3`,
    [...moved.values, firstDay, firstDay, lastDay],
  );
}

/**
 * Derives the movements of revenue of subscriptions from before movements were written, from their events. At most `limit` subscriptions;
 * returns how many it took. A second run writes nothing: the database refuses a second movement of an event.
 */
export async function deriveMovements(sql: Sql, limit: number): Promise<number> {
  const rows = await sql.query(
    `with taken as (
       update subscription set mrr_derived = true where (account_id, id) in (
         select account_id, id from subscription where mrr_derived is null limit $1 for update skip locked)
       returning account_id, id
     ), past as (
       select e.* from taken t join event e on e.account_id = t.account_id and e.subject_type = 'subscription' and e.subject_id = t.id::text
     ), written as (${writeMovements('past')} on conflict (account_id, event_id) do nothing)
     select 1 from taken`,
    [limit],
  );
  return rows.length;
}
