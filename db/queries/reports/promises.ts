import { type PromiseOutcome, promiseOutcomes } from '../../../billing/reports/collecting.ts';
import type { Asked } from '../../../billing/reports/report.ts';
import type { Statement } from '../kernel/slices.ts';
import { type Condition, condition } from '../kernel/sql.ts';
import { limits } from './receivables.ts';

/** A promise is made at most this many days ahead of the promised day, zones included. */
const MOST_DAYS_AHEAD = 368;

/**
 * SQL: the promises whose day is in the days, with what became of them as far as it was known. The event of a promise has the day and the
 * balance; the next event of the invoice that changes the day ends it; the last event before that says whether it was kept. A promise
 * that is made again for the same day, such as with another method, is one promise. Voided invoices have none.
 */
function promisesOf(asked: Asked): Condition {
  const { accountId, days, knownAt } = asked;
  const limited = limits(asked, 'i.currency');
  return condition(
    `select c.id as customer, c.name, i.id as invoice, i.number, i.currency, p.day, p.amount, (p.occurred_at at time zone ?)::date as made_on,
       case when state.status in ('kept', 'broken') then state.status when ended.sequence is not null then 'replaced'
         when state.closed then 'broken' else 'open' end as outcome
     from (
       select v.account_id, v.subject_id, v.sequence, v.occurred_at, (v.object ->> 'balance')::numeric as amount,
         (to_timestamp((v.object -> 'expected_payment_date' ->> 'date')::bigint) at time zone i.time_zone)::date as day
       from event v join invoice i on i.account_id = v.account_id and i.id = v.subject_id::int
       where v.account_id = ? and v.type = 'invoice.payment_expected' and v.created_at <= ?
         and v.occurred_at >= ?::timestamptz - interval '${MOST_DAYS_AHEAD} days' and v.occurred_at < ?::timestamptz + interval '1 day'
     ) p
     join invoice i on i.account_id = p.account_id and i.id = p.subject_id::int
     join customer c on c.account_id = i.account_id and c.id = i.customer_id
     left join lateral (
       select n.sequence, (to_timestamp((n.object -> 'expected_payment_date' ->> 'date')::bigint) at time zone i.time_zone)::date as day from event n
       where n.account_id = p.account_id and n.subject_type = 'invoice' and n.subject_id = p.subject_id and n.sequence > p.sequence
         and n.created_at <= ? and n.previous -> 'expected_payment_date' is not null
       order by n.sequence limit 1
     ) ended on true
     cross join lateral (
       select l.object ->> 'expected_payment_status' as status, (l.object ->> 'closed')::boolean as closed from event l
       where l.account_id = p.account_id and l.subject_type = 'invoice' and l.subject_id = p.subject_id and l.sequence >= p.sequence
         and l.sequence < coalesce(ended.sequence, 2147483647) and l.created_at <= ?
       order by l.sequence desc limit 1
     ) state
     where p.day between ?::date and ?::date and ended.day is distinct from p.day
       and i.voided_at is null and i.deleted_at is null and ${limited.sql}`,
    asked.zone,
    accountId,
    knownAt,
    days.from,
    days.until,
    knownAt,
    knownAt,
    days.firstDay,
    days.lastDay,
    ...limited.values,
  );
}

export interface PromisesRow {
  customer: number;
  name: string;
  currency: string;
  /** Numbers and amounts of promises by what became of them. */
  counts: Record<PromiseOutcome, number>;
  amounts: Record<PromiseOutcome, string>;
}

/** The promises of each customer and currency. */
export function promisesByCustomer(asked: Asked): Statement<PromisesRow> {
  const promises = promisesOf(asked);
  const each = (value: string) =>
    `json_build_object(${promiseOutcomes.map((one) => `'${one}', ${value} filter (where outcome = '${one}')${value.startsWith('sum') ? '::text' : ''}`).join(', ')})`;
  return condition(
    `select customer, coalesce(name, '') as name, currency, ${each('count(*)')} as counts, ${each('sum(amount)')} as amounts
     from (${promises.sql}) promise group by customer, name, currency order by currency, promise.name, customer`,
    ...promises.values,
  );
}

export interface PromiseRow {
  customer: number;
  name: string;
  invoice: number;
  number: string;
  currency: string;
  madeOn: string;
  day: string;
  amount: string;
  outcome: PromiseOutcome;
}

/** The promises, each with its invoice. `outcome` null: all. */
export function promisesByInvoice(asked: Asked, outcome: string | null): Statement<PromiseRow> {
  const promises = promisesOf(asked);
  return condition(
    `select customer, coalesce(name, '') as name, invoice, coalesce(number, '') as number, currency, made_on::text as "madeOn", day::text, amount::text, outcome
     from (${promises.sql}) promise where ?::text is null or outcome = ? order by currency, promise.day, invoice, made_on`,
    ...promises.values,
    outcome,
    outcome,
  );
}
