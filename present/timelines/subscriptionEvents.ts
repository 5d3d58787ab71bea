import type { EventReason } from '../../db/schema/event.ts';
import { plannedWordsOf } from '../../words/planned/words.ts';
import { member, type Presented } from '../kernel/values.ts';
import {
  byWhom,
  day,
  type EventFacts,
  type EventWords,
  fieldNames,
  generally,
  idOf,
  say,
  sayCount,
  text,
} from './eventFacts.ts';

/** Texts of events of subscriptions by their stored reason. */
export const subscriptionReasons = {
  period_started: (facts) => {
    const { billed, trialEnded, periodStarted } = facts.words.subscription;
    return {
      what: say(facts, billed, spanOf(facts)),
      why: isFirstAfterTrial(facts.object) ? trialEnded : periodStarted,
    };
  },
  period_began: (facts) => {
    const { subscription: words } = facts.words;
    const isAtEnd = facts.object.bill_in === 'arrears';
    const afterTrial = isAtEnd ? words.trialEndedBilledAtEnd : words.trialEndedBilledAlready;
    const usual = isAtEnd ? words.billedAtEnd : words.billedAlready;
    const why = isFirstAfterTrial(facts.object) ? afterTrial : usual;
    return withKeptChange(facts, { what: say(facts, words.periodBegan, spanOf(facts)), why });
  },
  period_ended: (facts) => {
    const { billed, billsInArrears: why } = facts.words.subscription;
    const what = say(facts, billed, spanOf(facts, { ...facts.object, ...facts.previous }));
    return withKeptChange(facts, { what, why });
  },
  trial_began: (facts) => {
    const { trialBegan, startsWithTrial: why } = facts.words.subscription;
    return { what: say(facts, trialBegan, spanOf(facts)), why };
  },
  cycles_billed: (facts) => {
    const { finished: what, cyclesBilled } = facts.words.subscription;
    return { what, why: sayCount(facts, cyclesBilled, Number(facts.object.cycles)) };
  },
  contract_renewed: (facts) => {
    const isAsked = facts.previous.pending_renewal === true && facts.userId !== -1;
    const why = isAsked ? byWhom(facts) : facts.words.subscription.cyclesBefore;
    return withKeptChange(facts, { what: renewalOf(facts), why });
  },
  change_applied: (facts) => {
    const { changed, changeKept: why } = facts.words.subscription;
    const names = Object.keys(facts.previous).filter((name) => name !== 'pending_change');
    return { what: say(facts, changed, { fields: fieldNames(facts, names) }), why };
  },
  paused: ({ words: { subscription } }) => ({ what: subscription.paused, why: subscription.pausedWhy }),
  resumed: (facts) => ({ what: resumptionOf(facts), why: facts.words.subscription.resumedWhy }),
  customer_inactive: ({ words: { subscription } }) => ({ what: subscription.stoppedBills, why: subscription.inactive }),
  canceled_at_end: ({ object, words }) => {
    const { canceled: what, endedWithPeriod, endedWithContract } = words.subscription;
    return { what, why: object.cycles === null ? endedWithPeriod : endedWithContract };
  },
  canceled_unpaid: ({ words: { subscription } }) => ({ what: subscription.canceled, why: subscription.unpaid }),
  renewal_pending: ({ words: { subscription } }) => ({
    what: subscription.waitsForRenewal,
    why: subscription.contractBilled,
  }),
  latest_date: ({ words, language }) => ({
    what: words.subscription.finished,
    why: plannedWordsOf(language).reasons.latest_date,
  }),
  invoice_past_due: ({ words: { subscription } }) => ({ what: subscription.pastDue, why: subscription.pastDueWhy }),
  no_invoice_past_due: ({ words: { subscription } }) => ({
    what: subscription.activeAgain,
    why: subscription.activeAgainWhy,
  }),
} as const satisfies Partial<Record<EventReason, (facts: EventFacts) => EventWords>>;

/** Texts of events of subscriptions by type, for events without a stored reason. */
export const subscriptionTexts: Readonly<Record<string, (facts: EventFacts) => EventWords | string>> = {
  'subscription.created': (facts) => {
    const { plan, quantity } = facts.object;
    const list = [`${idOf(plan)} x ${text(quantity)}`, ...addonsOf(facts)].join(' + ');
    return say(facts, facts.words.subscription.subscribed, { list });
  },
  'subscription.updated': changedSubscription,
  'subscription.deleted': ({ words }) => words.subscription.canceled,
  'subscription.usage_threshold': (facts) => {
    const { usageReached, usageReachedWhy: why } = facts.words.subscription;
    const { usage_threshold: reached } = facts.object;
    const values = { plan: text(member(reached, 'plan')), quantity: text(member(reached, 'quantity')) };
    return { what: say(facts, usageReached, values), why };
  },
};

