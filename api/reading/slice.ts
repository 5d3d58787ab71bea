import { isMisfit } from '../../db/failure.ts';
import { after, reversed, type SortColumn } from '../../db/queries/kernel/keyset.ts';
import type { Placed, Reading, Rows, Slice } from '../../db/queries/kernel/reading.ts';
import type { Condition } from '../../db/queries/kernel/sql.ts';
import { badCursor, type Cursor } from './cursor.ts';
import type { Page } from './pages.ts';

/** The page of rows that is requested. */
export interface Asked<Row extends object> {
  rows: Rows<Row>;
  order: readonly SortColumn[];
  page: Page;
  /** Position of the page. Null: the page is given only by its number. */
  cursor: Cursor | null;
  /** As in a slice. */
  alternatives?: readonly Condition[] | undefined;
  isFew?: boolean;
}

/** The rows of a page, and whether there are more after them. */
export interface Found<Row> {
  placed: Placed<Row>[];
  hasMore: boolean;
}

/** What reads a slice of a list: the list itself, or a search of it. */
export type Slices = Pick<Reading, 'slice'>;

/** Reads a page. Throws a Refusal for a cursor that does not fit the list. */
export async function readSlice<Row extends object>(reading: Slices, asked: Asked<Row>): Promise<Found<Row>> {
  try {
    const { cursor } = asked;
    if (cursor && 'fromEnd' in cursor)
      return await backwards(reading, asked, { limit: cursor.fromEnd, hasMore: false });
    if (cursor && 'before' in cursor) return await backwards(reading, asked, { limit: asked.page.size, hasMore: true });
    return await forwards(reading, asked);
  } catch (error) {
    if (asked.cursor && isMisfit(error)) throw badCursor();
    throw error;
  }
}

/** Reads one row more than the page has, to find out whether there is a next page. */
async function forwards<Row extends object>(reading: Slices, asked: Asked<Row>): Promise<Found<Row>> {
  const { order, page, cursor } = asked;
  const offset = cursor ? 0 : (page.number - 1) * page.size;
  const placed = await reading.slice({ ...beside(asked, order), order, limit: page.size + 1, offset });
  return { placed: placed.slice(0, page.size), hasMore: placed.length > page.size };
}

async function backwards<Row extends object>(
  reading: Slices,
  asked: Asked<Row>,
  { limit, hasMore }: { limit: number; hasMore: boolean },
): Promise<Found<Row>> {
  const order = reversed(asked.order);
  const placed = await reading.slice({ ...beside(asked, order), order, limit, offset: 0 });
  return { placed: placed.reverse(), hasMore };
}

/** The rows and how they are found; with a cursor, only those after or before its row. */
function beside<Row extends object>(
  { rows, cursor, alternatives, isFew }: Asked<Row>,
  order: Slice<Row>['order'],
): Omit<Slice<Row>, 'order' | 'limit' | 'offset'> {
  const found = { ...rows, ...(alternatives ? { alternatives } : {}), ...(isFew === undefined ? {} : { isFew }) };
  if (!cursor || 'fromEnd' in cursor) return found;
  const keyset = 'after' in cursor ? cursor.after : cursor.before;
  if (keyset.length !== order.length) throw badCursor();
  const parts = after(order, keyset);
  if (parts.length === 0) throw badCursor();
  return { ...found, parts };
}
