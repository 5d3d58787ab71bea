import type { DeclineKind } from '../../../billing/payments/declines.ts';
import type { RecoveryOutcome } from '../../../billing/reports/collecting.ts';
import type { Asked } from '../../../billing/reports/report.ts';
import type { EntityManager } from '../../orm.ts';
import type { Statement } from '../kernel/slices.ts';
import { type Condition, condition } from '../kernel/sql.ts';
import { limits } from './receivables.ts';

/** How a failed payment came in after all: the same source was charged again, another one was, or it was paid without a charge. */
export const recoveryWays = ['retry', 'other_source', 'otherwise'] as const;
export type RecoveryWay = (typeof recoveryWays)[number];

/**
 * SQL: the invoices whose first failed charge was in the days, with what became of the amount that it asked for: paid since, up to that amount;
 * still owed, while it is collected; and the rest, which is lost. Entries of the ledger say what was paid and is owed as far as it was known;
 * whether it is collected is that of today.
 */
function failuresOf(asked: Asked): Condition {
  const { accountId, days, zone, knownAt } = asked;
  const limited = limits(asked, 'i.currency');
  return condition(
    `select f.*, case when open > 0 then 'open' when recovered >= amount then 'recovered' else 'lost' end as outcome, amount - recovered - open as lost
     from (
       select c.id as customer, c.name, i.id as invoice, i.number, i.currency, (a.ended_at at time zone ?)::date as failed_on, a.failure_code, a.decline_kind, ai.amount,
         least(ai.amount, books.paid) as recovered,
         case when i.voided_at is null and i.deleted_at is null and not i.closed and not (i.autopay and i.autopay_stopped)
           then greatest(0, least(ai.amount - least(ai.amount, books.paid), books.owed)) else 0 end as open,
         case when paying.id is null then 'otherwise' when paying.source_id = a.source_id then 'retry' else 'other_source' end as way,
         (select count(*)::int from attempt_invoice x join attempt t on t.account_id = x.account_id and t.id = x.attempt_id
           where x.account_id = i.account_id and x.invoice_id = i.id and t.state in ('succeeded', 'failed') and t.ended_at <= ?) as attempts,
         round(extract(epoch from books.paid_at - a.ended_at)::numeric / 86400, 2) as days
       from attempt a join attempt_invoice ai on ai.account_id = a.account_id and ai.attempt_id = a.id
       join invoice i on i.account_id = ai.account_id and i.id = ai.invoice_id
       join customer c on c.account_id = i.account_id and c.id = i.customer_id
       cross join lateral (
         select greatest(0, -sum(e.amount) filter (where e.posted_at >= a.ended_at and e.credit_note_id is null and e.reason in ('application', 'unapply', 'take_back'))) as paid,
           max(e.posted_at) filter (where e.posted_at >= a.ended_at and e.credit_note_id is null and e.reason = 'application') as paid_at,
           coalesce(sum(e.amount), 0) as owed
         from ledger_entry e where e.account_id = i.account_id and e.invoice_id = i.id and e.ledger_account = 'receivable' and e.posted_at <= ?
       ) books
       left join lateral (
         select t.id, t.source_id from attempt_invoice x join attempt t on t.account_id = x.account_id and t.id = x.attempt_id
         where x.account_id = i.account_id and x.invoice_id = i.id and t.state = 'succeeded' and t.ended_at >= a.ended_at and t.ended_at <= ?
         order by t.id desc limit 1
       ) paying on true
       where a.account_id = ? and a.kind = 'charge' and a.state = 'failed' and a.ended_at >= ? and a.ended_at < ? and a.ended_at <= ?
         and not exists (select 1 from attempt_invoice x join attempt t on t.account_id = x.account_id and t.id = x.attempt_id
           where x.account_id = i.account_id and x.invoice_id = i.id and t.kind = 'charge' and t.state = 'failed' and (t.ended_at, t.id) < (a.ended_at, a.id))
         and ${limited.sql}
     ) f`,
    zone,
    knownAt,
    knownAt,
    knownAt,
    accountId,
    days.from,
    days.until,
    knownAt,
    ...limited.values,
  );
}

/** What became of the first failures with one code of the gateway. `days` and `charges`: sums over the recovered ones. */
export interface RecoveryRow {
  failureCode: string | null;
  declineKind: DeclineKind | null;
  currency: string;
  counts: Record<RecoveryOutcome, number>;
  tried: string;
  recovered: string;
  ways: Record<RecoveryWay, string>;
  lost: string;
  open: string;
  days: string;
  charges: number;
}

export async function recoveryByCode(em: EntityManager, asked: Asked): Promise<RecoveryRow[]> {
  const failures = failuresOf(asked);
  const count = (outcome: RecoveryOutcome) => `'${outcome}', count(*) filter (where outcome = '${outcome}')`;
  const way = (one: RecoveryWay) => `'${one}', coalesce(sum(recovered) filter (where way = '${one}'), 0)::text`;
  return em.execute<RecoveryRow[]>(
    `select failure_code as "failureCode", decline_kind as "declineKind", currency,
       json_build_object(${count('recovered')}, ${count('lost')}, ${count('open')}) as counts, sum(amount)::text as tried, sum(recovered)::text as recovered,
       json_build_object(${recoveryWays.map(way).join(', ')}) as ways, sum(lost)::text as lost, sum(open)::text as open,
       coalesce(sum(days) filter (where outcome = 'recovered'), 0)::text as days,
       coalesce(sum(attempts) filter (where outcome = 'recovered'), 0)::int as charges
     from (${failures.sql}) failure group by 1, 2, 3`,
    [...failures.values],
  );
}

export interface FailureRow {
  customer: number;
  name: string;
  invoice: number;
  number: string;
  currency: string;
  failedOn: string;
  failureCode: string | null;
  declineKind: DeclineKind | null;
  outcome: RecoveryOutcome;
  amount: string;
  recovered: string;
  way: RecoveryWay;
  lost: string;
  open: string;
  attempts: number;
  days: string | null;
}

/** Null: all of them. `codes`: codes of the gateway, each with the kind of the decline. */
export interface FailurePart {
  outcome: string | null;
  way: string | null;
  codes: readonly Pick<RecoveryRow, 'failureCode' | 'declineKind'>[] | null;
}

/** The invoices whose first failed charge was in the days. */
export function failedInvoices(asked: Asked, { outcome, way, codes }: FailurePart): Statement<FailureRow> {
  const failures = failuresOf(asked);
  const wanted = codes && JSON.stringify(codes.map(({ failureCode, declineKind }) => [failureCode, declineKind]));
  return condition(
    `select customer, coalesce(name, '') as name, invoice, coalesce(number, '') as number, currency, failed_on::text as "failedOn", failure_code as "failureCode",
       decline_kind as "declineKind", outcome, amount::text, recovered::text, way, lost::text, open::text, attempts, days::text
     from (${failures.sql}) failure
     where (?::text is null or outcome = ?) and (?::text is null or way = ? and recovered <> 0) and (?::jsonb is null or ?::jsonb @> jsonb_build_array(jsonb_build_array(failure_code, decline_kind)))
     order by currency, failed_on, invoice`,
    ...failures.values,
    outcome,
    outcome,
    way,
    way,
    wanted,
    wanted,
  );
}
