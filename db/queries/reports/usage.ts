import type { Asked } from '../../../billing/reports/report.ts';
import { MOST_AHEAD } from '../../../billing/usage/usage.ts';
import type { Statement } from '../kernel/slices.ts';
import { all, type Condition, condition } from '../kernel/sql.ts';
import { limits } from './receivables.ts';
import { chosen, periodOf } from './sales.ts';

/** SQL: usage is reported at most this long before its time (`MOST_AHEAD`), so the index of times of reports finds it. */
const AHEAD = `interval '${MOST_AHEAD} milliseconds'`;

/** Units of a plan or add-on that a subscription used in a period. Decimal text. */
export interface UsageRow {
  period: string | null;
  customer: number;
  name: string;
  subscription: number;
  plan: string;
  addon: number | null;
  currency: string;
  reported: string;
  billed: string;
  free: string;
  unbilled: string;
  amount: string;
}

/** `none`: without an add-on. */
const ofAddon = (addon: string): Condition =>
  addon === 'none' ? condition('kept.addon_id is null') : condition('kept.addon_id = ?::int', addon);

/**
 * What was used in the days, by subscription and the plan whose price counted then: the later one at the instant of a change. An amount counts on the first day of the span that it bills.
 * A bill that is not written yet has billed nothing.
 */
export function usage(asked: Asked): Statement<UsageRow> {
  const { accountId, days, knownAt, zone, options } = asked;
  const { from, until } = days;
  const limited = limits(asked, 'sold.currency');
  const where = all([
    chosen(options, ['plan']),
    ...(options.subscription === undefined ? [] : [condition('kept.subscription_id = ?::int', options.subscription)]),
    ...(options.addon === undefined ? [] : [ofAddon(options.addon)]),
  ]);
  const billed = 't.id is not null and t.created_at <= ?';
  return condition(
    `with kept as (
       select u.subscription_id, r.component ->> 'planCode' as plan, u.addon_id, u.used_at as at, u.quantity as reported,
         case when ${billed} and not t.free then u.quantity else 0 end as billed, case when ${billed} and t.free then u.quantity else 0 end as free, 0 as amount
       from usage_record u
       join lateral (
         select r.component from usage_rate r where r.account_id = u.account_id and r.subscription_id = u.subscription_id
           and r.addon_id is not distinct from u.addon_id and u.used_at >= r.from_at and (u.used_at <= r.until_at or r.until_at is null)
         order by coalesce(u.used_at < r.until_at, true) desc, r.from_at desc, r.id desc limit 1
       ) r on true
       left join usage_total t on t.account_id = u.account_id and t.id = u.total_id
       where u.account_id = ? and u.used_at >= ? and u.used_at < ? and u.created_at <= ? and u.created_at >= ?::timestamptz - ${AHEAD}
       union all
       select r.subscription_id, r.component ->> 'planCode', r.addon_id, t.start_at, 0, 0, 0, t.amount
       from usage_total t join usage_rate r on r.account_id = t.account_id and r.id = t.rate_id
       where t.account_id = ? and t.start_at >= ? and t.start_at < ? and t.created_at <= ? and not t.free
     )
     select ${options.group === undefined ? 'null::text' : periodOf(asked)} as period, c.id as customer, coalesce(c.name, '') as name, s.id as subscription,
       kept.plan, kept.addon_id as addon, sold.currency, sum(kept.reported)::text as reported, sum(kept.billed)::text as billed, sum(kept.free)::text as free,
       sum(kept.reported - kept.billed - kept.free)::text as unbilled, sum(kept.amount)::text as amount
     from kept join subscription s on s.account_id = ? and s.id = kept.subscription_id
     join plan sold on sold.account_id = s.account_id and sold.id = s.plan_id
     join customer c on c.account_id = s.account_id and c.id = s.customer_id
     where ${limited.sql} and ${where.sql}
     group by 1, 2, 3, 4, 5, 6, 7 having sum(kept.reported) <> 0 or sum(kept.billed) <> 0 or sum(kept.free) <> 0 or sum(kept.amount) <> 0
     order by period, sold.currency, 3, 2, 4, 5, 6`,
    knownAt,
    knownAt,
    accountId,
    from,
    until,
    knownAt,
    from,
    accountId,
    from,
    until,
    knownAt,
    ...(options.group === undefined ? [] : [zone]),
    accountId,
    ...limited.values,
    ...where.values,
  );
}
