import type { EntityManager } from '../../orm.ts';

/** A span of usage that bills have taken, with late usage. */
export interface BilledSpan {
  rateId: number;
  /** Null: the plan of the subscription. */
  addonId: number | null;
  startAt: Date;
  endAt: Date;
  free: boolean;
  /** Number of bills that took usage of it. */
  turns: number;
  /** Decimal text. */
  quantity: string;
  /** Price before discounts. */
  amount: string;
}

/** All spans of a subscription's usage that bills have taken, by component and in order. */
export async function billedSpans(
  em: EntityManager,
  { accountId, subscriptionId }: { accountId: number; subscriptionId: number },
): Promise<BilledSpan[]> {
  const rows = await em.execute<BilledSpan[]>(
    `select t.rate_id as "rateId", r.addon_id as "addonId", t.start_at as "startAt", max(t.end_at) as "endAt",
       bool_or(t.free) as free, count(*)::int as turns, sum(t.quantity)::text as quantity, sum(t.amount)::text as amount
     from usage_rate r join usage_total t on t.account_id = r.account_id and t.rate_id = r.id
     where r.account_id = ? and r.subscription_id = ?
     group by t.rate_id, r.addon_id, t.start_at order by r.addon_id, t.start_at`,
    [accountId, subscriptionId],
  );
  return rows.map((row) => ({ ...row, startAt: new Date(row.startAt), endAt: new Date(row.endAt) }));
}
