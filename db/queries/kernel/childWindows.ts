import { Overload } from '../../../billing/failures.ts';
import { breather } from '../../fairness/breather.ts';
import { createPlaces, type Leave } from '../../fairness/places.ts';
import type { EntityManager } from '../../orm.ts';
import { type Plain, plainReader, type RowClass } from './plain.ts';
import { all, type Condition, condition } from './sql.ts';

const places = createPlaces<number>({
  size: Number.POSITIVE_INFINITY,
  most: () => 1,
  mostWaiting: 20, // each holds what it has read so far
  refusal: () => new Overload('Too many large lists of this account are being read; try again'),
  late: 5000,
});

/**
 * Waits until no other large read of the account runs in this process, because each holds tens of thousands of rows. After 5 s, one
 * waiting read starts anyway. Rejects with Overload if too many wait.
 */
export function largeRead(accountId: number): Promise<Leave> {
  return places.take(accountId);
}

/** Maximum number of rows that a statement reads: tens of thousands of wide rows can exceed the statement timeout. */
const WINDOW = 2000;

export interface Children {
  /** Column that refers to the parents. */
  column: string;
  ids: Iterable<number>;
  /** Order of the rows of one parent. */
  orderBy: string;
  /** SQL condition of the rows; absent: all. */
  where?: Condition;
}

interface Windows<Row extends object> {
  row: RowClass<Row>;
  of: Children;
  accountId: number;
  select: (where: Condition, rest: Condition) => Promise<object[]>;
}

/**
 * Reads rows by their parents in windows: one statement unless there are many rows. All rows of a parent come from one statement, so that a
 * document never shows lines of two versions.
 */
export async function inWindows<Row extends object>(
  em: EntityManager,
  windows: Windows<Row>,
): Promise<Map<number, Plain<Row>[]>> {
  const read = plainReader(em, windows.row);
  const children = new Map<number, Plain<Row>[]>();
  const breathe = breather();
  const keep = async (groups: Map<number, object[]>) => {
    for (const [parent, members] of groups) {
      children.set(parent, members.map(read));
      await breathe();
    }
  };
  let left: readonly number[] = [...new Set(windows.of.ids)].sort((a, b) => a - b);
  if (left.length === 0) return children;
  const first = await windowOf(windows, left);
  await keep(first.groups);
  left = left.slice(first.done);
  if (left.length === 0) return children;
  // A transaction must not wait for others: it holds locks and a connection.
  const leave = em.isInTransaction() ? undefined : await largeRead(windows.accountId);
  try {
    // With all parents in each statement, the database would sort all remaining rows for each window.
    for (let parents = first.done * 2; left.length > 0; ) {
      const { groups, done } = await windowOf(windows, left.slice(0, parents));
      await keep(groups);
      left = left.slice(done);
      parents = done * 2;
    }
  } finally {
    leave?.();
  }
  return children;
}

/** Reads the rows of the first parents. Returns how many of these parents are complete, at least one. */
async function windowOf(
  { of: { column, orderBy, where }, select }: Pick<Windows<object>, 'of' | 'select'>,
  parents: readonly number[],
): Promise<{ groups: Map<number, object[]>; done: number }> {
  const query = (ids: readonly number[], limit: string) => {
    const below = condition(`${column} = any(?::bigint[])`, `{${ids.join(',')}}`);
    return select(where ? all([below, where]) : below, condition(`order by ${column}, ${orderBy} ${limit}`));
  };
  const parentOf = (raw: object) => Number(Reflect.get(raw, column));
  const rows = await query(parents, `limit ${WINDOW + 1}`);
  const groups = Map.groupBy(rows, parentOf);
  const last = rows.at(-1);
  if (last === undefined || rows.length <= WINDOW) return { groups, done: parents.length };
  // The rows of the last parent may be incomplete.
  const cut = parentOf(last);
  if (groups.size > 1) {
    groups.delete(cut);
    return { groups, done: parents.indexOf(cut) };
  }
  groups.set(cut, await query([cut], ''));
  return { groups, done: parents.indexOf(cut) + 1 };
}
