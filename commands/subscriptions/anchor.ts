import { startsShort } from '../../billing/periods.ts';
import { type LockedSubscription, stateOf } from '../aggregates/subscription.ts';

/**
 * Counts the periods of a subscription from another time. They are billed in a new segment, so that no period of the new segment is taken
 * for one of the old. The caller records the event and replans.
 */
export function reanchor(at: LockedSubscription, anchorAt: Date): void {
  const { subscription } = at;
  subscription.startAt ??= subscription.anchorAt;
  Object.assign(subscription, { anchorAt, anchoredAt: anchorAt, periodOpen: false, used: null });
  subscription.segment += 1;
  subscription.nextPeriod = 0;
  subscription.startsShort = startsShort(stateOf(at).schedule);
}
