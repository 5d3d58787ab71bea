import { Refusal } from '../../billing/refusal.ts';
import type { EntityManager } from '../../db/orm.ts';
import { isOver, type LockedSubscription, lockSubscription, replanSubscription } from '../aggregates/subscription.ts';
import { numberBill, type WrittenBill } from '../bills/bills.ts';
import { numberCreditNote, type WrittenCreditNote } from '../creditNotes/issuing.ts';
import type { Caller } from '../kernel/caller.ts';
import { billUsed } from './arrears.ts';
import { catchUp, endSubscription } from './billing.ts';
import { revokeAhead } from './revoking.ts';

/** Documents that a change of a subscription wrote, without their numbers. */
export interface Unnumbered {
  bill: WrittenBill | null;
  credit: WrittenCreditNote | null;
}

/** Cancels a subscription at once, after its due steps. Refuses a subscription that has ended. Throws Missing. */
export async function cancelSubscription(
  em: EntityManager,
  input: { caller: Caller; id: number },
  systemNow: Date,
): Promise<LockedSubscription> {
  const at = await lockSubscription(em, input, systemNow);
  if (!isOver(at.subscription)) await catchUp(em, at);
  if (isOver(at.subscription)) throw new Refusal(`Subscription is already ${at.subscription.status}`);
  const written = await cancelNow(em, at);
  await replanSubscription(em, at, {});
  await numberDocuments(em, at, written);
  return at;
}

/**
 * Cancels a locked subscription whose due steps are taken. Bills what was used in arrears, and takes back the bill of a period that has not
 * begun. The caller replans, and then numbers the documents.
 */
export async function cancelNow(em: EntityManager, at: LockedSubscription): Promise<Unnumbered> {
  const bill = await billUsed(em, at, at.moment.now);
  const credit = await revokeAhead(em, at);
  await endSubscription(em, at, { status: 'canceled', at: at.moment.now });
  return { bill, credit };
}

/** Numbers the documents that a change of a subscription wrote. */
export async function numberDocuments(
  em: EntityManager,
  at: LockedSubscription,
  { bill, credit }: Unnumbered,
): Promise<void> {
  if (bill) await numberBill(em, at, bill);
  if (credit) await numberCreditNote(em, at, credit);
}
