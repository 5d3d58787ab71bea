import type { Asked } from '../../../billing/reports/report.ts';
import type { EntityManager } from '../../orm.ts';
import { condition } from '../kernel/sql.ts';
import { limits } from './receivables.ts';

/** The subscriptions of a customer that have something to do. */
export interface AwaitedRow {
  customer: number;
  name: string;
  /** Of one of them. */
  currency: string;
  ids: [number, ...number[]];
}

/**
 * SQL: subscriptions `s` whose next steps can change their revenue: they begin, change, pause, resume or end by themselves. `?`: until.
 */
const IS_SCHEDULED = `(s.pending_change is not null or s.cancel_at_period_end or s.pause_at_period_end or s.resume_at is not null
    or s.status = 'not_started' or s.trial_end_at >= s.period_end_at or s.contract_end_at < ?)`;

/**
 * The subscriptions with a step before the end of the days, by customer. `isScheduled`: only those whose revenue can change. At most `limit` subscriptions.
 */
export async function awaitedSubscriptions(
  em: EntityManager,
  asked: Asked,
  { isScheduled, limit }: { isScheduled: boolean; limit: number },
): Promise<AwaitedRow[]> {
  const { accountId, days } = asked;
  const limited = limits(asked, 'p.currency');
  const scheduled = isScheduled ? condition(`and ${IS_SCHEDULED}`, days.until) : condition('');
  return em.execute<AwaitedRow[]>(
    `select customer, name, min(currency) as currency, array_agg(id order by id) as ids from (
       select c.id as customer, coalesce(c.name, '') as name, p.currency, s.id
       from wakeup w join subscription s on s.account_id = w.account_id and s.id = w.subject_id
       join plan p on p.account_id = s.account_id and p.id = s.plan_id
       join customer c on c.account_id = s.account_id and c.id = s.customer_id
       where w.account_id = ? and w.process = 'subscription' and w.at < ? and ${limited.sql} ${scheduled.sql}
       group by c.id, c.name, p.currency, s.id order by c.id, s.id limit ${limit}
     ) awaited group by customer, name order by customer`,
    [accountId, days.until, ...limited.values, ...scheduled.values],
  );
}

/** A bill that is not issued yet. `isEstimated`: its subscription bills usage. */
export interface UpcomingRow {
  subscription: number;
  date: string;
  currency: string;
  subtotal: string;
  total: string;
  isEstimated: boolean;
}

/** The invoices of a customer's subscriptions with ids above `afterInvoice` whose date is in the days, in order. Call it where they were foreseen. */
export async function upcomingBills(
  em: EntityManager,
  { accountId, days, zone }: Asked,
  { customerId, afterInvoice }: { customerId: number; afterInvoice: number },
): Promise<UpcomingRow[]> {
  return em.execute<UpcomingRow[]>(
    `select s.id as subscription, (i.date at time zone ?)::date::text as date, i.currency, i.subtotal::text, i.total::text, s.has_usage as "isEstimated"
     from invoice i join subscription s on s.account_id = i.account_id and s.id = i.subscription_id
     where i.account_id = ? and i.customer_id = ? and i.id > ? and i.date >= ? and i.date < ? order by i.date, i.id`,
    [zone, accountId, customerId, afterInvoice, days.from, days.until],
  );
}
