import { add } from '../../../billing/money.ts';
import type { EntityManager } from '../../orm.ts';
import { UNBILLED } from '../../schema/usageRecord.ts';

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
export const UNBILLED_IN_RANGE = `r.account_id = ? and r.subscription_id = ? and r.${UNBILLED}
  and coalesce(r.addon_id, 0) = s.addon_id and r.used_at >= s.start_at and r.used_at < s.end_at`;

/** SQL: ranges as rows `s`; their values are those of `rangeValues`. */
export const rangesIn = `unnest(?::bigint[], ?::int[], ?::timestamptz[], ?::timestamptz[]) as s (id, addon_id, start_at, end_at)`;

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
  for (let marked = MOST_MARKED; ranges.length > 0 && marked === MOST_MARKED; ) {
    marked = 0;
    for (const [id, { quantity, records }] of await markSomeUsage(em, key, ranges)) {
      const before = taken.get(id);
      taken.set(id, { quantity: add(before?.quantity ?? '0', quantity), records: (before?.records ?? 0) + records });
      marked += records;
    }
  }
  return taken;
}

/** Marks some of the unbilled usage in the same way: at most `MOST_MARKED` records. */
export async function markSomeUsage(
  em: EntityManager,
  { accountId, subscriptionId }: { accountId: number; subscriptionId: number },
  ranges: readonly RangeToTake[],
): Promise<Map<number, TakenUsage>> {
  // By `ctid`, a record is found again at once even if the table has no statistics yet.
  const rows = await em.execute<({ id: number } & TakenUsage)[]>(
    `with picked as (
       select r.ctid as place, s.id as total_id from ${rangesIn} join usage_record r on ${UNBILLED_IN_RANGE} limit ${MOST_MARKED}
     ), taken as (
       update usage_record r set total_id = p.total_id from picked p
       where r.ctid = p.place and r.${UNBILLED} returning p.total_id as id, r.quantity
     )
     select id, sum(quantity)::text as quantity, count(*)::int as records from taken group by id`,
    [...rangeValues(ranges), accountId, subscriptionId],
  );
  return new Map(rows.map(({ id, quantity, records }) => [Number(id), { quantity, records }]));
}

/** Whether ranges have more than so many unbilled records. Reads no more of them. */
export async function hasMoreUsage(
  em: EntityManager,
  { accountId, subscriptionId }: { accountId: number; subscriptionId: number },
  { ranges, most }: { ranges: readonly UsageRange[]; most: number },
): Promise<boolean> {
  if (ranges.length === 0) return false;
  const rows = await em.execute<unknown[]>(
    `select 1 from ${rangesIn} join usage_record r on ${UNBILLED_IN_RANGE} offset ? limit 1`,
    [...rangeValues(ranges.map((range) => ({ ...range, totalId: 0 }))), accountId, subscriptionId, most],
  );
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
  const rows = await em.execute<{ id: number }[]>(
    `select s.id from ${rangesIn} where exists (select 1 from usage_record r where ${UNBILLED_IN_RANGE})`,
    [...rangeValues(numbered), accountId, subscriptionId],
  );
  const found = new Set(rows.map(({ id }) => Number(id)));
  return ranges.filter((_, index) => found.has(index));
}

/** The values of `rangesIn`. */
export function rangeValues(ranges: readonly RangeToTake[]): string[] {
  const arrayOf = (values: readonly (string | number)[]) => `{${values.join(',')}}`;
  const time = (at: number) => `"${new Date(at).toISOString()}"`;
  return [
    arrayOf(ranges.map(({ totalId }) => totalId)),
    arrayOf(ranges.map(({ addonId }) => addonId ?? 0)),
    arrayOf(ranges.map(({ startAt }) => time(startAt))),
    arrayOf(ranges.map(({ endAt }) => (endAt === null ? 'infinity' : time(endAt)))),
  ];
}
