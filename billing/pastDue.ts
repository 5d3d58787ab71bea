import { endOfDay, heldAtLatest, localDay } from './calendar.ts';

/** When an unpaid invoice becomes past due: when the local day of its due date has ended. Null: never, or it is already. Epoch milliseconds. */
export function pastDueAt(invoice: { dueAt: number | null; pastDue: boolean; zone: string }): number | null {
  const { dueAt, pastDue, zone } = invoice;
  if (dueAt === null || pastDue) return null;
  return heldAtLatest(endOfDay(localDay(dueAt, zone), zone));
}
