import type { EntityManager } from '../../orm.ts';
import { rangesIn, rangeValues, UNBILLED_IN_RANGE, type UsageRange } from './taking.ts';

interface OfSubscription {
  accountId: number;
  subscriptionId: number;
}

/** Sums of the usage that no bill has taken, in the order of the ranges. Decimal text. */
export async function unbilledSums(
  em: EntityManager,
  { accountId, subscriptionId }: OfSubscription,
  ranges: readonly UsageRange[],
): Promise<string[]> {
  if (ranges.length === 0) return [];
  const rows = await em.execute<{ id: number; sum: string }[]>(
    `select s.id, (select coalesce(sum(quantity), 0)::text from usage_record r where ${UNBILLED_IN_RANGE}) as sum from ${rangesIn}`,
    [accountId, subscriptionId, ...rangeValues(ranges.map((range, totalId) => ({ ...range, totalId })))],
  );
  const sums = new Map(rows.map(({ id, sum }) => [Number(id), sum]));
  return ranges.map((_, index) => sums.get(index) ?? '0');
}

/** Deletes records that this transaction has just written. */
export async function deleteRecords(
  em: EntityManager,
  { accountId, subscriptionId, ids }: OfSubscription & { ids: readonly number[] },
): Promise<void> {
  if (ids.length === 0) return;
  await em.execute('delete from usage_record where account_id = ? and subscription_id = ? and id = any(?::bigint[])', [
    accountId,
    subscriptionId,
    `{${ids.join(',')}}`,
  ]);
}
