import { Refusal } from '../../../billing/refusal.ts';
import { setting } from '../../../billing/settings.ts';
import type { CustomersChoice, GivenReason } from '../../../billing/subscriptions/selfService.ts';
import type { EntityManager } from '../../../db/orm.ts';
import { isOver, type LockedSubscription, lockSubscription } from '../../aggregates/subscription.ts';
import type { Caller } from '../../kernel/caller.ts';
import { updateSubscription } from '../changes/changing.ts';
import { cancelSubscription } from '../steps/ending.ts';
import { refuseObstacle } from './asking.ts';
import { cancelOf, isOwn, mayPause, undoOf } from './offering.ts';

interface Whose {
  caller: Caller;
  id: number;
}

/**
 * Cancels a subscription as its customer asks: at the end of its period or contract, or at once. One that is canceled already, or for then, stays
 * so. Refuses what the account does not allow, and another end while one is planned. Throws Missing.
 */
export async function cancelAsCustomer(
  em: EntityManager,
  { when, cancellation, ...whose }: Whose & { when: 'period_end' | 'now'; cancellation: GivenReason },
  systemNow: Date,
): Promise<LockedSubscription> {
  const locked = await lockSubscription(em, whose, systemNow);
  if (isCanceled(locked, when)) return locked;
  if (locked.subscription.cancelAtPeriodEnd)
    throw new Refusal('state_conflict', 'An end is planned already: it has to be taken back first', 'when');
  const allowed = cancelOf(locked);
  if (allowed === 'none')
    throw new Refusal('state_conflict', 'The customer cannot cancel this subscription itself', 'when');
  if (when === 'now' && allowed !== 'now')
    throw new Refusal(
      'state_conflict',
      'The customer can cancel this subscription only for the end of its period',
      'when',
    );
  if (when === 'now') return cancelSubscription(em, { ...whose, cancellation }, systemNow);
  return updateSubscription(em, { ...whose, cancelAtPeriodEnd: true, cancellation, isOfCustomer: true }, systemNow);
}

/** Whether a cancellation was made before: asked for twice, it is made once. */
function isCanceled({ subscription }: LockedSubscription, when: 'period_end' | 'now'): boolean {
  if (subscription.status === 'canceled') return true;
  return when === 'period_end' && subscription.cancelAtPeriodEnd && !isOver(subscription);
}

/**
 * Plans a pause for the end of the period, as its customer asks. `resumeAt`: when it ends by itself; null: by request. The period after it begins
 * at once. Refuses a contract, what the account does not allow, and a pause while something else is planned. Throws Missing.
 */
export async function pauseAsCustomer(
  em: EntityManager,
  { resumeAt, ...whose }: Whose & { resumeAt: Date | null },
  systemNow: Date,
): Promise<LockedSubscription> {
  const locked = await lockSubscription(em, whose, systemNow);
  if (!setting(locked.moment.caller.account, 'portal_pause'))
    throw new Refusal('state_conflict', 'Customers of this account cannot pause a subscription themselves');
  refuseObstacle(locked);
  if (!mayPause(locked))
    throw new Refusal(
      'state_conflict',
      'The customer can pause only a subscription that has begun and has no contract',
    );
  const planned = { pauseAtPeriodEnd: true, resumeAt, resumeMode: 'new' as const, isOfCustomer: true };
  return updateSubscription(em, { ...whose, ...planned }, systemNow);
}

/** Resumes a subscription that its customer has paused: a period begins at once. Refuses a pause of the account. Throws Missing. */
export async function resumeAsCustomer(em: EntityManager, whose: Whose, systemNow: Date): Promise<LockedSubscription> {
  const locked = await lockSubscription(em, whose, systemNow);
  if (!locked.subscription.paused) throw new Refusal('state_conflict', 'The subscription is not paused');
  if (!isOwn(locked, 'pause'))
    throw new Refusal('state_conflict', 'The customer did not pause this subscription itself');
  return updateSubscription(em, { ...whose, paused: false, resumeMode: 'new', isOfCustomer: true }, systemNow);
}

const takenBack = {
  change: { dropsPending: true },
  cancellation: { cancelAtPeriodEnd: false },
  pause: { pauseAtPeriodEnd: false },
} as const;

/** Takes back what a customer has planned itself. Refuses what others have planned. Throws Missing. */
export async function undoAsCustomer(
  em: EntityManager,
  { what, ...whose }: Whose & { what: CustomersChoice },
  systemNow: Date,
): Promise<LockedSubscription> {
  const locked = await lockSubscription(em, whose, systemNow);
  if (!undoOf(locked).includes(what))
    throw new Refusal('state_conflict', `The customer has planned no ${what} that it could take back`, 'undo');
  return updateSubscription(em, { ...whose, ...takenBack[what], isOfCustomer: true }, systemNow);
}
