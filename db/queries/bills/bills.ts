import { isRunning, paymentPlanStatuses } from '../../../billing/collection/paymentPlan.ts';
import type { EntityManager } from '../../orm.ts';
import { quoted } from '../../schema/columns.ts';

const runningPlans = quoted(paymentPlanStatuses.filter((status) => isRunning({ status })));

/** Maximum number of invoices read. */
const MOST_CONSOLIDATED = 1000;

/**
 * Ids of a customer's open invoices, oldest first, that have no applied payment, no credit note, no running payment plan, no promised
 * payment, no early-payment discount and no undecided charge.
 */
export async function consolidable(
  em: EntityManager,
  of: { accountId: number; customerId: number; currency: string; until: Date },
): Promise<number[]> {
  const rows = await em.execute<{ id: number }[]>(
    `select id from invoice i where account_id = ? and customer_id = ? and currency = ? and date <= ? and not closed
       and issued_at is not null and balance = total and not pending and promise is distinct from 'promised'
       and not jsonb_path_exists(discounts, '$[*].percent') and not exists (
         select 1 from attempt_invoice a where a.account_id = i.account_id and a.invoice_id = i.id and a.undecided
       ) and not exists (
         select 1 from credit_note n where n.account_id = i.account_id and n.invoice_id = i.id
           and n.issued_at is not null and n.voided_at is null
       ) and not exists (
         select 1 from payment_plan p where p.account_id = i.account_id and p.id = i.payment_plan_id and p.status in (${runningPlans})
       ) order by date, id limit ${MOST_CONSOLIDATED}`,
    [of.accountId, of.customerId, of.currency, of.until],
  );
  return rows.map(({ id }) => id);
}

/** Reschedules a customer's held bills, which wait to be issued, for a new try, and returns their ids. */
export async function wakeHeldBills(
  em: EntityManager,
  { accountId, customerId, at }: { accountId: number; customerId: number; at: Date },
): Promise<number[]> {
  const rows = await em.execute<{ id: number }[]>(
    `with woken as (
       update wakeup w set at = ?, put_at = ? from invoice i
       where i.account_id = ? and i.customer_id = ? and not i.closed and i.issued_at is null
         and w.account_id = i.account_id and w.process = 'invoice' and w.subject_id = i.id returning i.account_id, i.id
     ), told as (
       update problem p set next_try_at = ? from woken
       where p.account_id = woken.account_id and p.subject_type = 'invoice' and p.subject_id = woken.id and p.closed_at is null
     ) select id from woken order by id`,
    [at, at, accountId, customerId, at],
  );
  return rows.map(({ id }) => id);
}

export interface PendingLateUsage {
  /** Ids of the subscriptions, in order. */
  subscriptions: number[];
  /** Decimal text; negative: corrections exceed it. */
  amount: string;
}

/** A customer's pending lines in a currency that bill usage after the end of its subscriptions. `without`: ids of lines that do not count. */
export async function pendingLateUsage(
  em: EntityManager,
  of: { accountId: number; customerId: number; currency: string; without: readonly number[] },
): Promise<PendingLateUsage> {
  const [found] = await em.execute<PendingLateUsage[]>(
    `with late as (
       select l.id, l.amount, r.subscription_id
       from line_item l join usage_total t on t.account_id = l.account_id and t.line_id = l.id
       join usage_rate r on r.account_id = t.account_id and r.id = t.rate_id
       where l.account_id = ? and l.customer_id = ? and l.currency = ? and l.id <> all(?::bigint[])
     )
     select (select coalesce(array_agg(distinct subscription_id order by subscription_id), '{}') from late) as subscriptions,
       (select coalesce(sum(amount), 0)::text from (select distinct on (id) amount from late) line) as amount`,
    [of.accountId, of.customerId, of.currency, `{${of.without.join(',')}}`],
  );
  if (!found) throw new Error('an aggregate without a row');
  return found;
}

export interface PendingTotals {
  /** The oldest first. */
  credits: { id: number; total: string }[];
  /** The largest first. */
  charges: { id: number; total: string }[];
  /** What all pending lines in the currency come to. */
  sum: string;
}

/** Totals of a customer's pending lines in a currency: up to `most` credits and `most` charges, and the sum of all. */
export async function pendingTotals(
  em: EntityManager,
  of: { accountId: number; customerId: number; currency: string; most: number },
): Promise<PendingTotals> {
  const rows = await em.execute<{ id: string | null; total: string; kind: 'credit' | 'charge' | 'sum' }[]>(
    `with pending as (
       select id, net + coalesce((select sum((t.value ->> 'amount')::numeric) from jsonb_array_elements(taxes) t), 0) as total
       from line_item where account_id = ? and customer_id = ? and currency = ?
     )
     (select id::text, total::text, 'credit' as kind from pending where total < 0 order by pending.id limit ?)
     union all (select id::text, total::text, 'charge' from pending where total >= 0 order by pending.total desc, pending.id limit ?)
     union all select null, coalesce(sum(total), 0)::text, 'sum' from pending`,
    [of.accountId, of.customerId, of.currency, of.most, of.most],
  );
  const ofKind = (kind: 'credit' | 'charge') =>
    rows.filter((row) => row.kind === kind).map(({ id, total }) => ({ id: Number(id), total }));
  const sum = rows.find(({ kind }) => kind === 'sum')?.total ?? '0';
  return { credits: ofKind('credit'), charges: ofKind('charge'), sum };
}

/** Money at risk while a subscription's step is refused: its next bill with the pending lines that would be on it. */
export async function unbilledOf(
  em: EntityManager,
  { accountId, id }: { accountId: number; id: number },
): Promise<{ moneyAtRisk: string; currency: string } | null> {
  const [row] = await em.execute<{ moneyAtRisk: string; currency: string }[]>(
    `select p.currency, least(99999999999999, greatest(0, s.recurring_total + coalesce((
         select sum(l.net + (select coalesce(sum((t.value ->> 'amount')::numeric), 0) from jsonb_array_elements(l.taxes) t))
         from line_item l where l.account_id = s.account_id and l.customer_id = s.customer_id and l.currency = p.currency), 0)))::text
       as "moneyAtRisk"
     from subscription s join plan p on p.account_id = s.account_id and p.id = s.plan_id where s.account_id = ? and s.id = ?`,
    [accountId, id],
  );
  return row ?? null;
}

/** Currencies of the pending lines of a customer, sorted. */
export async function currenciesOfPending(
  em: EntityManager,
  { accountId, customerId }: { accountId: number; customerId: number },
): Promise<string[]> {
  const rows = await em.execute<{ currency: string }[]>(
    'select distinct currency from line_item where account_id = ? and customer_id = ? order by currency',
    [accountId, customerId],
  );
  return rows.map(({ currency }) => currency);
}
