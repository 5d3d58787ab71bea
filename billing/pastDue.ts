import { capAtLatest, endOfDay, localDay } from './calendar.ts';

/**
 * Time at which an unpaid invoice becomes past due, epoch milliseconds: the end of the local day of its due date. Null if it has no due
 * date or is past due already. `nextCollectionStep` (collection.ts) asks for open invoices only and takes the step that marks them.
 */
export function pastDueAt(invoice: { dueAt: number | null; pastDue: boolean; zone: string }): number | null {
  const { dueAt, pastDue, zone } = invoice;
  if (dueAt === null || pastDue) return null;
  return capAtLatest(endOfDay(localDay(dueAt, zone), zone));
}