/** A renewal, and whether it is the only one, or the contract starts later than the end of the one before. */
function renewalOf(facts: EventFacts): string {
  const { object, previous } = facts;
  const { renewed, renewedOnce, countedAnew } = facts.words.subscription;
  const isOnly = previous.contract_renewal_mode === 'renew_once';
  const what = sayCount(facts, isOnly ? renewedOnce : renewed, Number(object.cycles));
  const isLater = object.contract_period_start !== previous.contract_period_end;
  return isLater ? say(facts, countedAnew, { what }) : what;
}

/** The end of a pause, after which periods may be counted from then. */
function resumptionOf(facts: EventFacts): string {
  const { object, previous } = facts;
  const { resumed, countedAnew } = facts.words.subscription;
  const isAnew = typeof previous.period_end === 'number' && object.period_end === null;
  return isAnew ? say(facts, countedAnew, { what: resumed }) : resumed;
}

/** Whether its current period is the first one after a trial. */
function isFirstAfterTrial({ trial_end: trialEnd, period_start: start }: Presented): boolean {
  return typeof trialEnd === 'number' && trialEnd === start;
}

/** Adds the pending change that applied, if one did. */
function withKeptChange(facts: EventFacts, { what, why }: EventWords): EventWords {
  const { thenChanged, thenChangedWhy } = facts.words.subscription;
  const fields = namesOf(facts, facts.previous.pending_change);
  if (fields === '' || facts.object.pending_change !== null) return { what, why };
  return { what: say(facts, thenChanged, { what, fields }), why: say(facts, thenChangedWhy, { why }) };
}

/** The names of the fields of a pending change: "plan, quantity". */
function namesOf(facts: EventFacts, change: Presented[string] | undefined): string {
  return typeof change === 'object' && change !== null ? fieldNames(facts, Object.keys(change)) : '';
}

/** A change by a request. */
function changedSubscription(facts: EventFacts): string {
  const { object, previous } = facts;
  const { subscription: words, joins } = facts.words;
  const sold = addonsOf(facts).join(' + ');
  const changes = [
    ...('start_date' in previous ? [say(facts, words.startMoved, { day: day(facts, Number(object.start_date)) })] : []),
    ...('trial_end' in previous
      ? [say(facts, words.trialEndMoved, { day: day(facts, Number(object.trial_end)) })]
      : []),
    ...('paused' in previous ? [object.paused ? words.paused : resumptionOf(facts)] : []),
    ...('pause_at_period_end' in previous && !('paused' in previous)
      ? [object.pause_at_period_end ? words.setToPause : words.notSetToPause]
      : []),
    ...('cancel_at_period_end' in previous ? [endOf(facts)] : []),
    ...('pending_change' in previous ? [keptChangeOf(facts)] : []),
    ...(isCountedAnew(facts) ? [say(facts, words.changedPlan, { plan: idOf(object.plan) })] : []),
    ...('addons' in previous ? [sold ? say(facts, words.addons, { list: sold }) : words.noAddons] : []),
  ];
  return changes.join(joins.semicolon) || generally(facts);
}

function endOf({ object, words: { subscription: words } }: EventFacts): string {
  const isContract = typeof object.cycles === 'number';
  if (object.cancel_at_period_end) return isContract ? words.endsWithContract : words.endsWithPeriod;
  return isContract ? words.notEndsWithContract : words.notEndsWithPeriod;
}

/** A pending change that was kept, changed or dropped. */
function keptChangeOf(facts: EventFacts): string {
  const { object, previous } = facts;
  const { keptDropped, keptForContract, keptForPeriod, keptChanged } = facts.words.subscription;
  const [before, fields] = [namesOf(facts, previous.pending_change), namesOf(facts, object.pending_change)];
  if (fields === '') return say(facts, keptDropped, { fields: before });
  if (before !== '') return say(facts, keptChanged, { fields });
  return say(facts, typeof object.cycles === 'number' ? keptForContract : keptForPeriod, { fields });
}

/** Whether a plan of another interval began a period at once. */
function isCountedAnew({ object, previous }: EventFacts): boolean {
  return 'plan' in previous && typeof previous.period_end === 'number' && previous.period_end !== object.period_end;
}

/** Maximum number of add-ons that a text names. */
const NAMED_ADDONS = 3;

/** The add-ons of a subscription in words: "seats x 5". */
function addonsOf(facts: EventFacts): string[] {
  const { addons } = facts.object;
  if (!Array.isArray(addons)) return [];
  const named = addons.slice(0, NAMED_ADDONS).map((addon) => {
    const sold = idOf(member(addon, 'plan')) || idOf(member(addon, 'catalog_item'));
    return `${sold} x ${text(member(addon, 'quantity'))}`;
  });
  const count = addons.length - NAMED_ADDONS;
  return count > 0 ? [...named, say(facts, facts.words.joins.more, { count })] : named;
}

/** The current period of a subscription, or its trial. */
function spanOf(facts: EventFacts, { period_start: from, period_end: to } = facts.object) {
  return { from: day(facts, Number(from)), to: day(facts, Number(to)) };
}
