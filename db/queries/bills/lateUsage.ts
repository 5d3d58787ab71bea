import type { EntityManager } from '../../orm.ts';

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
