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
    name: 'the movements of a subscription add up to its revenue, as its events say, now and at random times',
    sql: `select ${compare("'subscription ' || id || ' before ' || until", 'moved', 'earns')} from (
            select s.account_id, s.id, past.until, ${revenueAfter('e')} as earns,
              coalesce((select sum(m.amount) from mrr_movement m where m.account_id = s.account_id and m.subscription_id = s.id
                and m.occurred_at < past.until), 0) as moved
            from subscription s join ${PAST} past using (account_id)
            cross join lateral (
              select v.object from event v where v.account_id = s.account_id and v.subject_type = 'subscription' and v.subject_id = s.id::text
                and v.occurred_at < past.until order by v.sequence desc limit 1) e
            where s.mrr_derived) x where earns <> moved`,
  },
];
