import type { EntityManager } from '../../orm.ts';
import { rangesIn, rangeValues, type TakenUsage, UNBILLED_IN_RANGE, type UsageRange } from './taking.ts';

interface OfSubscription {
  accountId: number;
  subscriptionId: number;
}

/** The usage that no bill has taken, in the order of the ranges. */
export async function unbilledUsage(
  em: EntityManager,
  { accountId, subscriptionId }: OfSubscription,
  ranges: readonly UsageRange[],
): Promise<TakenUsage[]> {
  if (ranges.length === 0) return [];
  const rows = await em.execute<({ id: number } & TakenUsage)[]>(
    `select s.id, u.quantity, u.records from ${rangesIn} cross join lateral (
       select coalesce(sum(quantity), 0)::text as quantity, count(*)::int as records from usage_record r where ${UNBILLED_IN_RANGE}) u`,
    [...rangeValues(ranges.map((range, totalId) => ({ ...range, totalId }))), accountId, subscriptionId],
  );
  const usage = new Map(rows.map(({ id, quantity, records }) => [Number(id), { quantity, records }]));
  return ranges.map((_, index) => usage.get(index) ?? { quantity: '0', records: 0 });
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
