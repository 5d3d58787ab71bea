import { Refusal } from '../../billing/refusal.ts';
import type { EntityManager } from '../../db/orm.ts';
import { isOver, type LockedSubscription, lockSubscription, replanSubscription } from '../aggregates/subscription.ts';
import { numberBill } from '../bills/bills.ts';
import type { Caller } from '../kernel/caller.ts';
import { catchUp } from './billing.ts';
import { pricesOf } from './components.ts';
import { endSubscription } from './final.ts';

import { writeProration } from './proration.ts';
import { remainingLines } from './remaining.ts';

export interface Cancellation {
  caller: Caller;
  id: number;
  /** Whether the unused rest of what was billed is credited. */
  prorate?: boolean;
  /** Whether the periods that the contract still has are billed. */
  billRemaining?: boolean;
}

/**
 * Cancels a subscription at once, after its due steps. Its final invoice has the pending lines of its changes, a credit of the unused rest
 * if `prorate`, and the remaining periods of its contract if `billRemaining`. Refuses a subscription that has ended. Throws Missing.
 */
export async function cancelSubscription(
  em: EntityManager,
  { prorate = false, billRemaining = false, ...who }: Cancellation,
  systemNow: Date,
): Promise<LockedSubscription> {
  const at = await lockSubscription(em, who, systemNow);
  const { subscription, moment } = at;
  if (!isOver(subscription)) await catchUp(em, at);
  if (isOver(subscription)) throw new Refusal(`Subscription is already ${subscription.status}`);
  if (billRemaining && !subscription.cycles)
    throw new Refusal('Subscription has no contract whose remaining periods could be billed', 'bill_remaining');
  if (billRemaining && prorate)
    throw new Refusal('A cancellation bills the remaining periods or credits the unused one, not both', 'bill_remaining');
  if (prorate) await writeProration(em, at, { ended: pricesOf(at), begun: [], from: moment.now });
  const lines = billRemaining ? await remainingLines(em, at) : [];
  const written = await endSubscription(em, at, { status: 'canceled', at: moment.now, lines });
  await replanSubscription(em, at, {});
  if (written) await numberBill(em, at, written);
  return at;
}
