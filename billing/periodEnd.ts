import { firstUncounted } from './billIn.ts';
import { capAtLatest } from './calendar.ts';
import { periodAt } from './periods.ts';
import type { SubscriptionState } from './subscription.ts';
import { isInTrial } from './trial.ts';

/**
 * Time at which `pause_at_period_end` and `cancel_at_period_end` take effect, epoch milliseconds: the end of the period or trial, before the
 * start that of the first one. Between two periods, after a pause, it is the start of the next period that is billed.
 */
export function periodEndOf(state: SubscriptionState): number {
  const { schedule, billIn, periodOpen, periodEndAt } = state;
  const { startAt, endAt } = periodAt(schedule, firstUncounted(state));
  const hasBegun = periodEndAt !== null || isInTrial(state);
  const isBilledAtEnd = billIn === 'arrears' && periodOpen;
  return capAtLatest(hasBegun && !isBilledAtEnd ? startAt : endAt);
}
