import type { ActWords } from '../editing/wording.ts';
import type { Plural } from '../text.ts';

/** Texts of the pages of subscriptions and of the acts on them. Names in braces are placeholders. */
export interface SubscribingWords {
  /** `{name}` is the plan. */
  acts: {
    change: ActWords;
    pause: ActWords;
    resume: ActWords;
    /** Takes back a pause that is planned. */
    stayOn: ActWords;
    cancel: ActWords;
    /** Takes back a cancellation that is planned. */
    keep: ActWords;
    dropChange: ActWords;
    renew: ActWords;
  };
  /** Headings of the parts of a page. */
  stands: string;
  bills: string;
  upcoming: string;
  /** A change that waits until `{day}`. */
  pending: string;
  howMany: string;
  noUpcoming: string;
  /** `3 × Gold`. */
  sold: string;
  addons: string;
  discounts: string;
  taxes: string;
  removed: string;
  period: string;
  standing: StandingWords;
  change: ChangeWords;
  pause: PauseWords;
  cancel: CancelWords;
  renew: RenewWords;
  follows: FollowsWords;
}

/** How a subscription stands, one sentence for each fact. */
export interface StandingWords {
  notStarted: string;
  trial: string;
  runs: string;
  pastDue: string;
  paused: string;
  pausedUntil: string;
  pauses: string;
  pausesUntil: string;
  ends: string;
  canceled: string;
  finished: string;
  contract: Plural;
  /** What follows a contract, by its renewal. */
  renewal: { none: string; auto: string; renew_once: string; manual: string };
  waits: string;
  arrears: string;
  ahead: Plural;
  reason: string;
  comment: string;
}

export interface ChangeWords {
  choose: string;
  when: string;
  times: Record<'next' | 'now' | 'free' | 'renewal', string>;
  further: string;
  countsFrom: string;
  countsFromHint: string;
  amountHint: string;
  cycles: string;
  cyclesHint: string;
}

export interface PauseWords {
  when: string;
  times: Record<'period_end' | 'now', string>;
  until: string;
  untilHint: string;
  afterwards: string;
  /** Of a start in the past, whose bills the pause stopped. */
  missed: string;
  missedChoices: { bill: string; leave: string };
  modes: { continue: string; new: string };
}

export interface CancelWords {
  when: string;
  /** At the end of the period or contract; now; now with a credit for the rest; now with the rest of the contract billed. */
  times: Record<'period_end' | 'now' | 'credit' | 'remaining', string>;
  noReason: string;
  reasons: Record<
    'too_expensive' | 'missing_features' | 'quality' | 'unused' | 'switched' | 'temporary' | 'other',
    string
  >;
  comment: string;
}

export interface RenewWords {
  cycles: string;
  start: string;
  starts: Record<'end' | 'now', string>;
}

/** What follows from an act, before it is done. */
export interface FollowsWords {
  title: string;
  computing: string;
  unchanged: string;
  perPeriod: string;
  perPeriodBefore: string;
  billedNow: string;
  creditedNow: string;
  nothingNow: string;
  nextOn: string;
  noNext: string;
  afterCredit: string;
  draft: string;
  /** Somebody else changed it, so that something else follows than was shown. */
  changedMeanwhile: string;
  notYetShown: string;
}
