import { Refusal } from '../../billing/refusal.ts';
import type { Reading } from '../../db/queries/kernel/reading.ts';
import type { Applied } from './filters.ts';
import { type Asked, type Found, readSlice } from './slice.ts';

/**
 * How a page of a filtered list is found. `direct`: one index has the matching rows in the order of the list. `counted`: no index does, so the
 * number of matches decides.
 */
export type Way = 'direct' | 'counted';

/** The way of a list, with the conditions between which the index has its order. */
export function wayOf(
  applied: readonly Applied[],
  { order, isSorted }: { order: Asked<object>['order']; isSorted: boolean },
): { way: Way; alternatives: Applied['alternatives'] } {
  const [only, ...more] = applied;
  const [first] = order;
  const direct = (alternatives?: Applied['alternatives']) => ({ way: 'direct' as const, alternatives });
  if (!only) return direct();
  if (applied.every(({ range }) => range !== undefined && range === first?.column)) return direct();
  const isOne = more.length === 0 && only.range === undefined;
  const isById = !isSorted && order.length === 1 && first?.column === 'id';
  const isSet = only.alternatives !== undefined && only.alternatives.length > 1;
  if (isOne && isById && only.alternatives) return direct(isSet ? only.alternatives : undefined);
  if (isOne && !isSorted && !only.isWide && !isSet) return direct();
  return { way: 'counted', alternatives: undefined };
}

/** Up to this many matches are all found and sorted. */
const MOST_SORTED = 10_000;
/** How long matches are counted, and how long a list with more of them is walked until a page is full. */
const COUNT_MILLISECONDS = 1000;
const WALK_MILLISECONDS = 1500;

/** A page, and the total if it is known. */
export interface Bounded<Row> {
  found: Found<Row>;
  total: number | null;
}

/**
 * Reads a page of a list whose filters and order have no index in common. Up to 10,000 matches are found by their filters and sorted. More are met
 * soon on a walk through the order, for at most 1.5 s. Throws a Refusal if they are not.
 */
export async function readCounted<Row extends object>(
  reading: Reading,
  asked: Asked<Row>,
  params: readonly string[],
): Promise<Bounded<Row>> {
  const counted = await reading.countWithin(asked.rows, COUNT_MILLISECONDS, MOST_SORTED + 1);
  if (counted !== null && counted <= MOST_SORTED)
    return { found: await readSlice(reading, { ...asked, isFew: true }), total: counted };
  const walked = { ...asked, isFew: false };
  const found = await reading.within(asked.rows, WALK_MILLISECONDS, (inner) => readSlice(inner, walked));
  if (found) return { found, total: null };
  throw new Refusal(
    'filter_unbounded',
    `No index has these objects in this order, and too few of the first ones match ${params.join(' and ')}: narrow the filters until at most ${MOST_SORTED} objects match, or sort by the column that is filtered`,
    params[0],
  );
}
