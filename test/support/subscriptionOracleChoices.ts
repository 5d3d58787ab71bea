/**
 * Answers to questions that the specification of subscriptions leaves open. The oracle asks here and nowhere else, so
 * that it can be aligned with the product without a change of its rules.
 */
export interface Choices {
  /** The amount of a custom plan is the price of one unit, or the price of all units. */
  customAmount: 'unit' | 'total';

  /** A share is taken of the price as a whole period would bill it (lines rounded), or of the exact price. */
  proratedPrice: 'billed' | 'exact';
  /** A coupon that is named again after its last cycle has no cycle left, or all of them. */
  usedUpCouponAgain: 'spent' | 'fresh';
  /** A change of tax rates changes every component, and so is prorated. */
  taxesProrate: boolean;
  /** A prorated line of a change that is zero is left out, or kept. */
  zeroLines: 'omit' | 'keep';
  /** Order of the two lines of a component. */
  creditFirst: boolean;
  /** Pending lines stand before the lines of the period. */
  pendingFirst: boolean;
  /** A change in a period whose invoice is voided charges the rest of it, without a credit. */
  chargeInVoidedPeriod: boolean;
  /** A change while the subscription is paused is prorated in a period that was billed before the pause. */
  prorateWhilePaused: boolean;
  /** `prorate: "now"` bills the pending lines of earlier changes even if the change has no line of its own. */
  nowWithoutLines: boolean;

  /** The prorated first period uses a cycle of a coupon's duration. */
  shortPeriodUsesCoupon: boolean;
  /** A fixed coupon takes its whole value off a prorated first period, or the period's share of it. */
  fixedCouponInShortPeriod: 'whole' | 'share';

  /** Voiding an invoice makes the pending lines that it took pending again. */
  voidReturnsPending: 'never' | 'cancellation' | 'always';
  /** Credit of the customer's balance pays an invoice at its issue. */
  applyCredits: boolean;

  /** The snap day after a change of the interval, and after a resume or a renewal that re-anchors. */
  snapOnIntervalChange: 'drop' | 'keep';
  snapOnNewAnchor: 'drop' | 'keep';
  /** A snap day that the interval of another plan does not have is dropped, or the plan is refused. */
  snapThatPlanLacks: 'drop' | 'refuse';
  /** A change of the interval before the start of a contract keeps its cycles, or must name them. */
  cyclesBeforeStart: 'kept' | 'named';
  /**
   * A period that is billed ahead is open until it begins: it counts as a cycle only then, and a request after which it
   * will not begin takes its bill back at once. A contract with a pending change is renewed before the bill, and without a contract such a
   * period is billed when it starts.
   */
  aheadOpens: boolean;
  /** `bill_in_advance_days` before the end of a trial, the first period is billed. */
  trialBillsAhead: boolean;
  /** A resume that re-anchors credits the rest of a period that was billed before the pause. */
  resumeNewCredits: boolean;
  /** A resume that re-anchors begins a period even if the term has no cycle left, or then goes on like any other. */
  resumeNewWithoutCycle: 'new' | 'continue';
  /** `cancel_at_period_end` ends with the current period, or with the last billed one. */
  cancelAtEndOf: 'current' | 'lastBilled';

  /**
   * In arrears, a component has a new line only where its price differs, where it changed itself (even if it changed
   * back at once), or at each change of the subscription.
   */
  stretches: 'ofComponent' | 'ofChange' | 'ofSubscription';
  /**
   * In arrears, a change without proration bills the stretch before it too, bills each component that it changes since
   * that component changed before, or begins a stretch.
   */
  arrearsWithoutProration: 'laterTerms' | 'laterTermsOfComponent' | 'boundary';
  /**
   * In arrears, paused time is not billed, or a period is billed whole if it began unpaused and else not at all.
   * `stretchOfStarted`: neither paused time nor a period that began paused is billed.
   */
  arrearsPause: 'stretch' | 'startedActive' | 'stretchOfStarted';
  /** In arrears, the bill of a period that a new anchor ends uses a cycle of term and coupons. */
  closingUsesCycle: boolean;
  /** In arrears, a cancellation without proration bills the used stretch, or the whole period. */
  arrearsCancel: 'used' | 'whole';

  /** Number of weeks, and of days, in a number of months. */
  weeksPerMonths: readonly [weeks: bigint, months: bigint];
  daysPerMonths: readonly [days: bigint, months: bigint];
  /** Coupons that lower `mrr` and `recurring_total`. `several`: active ones with a duration of more than one bill. */
  mrrDiscounts: 'forever' | 'active' | 'several';
  recurringDiscounts: 'forever' | 'active' | 'several';
  /** `mrr` of a paused subscription, and of one that has not started. */
  mrrWhilePaused: 'zero' | 'full';
  mrrBeforeStart: 'zero' | 'full';
}

export const defaultChoices: Choices = {
  customAmount: 'unit',
  proratedPrice: 'billed',
  usedUpCouponAgain: 'spent',
  taxesProrate: false,
  zeroLines: 'omit',
  creditFirst: true,
  pendingFirst: false,
  chargeInVoidedPeriod: true,
  prorateWhilePaused: true,
  nowWithoutLines: true,
  shortPeriodUsesCoupon: false,
  fixedCouponInShortPeriod: 'whole',
  voidReturnsPending: 'cancellation',
  applyCredits: true,
  snapOnIntervalChange: 'drop',
  snapOnNewAnchor: 'keep',
  snapThatPlanLacks: 'drop',
  cyclesBeforeStart: 'kept',
  aheadOpens: false,
  trialBillsAhead: false,
  resumeNewCredits: false,
  resumeNewWithoutCycle: 'new',
  cancelAtEndOf: 'current',
  stretches: 'ofComponent',
  arrearsWithoutProration: 'laterTerms',
  arrearsPause: 'stretch',
  closingUsesCycle: false,
  arrearsCancel: 'used',
  weeksPerMonths: [52n, 12n],
  daysPerMonths: [365n, 12n],
  mrrDiscounts: 'forever',
  recurringDiscounts: 'active',
  mrrWhilePaused: 'zero',
  mrrBeforeStart: 'full',
};
