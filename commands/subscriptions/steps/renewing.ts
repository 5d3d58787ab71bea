import { Refusal } from '../../../billing/refusal.ts';
import { checkContractEnd } from '../../../billing/time/latestPeriods.ts';
import type { EntityManager } from '../../../db/orm.ts';
import {
  isOver,
  type LockedSubscription,
  lockSubscription,
  replanSubscription,
  stateOf,
} from '../../aggregates/subscription.ts';
import { numberDocuments } from '../../bills/bills.ts';
import type { Caller } from '../../kernel/caller.ts';
import { catchUp, renewContract } from './billing.ts';

export interface Renewal {
  caller: Caller;
  id: number;
  /** Cycles of the new contract; null: those agreed for renewals. */
  cycles: number | null;
  /** True: the new contract starts now, otherwise at the end of the old one. */
  startsNow: boolean;
}

/**
 * Renews an ended contract that waits for its renewal. Takes due steps first. Refuses a subscription without such a contract, and a new
 * contract that would end after 2199. Throws Missing.
 */
export async function renewSubscription(
  em: EntityManager,
  input: Renewal,
  systemNow: Date,
): Promise<LockedSubscription> {
  const locked = await lockSubscription(em, input, systemNow);
  const { subscription } = locked;
  const bills = isOver(subscription) ? [] : await catchUp(em, locked);
  if (isOver(subscription)) throw new Refusal('state_conflict', `Subscription is already ${subscription.status}`);
  if (!subscription.pendingRenewal)
    throw new Refusal('state_conflict', 'Subscription has no contract that waits for its renewal');
  await renewContract(em, locked, { cycles: input.cycles, anchorAt: input.startsNow ? locked.moment.now : null });
  checkContractEnd(stateOf(locked), 'cycles');
  await replanSubscription(em, locked, {});
  await numberDocuments(em, locked, { bills, credit: null });
  return locked;
}
