import type { Reading } from '../../db/queries/kernel/reading.ts';
import type { KeptTotal, Totals } from '../framework/totals.ts';
import type { Asked, Found } from './slice.ts';

/** Up to this many rows, totals are exact. */
const COUNTED = 10_000;
const FILTERED_MILLISECONDS = 50;
const UNFILTERED_MILLISECONDS = 2000;
/** Longest that a total of a whole list beyond `COUNTED` is reused. From half of this age on, it is recounted in the background. */
const KEPT_MILLISECONDS = 5000;
/** A list that recently had this many rows still has more than `COUNTED`. */
const WELL_BEYOND = 2 * COUNTED;

interface Counted<Row extends object> {
  asked: Asked<Row>;
  found: Found<Row>;
  list: Listed;
  /** Epoch milliseconds. */
  now: number;
}

/** A list and its filters as one text. `isWhole`: there are no filters. */
interface Listed {
  name: string;
  isWhole: boolean;
}

/** Rows on all pages of a list. Exact up to 10,000; beyond that a recent count, or the planner's estimate. */
export async function totalOf<Row extends object>(
  reading: Reading,
  totals: Totals,
  counted: Counted<Row>,
): Promise<number> {
  const { asked, found, list, now } = counted;
  const { page, cursor, rows } = asked;
  const isEnd = !cursor && !found.hasMore && (found.placed.length > 0 || page.number === 1);
  if (isEnd) return (page.number - 1) * page.size + found.placed.length;
  const known = list.isWhole ? await keptTotal(reading, totals, counted) : null;
  if (known !== null && known > WELL_BEYOND) return known;
  const few = await reading.count(rows, COUNTED + 1);
  if (few <= COUNTED) return few;
  if (!list.isWhole) return filteredTotal(reading, totals, counted);
  return known ?? keep(totals, { list, now }, countAll(reading, rows));
}

/** Counted if that is quick, else estimated. A list whose count timed out is not counted again for a moment. */
async function filteredTotal<Row extends object>(
  reading: Reading,
  totals: Totals,
  { asked, list, now }: Counted<Row>,
): Promise<number> {
  const isSlow = freshOf(totals, list, now)?.total === null;
  const count = isSlow ? null : await reading.countWithin(asked.rows, FILTERED_MILLISECONDS);
  if (count !== null) return count;
  if (!isSlow) keep(totals, { list, now }, null);
  return reading.estimate(asked.rows);
}

/** A total that is recent enough; null when there is none. */
async function keptTotal<Row extends object>(
  reading: Reading,
  totals: Totals,
  { asked, list, now }: Counted<Row>,
): Promise<number | null> {
  const kept = freshOf(totals, list, now);
  if (kept && now - kept.countedAt >= KEPT_MILLISECONDS / 2 && !kept.renewing) {
    kept.renewing = true;
    const renewed = countAll(reading, asked.rows);
    renewed.then(() => keep(totals, { list, now }, renewed)).catch(() => totals.delete(list.name));
  }
  return kept?.total ?? null;
}

function freshOf(totals: Totals, { name }: Listed, now: number): KeptTotal | undefined {
  const kept = totals.get(name);
  return kept && now - kept.countedAt < KEPT_MILLISECONDS ? kept : undefined;
}

function keep<Total extends KeptTotal['total']>(
  totals: Totals,
  at: { list: Listed; now: number },
  total: Total,
): Total {
  const { list, now } = at;
  for (const [name, { countedAt }] of totals) if (now - countedAt >= KEPT_MILLISECONDS) totals.delete(name);
  totals.set(list.name, { total, countedAt: now, renewing: false });
  total?.catch(() => totals.delete(list.name));
  return total;
}

async function countAll<Row extends object>(reading: Reading, rows: Asked<Row>['rows']): Promise<number> {
  return (await reading.countWithin(rows, UNFILTERED_MILLISECONDS)) ?? reading.estimate(rows);
}
