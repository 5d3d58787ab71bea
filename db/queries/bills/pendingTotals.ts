import type { EntityManager } from '../../orm.ts';

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
