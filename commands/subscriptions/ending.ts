import { Refusal } from '../../billing/refusal.ts';
import type { EntityManager } from '../../db/orm.ts';
import { isOver, type LockedSubscription, lockSubscription, replanSubscription } from '../aggregates/subscription.ts';
import type { Caller } from '../kernel/caller.ts';
import { catchUp, endSubscription } from './billing.ts';

/** Cancels a subscription at once, after its due steps. Refuses a subscription that has ended. Throws Missing. */
export async function cancelSubscription(
  em: EntityManager,
  input: { caller: Caller; id: number },
  systemNow: Date,
): Promise<LockedSubscription> {
  const at = await lockSubscription(em, input, systemNow);
  if (!isOver(at.subscription)) await catchUp(em, at);
  if (isOver(at.subscription)) throw new Refusal(`Subscription is already ${at.subscription.status}`);
  await endSubscription(em, at, { status: 'canceled', at: at.moment.now, cause: 'request' });
  await replanSubscription(em, at, {});
  return at;
}
