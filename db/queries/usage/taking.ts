import { add } from '../../../billing/money/money.ts';
import type { EntityManager } from '../../orm.ts';
import { addonKey, UNBILLED } from '../../schema/usage.ts';

/** Usage of a component in a span of time. Epoch milliseconds. */
export interface UsageRange {
  /** Null: the plan of the subscription. */
  addonId: number | null;
  startAt: number;
  /** Null: all later usage. */
  endAt: number | null;
}

/** A range of usage for a usage total that is to be written. */
export interface RangeToTake extends UsageRange {
  totalId: number;
}

export interface TakenUsage {
  /** Decimal text. */
  quantity: string;
  records: number;
}

/** SQL: the condition that usage record `r` belongs to the subscription and to range `s`, and no bill has taken it. */
const UNBILLED_IN_RANGE = `r.account_id = ? and r.subscription_id = ? and r.${UNBILLED}
  and ${addonKey('r')} = s.addon_id and r.used_at >= s.start_at and r.used_at < s.end_at`;

/** SQL: ranges as rows `s`; their values are those of `rangeValues`. */
const rangesIn = `unnest(?::bigint[], ?::int[], ?::timestamptz[], ?::timestamptz[]) as s (id, addon_id, start_at, end_at)`;

/**
 * SQL: the unbilled record at this position of a range, as row `u` beside range `s`. By the order of the index, nothing but the records before
 * it is read, even while PostgreSQL has no statistics of the table, or old ones.
 */
const recordAt = (offset: string) => `lateral (select r.used_at, r.id from usage_record r where ${UNBILLED_IN_RANGE}
  order by r.used_at, r.id offset ${offset} limit 1) u`;

/** Maximum number of records that one statement marks. More could take longer than a statement may. */
export const MOST_MARKED = 25_000;

/**
 * Marks the unbilled usage of a locked subscription as taken by the totals. Returns the usage by id of the total; a total without usage is
 * absent. Each record is marked once: the statement locks it and sees whether another has marked it.
 */
export async function markUsage(
  em: EntityManager,
  key: { accountId: number; subscriptionId: number },
  ranges: readonly RangeToTake[],
): Promise<Map<number, TakenUsage>> {
  const taken = new Map<number, TakenUsage>();
  for (let left = ranges; left.length > 0; ) {
    const most = mostOfEach(left);
    const marked = await markSomeUsage(em, key, left);
    left = left.flatMap((range) => {
      const part = marked.get(range.totalId);
      if (!part) return [];
      const before = taken.get(range.totalId);
      const quantity = add(before?.quantity ?? '0', part.quantity);
      taken.set(range.totalId, { quantity, records: (before?.records ?? 0) + part.records });
      // Earlier usage that is reported meanwhile is late usage: the marked records are not read again.
      return part.records === most ? [{ ...range, startAt: part.lastAt.getTime() }] : [];
    });
  }
  return taken;
}

/** Usage that a statement has taken of a range. */
export interface TakenPart extends TakenUsage {
  /** When the last of it was used. */
  lastAt: Date;
}

/** Marks the first unbilled usage of the ranges in the same way: at most `MOST_MARKED` records, shared equally. */
export async function markSomeUsage(
  em: EntityManager,
  { accountId, subscriptionId }: { accountId: number; subscriptionId: number },
  ranges: readonly RangeToTake[],
): Promise<Map<number, TakenPart>> {
  const rows = await em.execute<({ id: number } & TakenPart)[]>(
    `with part as materialized (
       select s.*, coalesce(u.used_at, 'infinity') as last_at, coalesce(u.id, ${Number.MAX_SAFE_INTEGER}) as last_id
       from ${rangesIn} left join ${recordAt('?')} on true
     ), taken as (
       update usage_record r set total_id = s.id from part s
       where ${UNBILLED_IN_RANGE} and (r.used_at, r.id) <= (s.last_at, s.last_id) returning s.id, r.quantity, r.used_at
     )
     select id, sum(quantity)::text as quantity, count(*)::int as records, max(used_at) as "lastAt" from taken group by id`,
    [...rangeValues(ranges), accountId, subscriptionId, mostOfEach(ranges) - 1, accountId, subscriptionId],
  );
  return new Map(
    rows.map(({ id, quantity, records, lastAt }) => [Number(id), { quantity, records, lastAt: new Date(lastAt) }]),
  );
}

/** Maximum number of records that one statement marks in each range. */
function mostOfEach(ranges: readonly RangeToTake[]): number {
  return Math.ceil(MOST_MARKED / ranges.length);
}

/** Whether a plan or add-on (null: the plan) has more unbilled records than its share of those that one statement marks. */
export async function hasMuchUsage(
  em: EntityManager,
  { accountId, subscriptionId }: { accountId: number; subscriptionId: number },
  addonIds: readonly (number | null)[],
): Promise<boolean> {
  if (addonIds.length === 0) return false;
  const ranges = addonIds.map((addonId) => ({ addonId, startAt: 0, endAt: null, totalId: 0 }));
  const rows = await em.execute<unknown[]>(`select 1 from ${rangesIn} cross join ${recordAt('?')} limit 1`, [
    ...rangeValues(ranges),
    accountId,
    subscriptionId,
    mostOfEach(ranges),
  ]);
  return rows.length > 0;
}

/** Which ranges have unbilled usage. */
export async function rangesWithUsage<Range extends UsageRange>(
  em: EntityManager,
  { accountId, subscriptionId }: { accountId: number; subscriptionId: number },
  ranges: readonly Range[],
): Promise<Range[]> {
  if (ranges.length === 0) return [];
  const numbered = ranges.map((range, index) => ({ ...range, totalId: index }));
  const rows = await em.execute<{ id: number }[]>(`select s.id from ${rangesIn} cross join ${recordAt('0')}`, [
    ...rangeValues(numbered),
    accountId,
    subscriptionId,
  ]);
  const found = new Set(rows.map(({ id }) => Number(id)));
  return ranges.filter((_, index) => found.has(index));
}

/** The values of `rangesIn`. */
function rangeValues(ranges: readonly RangeToTake[]): string[] {
  const arrayOf = (values: readonly (string | number)[]) => `{${values.join(',')}}`;
  const time = (at: number) => `"${new Date(at).toISOString()}"`;
  return [
    arrayOf(ranges.map(({ totalId }) => totalId)),
    arrayOf(ranges.map(({ addonId }) => addonId ?? 0)),
    arrayOf(ranges.map(({ startAt }) => time(startAt))),
    arrayOf(ranges.map(({ endAt }) => (endAt === null ? 'infinity' : time(endAt)))),
  ];
}

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
