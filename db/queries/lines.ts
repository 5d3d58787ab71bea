import type { EntityManager } from '../orm.ts';
import { LineItem } from '../schema/lineItem.ts';
import type { Plain } from './plain.ts';
import { readingOf } from './reading.ts';

/** A line of a document as it is read and written: plain, for there may be a thousand of them. Pending ones are entities. */
export type Line = Plain<LineItem>;

/** Lines of documents of one account, by their document, in their order: one statement. */
export function linesOf(
  em: EntityManager,
  accountId: number,
  { column, ids }: { column: 'invoice_id' | 'estimate_id' | 'credit_note_id'; ids: readonly number[] },
): Promise<Map<number, Line[]>> {
  return readingOf(em, accountId).children(LineItem, { column, ids, orderBy: `${column}, position` });
}
