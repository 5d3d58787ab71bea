import type { EntityManager } from '../../../db/orm.ts';
import type { LockedSubscription } from '../../aggregates/subscription.ts';
import { numberBill, type WrittenBill } from '../../bills/bills.ts';
import { numberCreditNote, type WrittenCreditNote } from '../../creditNotes/issuing.ts';

/** Documents that a change of a subscription wrote, without their numbers. */
export interface Unnumbered {
  bills: (WrittenBill | null)[];
  credit: WrittenCreditNote | null;
}

/** Numbers the documents that a change of a subscription wrote. The series stay locked until the commit, so call it last. */
export async function numberDocuments(
  em: EntityManager,
  locked: LockedSubscription,
  { bills, credit }: Unnumbered,
): Promise<void> {
  for (const bill of bills) if (bill) await numberBill(em, locked, bill);
  if (credit) await numberCreditNote(em, locked, credit);
}
