import type { DocumentTable } from '../../../billing/documentTypes.ts';
import type { EntityManager } from '../../orm.ts';
import { LineItem } from '../../schema/lineItem.ts';
import type { Plain } from '../kernel/plain.ts';
import { readingOf } from '../kernel/reading.ts';

/** A line of a document as a plain row, because there may be a thousand of them. Pending lines are entities. */
export type Line = Plain<LineItem>;

/** Lines of a document, in their order. */
export async function linesOf(
  em: EntityManager,
  document: DocumentTable,
  { accountId, id }: { accountId: number; id: number },
): Promise<Line[]> {
  return (await linesOfEach(em, document, { accountId, ids: [id] })).get(id) ?? [];
}

/** Lines of several documents of one account, by document: one statement unless there are many lines. */
export function linesOfEach(
  em: EntityManager,
  document: DocumentTable,
  { accountId, ids }: { accountId: number; ids: readonly number[] },
): Promise<Map<number, Line[]>> {
  const column = `${document}_id`;
  return readingOf(em, accountId).children(LineItem, { column, ids, orderBy: 'position' });
}
