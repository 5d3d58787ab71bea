import type { Reading } from '../../db/queries/kernel/reading.ts';
import type { KeptTotal, Totals } from '../framework/apiRequest.ts';
import type { Asked, Found } from './slice.ts';

/** Totals are exact up to this number of rows. */
const MOST_COUNTED = 10_000;
const FILTERED_MILLISECONDS = 50;
const UNFILTERED_MILLISECONDS = 2000;
/**
 * How long a total is reused: that of a list without filters that has more than `MOST_COUNTED` rows. From half of this age on, the list is
 * recounted in the background.
 */
const KEPT_MILLISECONDS = 5000;
/** A list that had this many rows a few seconds ago certainly still has more than `MOST_COUNTED`. */
const CERTAINLY_MORE = 2 * MOST_COUNTED;

interface Counted<Row extends object> {
  asked: Asked<Row>;
  found: Found<Row>;
  list: Listed;
  /** Epoch milliseconds. */
  now: number;
}

/** `name`: the list with its filters, as one text. `isWhole`: it has no filters. */
interface Listed {
  name: string;
  isWhole: boolean;
}

/** Number of rows on all pages of a list. Exact up to 10,000. Beyond that a recent count or the planner's estimate. */
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
  if (known !== null && known > CERTAINLY_MORE) return known;
  const few = await reading.count(rows, MOST_COUNTED + 1);
  if (few <= MOST_COUNTED) return few;
  if (!list.isWhole) return filteredTotal(reading, totals, counted);
  return known ?? keep(totals, { list, now }, countAll(reading, rows));
}

/** Total of a filtered list: counted if that is quick, else estimated. After a timeout the list is not counted again for a few seconds. */
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

/** A recent total of a list without filters. Null when there is none. */
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
