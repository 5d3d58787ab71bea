import type { Choices } from './subscriptionOracleChoices.ts';

/** How the product answers the questions that the specification leaves open. */
export const productChoices: Partial<Choices> = {
  // A used-up coupon is no longer on the subscription, so that naming it attaches it anew.
  usedUpCouponAgain: 'fresh',
  // Only a change with lines of its own is billed at once.
  nowWithoutLines: false,
  // docs/calendar.md: snap_to_nth_day belongs to the subscription, whatever its plan.
  snapOnIntervalChange: 'keep',
  snapThatPlanLacks: 'refuse',
  // Each change of the interval of a subscription with a contract needs the cycles of the contract.
  cyclesBeforeStart: 'named',
  // A bill ahead is one of a period to come: the period counts when it begins, and is taken back if it will not begin.
  aheadOpens: true,
  // Days ahead are counted from the start of the period, also if a trial comes before it.
  trialBillsAhead: true,
  // docs/subscriptions.md: without a cycle left, `new` is the same as `continue`.
  resumeNewWithoutCycle: 'continue',
  // Prices of a component are kept by change, also of one that was undone at once.
  stretches: 'ofChange',
  arrearsWithoutProration: 'laterTermsOfComponent',
  // docs/subscriptions.md: periods that began during a pause are skipped.
  arrearsPause: 'stretchOfStarted',
  // A bill of a part of a period is a bill of that period.
  closingUsesCycle: true,
  // `mrr` is less coupons without an end. A coupon of one bill is not in `recurring_total`, any other is while it lasts.
  mrrDiscounts: 'forever',
  recurringDiscounts: 'several',
  // `mrr` is that of the price.
  mrrWhilePaused: 'full',
};
