import { Refusal } from '../../billing/refusal.ts';
import type { Reading } from '../../db/queries/kernel/reading.ts';
import { all } from '../../db/queries/kernel/sql.ts';
import type { Applied } from './filters.ts';
import { type Asked, type Found, readSlice } from './slice.ts';

/**
 * How a page of a list is found. `direct`: one index has the matching rows in the order of the list. `walked`: the index of another table has the
 * order, and may have many rows without one in the list. `counted`: no index has it, so the number of matches decides.
 */
export type Way = 'direct' | 'walked' | 'counted';

/** The way of a list, with the conditions between which the index has its order. */
export function wayOf(
  applied: readonly Applied[],
  { order, isSorted }: { order: Asked<object>['order']; isSorted: boolean },
): { way: Way; alternatives: Applied['alternatives'] } {
  const [only, ...more] = applied;
  const [first] = order;
  const way = first?.isOfCustomer || first?.nulls ? ('walked' as const) : ('direct' as const);
  const direct = (alternatives?: Applied['alternatives']) => ({ way, alternatives });
  if (!only) return direct();
  if (applied.every(({ range }) => range !== undefined && range === first?.column)) return direct();
  const isOne = more.length === 0 && only.range === undefined;
  const isById = !isSorted && order.length === 1 && first?.column === 'id';
  const isSet = only.alternatives !== undefined && only.alternatives.length > 1;
  if (isOne && isById && only.alternatives) return direct(isSet ? only.alternatives : undefined);
  if (isOne && !isSorted && !only.isWide && !isSet) return direct();
  return { way: 'counted', alternatives: undefined };
}

/** Up to this many matches are all found and sorted. Few ones are, even if an index has their order. */
const MOST_SORTED = 10_000;
const FEW = 1000;
/** How long matches are counted, and how long a list with more of them is walked until a page is full. */
const COUNT_MILLISECONDS = 1000;
const WALK_MILLISECONDS = 1500;
const SORT_MILLISECONDS = 4000;

/** A page, and the total if it is known. */
export interface Bounded<Row> {
  found: Found<Row>;
  total: number | null;
}

/**
 * Reads a page of a list whose filters and order have no index in common. Up to 10,000 matches are found by their filters and sorted. More are met
 * soon on a walk through the order, for at most 1.5 s; where another table has the order, this is tried first, unless there are few. Throws a
 * Refusal if they are not met.
 */
export async function readCounted<Row extends object>(
  reading: Reading,
  asked: Asked<Row>,
  { way, applied }: { way: Exclude<Way, 'direct'>; applied: readonly Applied[] },
): Promise<Bounded<Row>> {
  const narrowing = applied.flatMap((one) => one.narrowing ?? []);
  const narrowed = { ...asked, rows: { ...asked.rows, where: all([asked.rows.where, ...narrowing]) }, isFew: true };
  const counted = await reading.countWithin(narrowed.rows, COUNT_MILLISECONDS, MOST_SORTED + 1);
  const total = counted !== null && counted <= MOST_SORTED ? counted : null;
  const readWithin = async (milliseconds: number, some: Asked<Row>) => {
    const found = await reading.within(some.rows, milliseconds, (inner) => readSlice(inner, some));
    return found && { found, total };
  };
  const isFew = total !== null && (way === 'counted' || total <= FEW);
  const page =
    (isFew ? null : await readWithin(WALK_MILLISECONDS, { ...asked, isFew: false })) ??
    (total === null ? null : await readWithin(SORT_MILLISECONDS, narrowed));
  if (page) return page;
  throw unbounded(applied);
}

/** How long the objects of a list may be looked for that no index has in its order. */
const FIND_MILLISECONDS = 10_000;

/** Ids of the first rows of a list. Rows that no index has in its order are all found and sorted; throws a Refusal if that takes too long. */
export async function findIds<Row extends object>(
  reading: Reading,
  { rows, order, most }: Pick<Asked<Row>, 'rows' | 'order'> & { most: number },
  { way, applied }: { way: Way; applied: readonly Applied[] },
): Promise<number[]> {
  const find = (inner: Reading) => inner.ids(rows, order, most);
  if (way === 'direct') return find(reading);
  const found = await reading.within(rows, FIND_MILLISECONDS, find);
  if (found) return found;
  throw unbounded(applied);
}

function unbounded(applied: readonly Applied[]): Refusal {
  const params = applied.map(({ param }) => param);
  const what = params.length > 0 ? `match ${params.join(' and ')}` : 'are in the list';
  return new Refusal(
    'filter_unbounded',
    `No index has these objects in this order, and too few of the first ones ${what}: narrow the filters until at most ${MOST_SORTED} objects match, or sort by another column`,
    params[0] ?? 'sort',
  );
}
