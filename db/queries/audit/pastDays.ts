import { revenueAfter } from '../../schema/mrrMovement.ts';
import { EFFECTIVE, ENTRY } from '../reports/receivables.ts';
import { type Check, compare } from './check.ts';

/** Random times at which the reports of an account are compared with the ledger, besides that of its last event. */
const RANDOM_TIMES = 3;

/** SQL: the time of the last event of each account, and random times since 90 days before it was opened, which are others after each event. */
const PAST = `(
    select a.id as account_id, v.created_at - (v.created_at - a.created_at + interval '90 days') * case n when 0 then 0
      else (hashtextextended(concat_ws(' ', a.id, n, v.id), 0) & 1048575) / 1048576.0 end as until
    from account a cross join lateral (select id, created_at from event where account_id = a.id order by id desc limit 1) v,
      generate_series(0, ${RANDOM_TIMES}) n)`;

/** SQL: the report whose sum a ledger account is; null: none. */
const REPORT = `case when e.ledger_account = 'receivable' then 'aging' when e.ledger_account = 'unapplied' then 'unapplied'
    when e.ledger_account like 'customer\\_credits%' then 'credits' end`;

/** SQL: the amount of an entry in that report, which leaves out entries without invoice, payment or customer. */
const REPORTED = `case when case e.ledger_account when 'receivable' then i.id when 'unapplied' then p.id else e.customer_id end is null then 0
    else e.amount end`;

/** SQL: whether the customer of an entry is still there. Those of a deleted test clock are not, nor are their documents. */
const OF_KNOWN = `(e.customer_id is null or exists (
    select 1 from customer c where c.account_id = e.account_id and c.id = e.customer_id))`;

/** Checks of the reports of past days. */
export const pastDayChecks: Check[] = [
  {
    name: 'all entries of a posting count on the same day, so that the books add up to zero on every day',
    sql: `select ${compare("'posting ' || posting", 'first', 'last')} from (
            select e.account_id, e.posting, min(${EFFECTIVE}) as first, max(${EFFECTIVE}) as last,
              count(distinct coalesce(e.open_from, 'infinity')) as months from ${ENTRY} group by 1, 2) x
          where first <> last or months > 1`,
  },
  {
    name: 'aging, unapplied and credits are the balances of the ledger, now and at random times',
    sql: `select ${compare("report || ' in ' || currency || ' before ' || until", 'reported', 'booked')} from (
            select account_id, report, currency, until, sum(reported) as reported, sum(amount) as booked from (
              select e.account_id, ${REPORT} as report, e.currency, ${EFFECTIVE} as at, sum(${REPORTED}) as reported, sum(e.amount) as amount
              from ${ENTRY} where ${REPORT} is not null and ${OF_KNOWN} group by 1, 2, 3, 4) e join ${PAST} past using (account_id)
            where at < until group by 1, 2, 3, 4) x where reported <> booked`,
    isOfLedger: true,
  },
  {
    name: 'after each event of a subscription, its movements so far add up to the revenue that the event says',
    sql: `select ${compare("'subscription ' || id || ' after event ' || event", 'moved', 'earns')} from (
            select e.account_id, s.id, e.id as event, ${revenueAfter('e')} as earns,
              coalesce(sum(m.amount) over (partition by e.account_id, s.id order by e.sequence), 0) as moved
            from event e join subscription s on s.account_id = e.account_id and s.id::text = e.subject_id
            left join mrr_movement m on m.account_id = e.account_id and m.event_id = e.id and m.subscription_id = s.id
            where e.subject_type = 'subscription' and s.mrr_derived) x where earns <> moved`,
  },
  {
    name: 'each movement of revenue has its event, with the same times and currency',
    sql: `select ${compare("'movement ' || id", 'amount', 'null')} from mrr_movement m where not exists (
            select 1 from event e where e.account_id = m.account_id and e.id = m.event_id and e.subject_type = 'subscription'
              and e.subject_id = m.subscription_id::text and e.occurred_at = m.occurred_at and e.created_at = m.created_at
              and coalesce(e.object -> 'plan' ->> 'currency', m.currency) = m.currency)`,
  },
];
