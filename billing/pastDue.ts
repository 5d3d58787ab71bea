import { capAtLatest, endOfDay, localDay } from './calendar.ts';

/**
 * Time at which an unpaid invoice becomes past due, epoch milliseconds: the end of its due date's day in the invoice's time zone, which is
 * that of its account at the issue. Null if it has no due date or is past due already. `nextCollectionStep` (collection.ts) plans the step
 * that marks the invoice, unless it is a draft, paid, closed or voided by then. A change of the due date computes it anew
 * (commands/invoices/terms.ts).
 */
export function pastDueAt(invoice: { dueAt: number | null; pastDue: boolean; zone: string }): number | null {
  const { dueAt, pastDue, zone } = invoice;
  if (dueAt === null || pastDue) return null;
  return capAtLatest(endOfDay(localDay(dueAt, zone), zone));
}

/** Whether an unpaid invoice is past due by its due date. */
export function isPastDue({ dueAt, zone }: { dueAt: number | null; zone: string }, now: number): boolean {
  const at = pastDueAt({ dueAt, pastDue: false, zone });
  return at !== null && at <= now;
}
