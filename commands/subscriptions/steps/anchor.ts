import { firstUncounted } from '../../../billing/subscriptions/billIn.ts';
import { periodAt, startsShort } from '../../../billing/time/periods.ts';
import { type LockedSubscription, stateOf } from '../../aggregates/subscription.ts';

/**
 * Counts the periods of a subscription from another time. They are billed in a new segment, so that no period of the new segment is taken
 * for one of the old. The caller records the event and replans.
 */
export function reanchor(locked: LockedSubscription, anchorAt: Date): void {
  const { subscription } = locked;
  subscription.startAt ??= subscription.anchorAt;
  Object.assign(subscription, { anchorAt, anchoredAt: anchorAt, periodStartAt: null, periodEndAt: null });
  Object.assign(subscription, { periodOpen: false, used: null, pastPrices: null });
  subscription.segment += 1;
  subscription.nextPeriod = 0;
  subscription.startsShort = startsShort(stateOf(locked).schedule);
}

/** Begins a contract of so many cycles with the next period to bill. The caller records the event and replans. */
export function beginContract(locked: LockedSubscription, cycles: number): void {
  const { subscription } = locked;
  const { segment } = subscription;
  const first = firstUncounted(subscription);
  const { startAt } = periodAt(stateOf(locked).schedule, first);
  Object.assign(subscription, { contractSegment: segment, contractPeriod: first, contractStartAt: new Date(startAt) });
  Object.assign(subscription, { cycles, cyclesBilled: 0, pendingRenewal: false });
}
