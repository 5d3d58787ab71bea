import type { EntityManager } from '../../orm.ts';
import { numberArray } from '../kernel/sql.ts';
import { MOST_MARKED } from './taking.ts';

/** What an invoice has billed of a subscription's usage. */
export interface BilledBy {
  subscriptionId: number;
  /** The customer of the subscription. */
  customerId: number;
  totalIds: number[];
  /** Number of usage records. */
  records: number;
  /** Start of the earliest of it. */
  startAt: Date;
}

/**
 * Usage that an invoice has billed, by its own lines, by pending lines that it took, or by lines of invoices that were consolidated into it;
 * by subscription, in order.
 */
export async function usageBilledBy(
  em: EntityManager,
  { accountId, invoiceId }: { accountId: number; invoiceId: number },
): Promise<BilledBy[]> {
  const rows = await em.execute<(Omit<BilledBy, 'startAt'> & { startAt: string })[]>(
    `with recursive part as (
       select id from invoice where account_id = ? and id = ?
       union all
       select i.id from part join invoice i on i.account_id = ? and i.consolidated_into_id = part.id
     ), total as (
       select t.id, t.rate_id, t.start_at, t.records from part join usage_total t on t.account_id = ? and t.invoice_id = part.id
       union
       select t.id, t.rate_id, t.start_at, t.records from part join line_item l on l.account_id = ? and l.invoice_id = part.id
         join usage_total t on t.account_id = l.account_id and t.line_id = l.id
     )
     select s.id as "subscriptionId", s.customer_id as "customerId", array_agg(total.id)::text[] as "totalIds",
       sum(total.records)::int as records, min(total.start_at) as "startAt"
     from total join usage_rate r on r.account_id = ? and r.id = total.rate_id
     join subscription s on s.account_id = r.account_id and s.id = r.subscription_id
     group by s.id, s.customer_id order by s.id`,
    [accountId, invoiceId, accountId, accountId, accountId, accountId],
  );
  return rows.map(({ totalIds, startAt, ...row }) => ({
    ...row,
    totalIds: totalIds.map(Number),
    startAt: new Date(startAt),
  }));
}

/** SQL: records from a time on that totals have. */
const billedOf = (table: '' | 'usage_record.') =>
  `account_id = ? and subscription_id = ? and ${table}used_at >= ? and total_id = any(?::bigint[])`;

/**
 * Makes usage of a locked subscription unbilled again. Its totals stay, with nothing billed, so that later bills of their spans find the
 * bill that took them first.
 */
export async function freeUsage(
  em: EntityManager,
  accountId: number,
  { subscriptionId, totalIds, records, startAt }: BilledBy,
): Promise<void> {
  let from = startAt;
  for (let left = records; left > 0; ) {
    // The last of the part bounds the update, which reads one range of an index. A join by id could be planned as a scan for each record.
    const values = [accountId, subscriptionId, from, numberArray(totalIds)];
    const [freed] = await em.execute<{ count: number; lastAt: string | null }[]>(
      `with last as materialized (
         select used_at, id from usage_record where ${billedOf('')} order by used_at, id offset ? limit 1
       ), freed as (
         update usage_record set total_id = null from last
         where ${billedOf('usage_record.')} and (usage_record.used_at, usage_record.id) <= (last.used_at, last.id) returning usage_record.used_at
       )
       select count(*)::int as count, max(used_at) as "lastAt" from freed`,
      [...values, Math.min(left, MOST_MARKED) - 1, ...values],
    );
    if (!freed?.lastAt) throw new Error(`subscription ${subscriptionId} has fewer usage records than its totals`);
    from = new Date(freed.lastAt);
    left -= freed.count;
  }
  await em.execute(
    `update usage_total set quantity = 0, records = 0, amount = 0, billed = null,
       terms = case when turn = 0 and not free then coalesce(terms,
         jsonb_build_object('took', quantity::text, 'lineTaxes', '[]'::jsonb, 'unwritten', null)) else terms end
     where account_id = ? and id = any(?::bigint[])`,
    [accountId, numberArray(totalIds)],
  );
}
