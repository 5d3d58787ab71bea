import type { Reading } from '../db/queries/reading.ts';
import type { Asked, Found } from './slice.ts';

/** Up to so many, rows are counted exactly. */
const COUNTED = 10_000;
const FILTERED_MILLISECONDS = 50;
const UNFILTERED_MILLISECONDS = 2000;
/** A total of more than `COUNTED` rows may be so old. */
const KEPT_MILLISECONDS = 5000;

/** Totals of long lists that were counted a moment ago, by account and list. */
export type Totals = Map<string, { total: Promise<number>; until: number }>;

interface Counted<Row extends object> {
  asked: Asked<Row>;
  found: Found<Row>;
  /** Name of the whole list, for keeping its total; null for one that is filtered. */
  list: string | null;
}

/** How many rows a list has on all its pages: exact to 10,000, beyond that a moment old, or as the planner expects. */
export async function totalOf<Row extends object>(reading: Reading, totals: Totals, counted: Counted<Row>) {
  const { asked, found, list } = counted;
  const { page, cursor, rows } = asked;
  const isEnd = !cursor && !found.hasMore && (found.placed.length > 0 || page.number === 1);
  if (isEnd) return (page.number - 1) * page.size + found.placed.length;
  const few = await reading.count(rows, COUNTED + 1);
  if (few <= COUNTED) return few;
  if (list === null) return (await reading.countWithin(rows, FILTERED_MILLISECONDS)) ?? reading.estimate(rows);
  const now = performance.now();
  const known = totals.get(list);
  if (known && known.until > now) return known.total;
  for (const [name, { until }] of totals) if (until <= now) totals.delete(name);
  const total = countAll(reading, rows);
  totals.set(list, { total, until: now + KEPT_MILLISECONDS });
  total.catch(() => totals.delete(list));
  return total;
}

async function countAll<Row extends object>(reading: Reading, rows: Asked<Row>['rows']): Promise<number> {
  return (await reading.countWithin(rows, UNFILTERED_MILLISECONDS)) ?? reading.estimate(rows);
}
