import type { EventReason } from '../../db/schema/event.ts';
import { member, type Presented } from '../kernel/values.ts';
import { byWhom, day, type EventFacts, type EventWords, generally, idOf, text } from './eventFacts.ts';

/** Texts of events of subscriptions by their stored reason. */
export const subscriptionReasons = {
  period_started: ({ object, timeZone }) => ({
    what: `billed ${spanOf(object, timeZone)}`,
    why: isFirstAfterTrial(object) ? 'its trial ended' : 'the period started',
  }),
  period_began: (facts) => {
    const { object, timeZone } = facts;
    const how = object.bill_in === 'arrears' ? 'it is billed when it ends' : 'it is billed already';
    const why = isFirstAfterTrial(object) ? `its trial ended, and ${how}` : how;
    return withKeptChange(facts, { what: `period ${spanOf(object, timeZone)} began`, why });
  },
  period_ended: (facts) => {
    const { object, previous, timeZone } = facts;
    const what = `billed ${spanOf({ ...object, ...previous }, timeZone)}`;
    return withKeptChange(facts, { what, why: 'the period ended, and it bills in arrears' });
  },
  trial_began: ({ object, timeZone }) => ({
    what: `trial ${spanOf(object, timeZone)} began`,
    why: 'it starts with a trial',
  }),
  cycles_billed: ({ object }) => ({ what: 'finished', why: `its ${text(object.cycles)} cycles are billed` }),
  contract_renewed: (facts) => {
    const isAsked = facts.previous.pending_renewal === true && facts.userId !== -1;
    const why = isAsked ? byWhom(facts) : 'the cycles before are billed';
    return withKeptChange(facts, { what: renewalOf(facts), why });
  },
  change_applied: ({ previous }) => ({
    what: `changed ${Object.keys(previous)
      .filter((name) => name !== 'pending_change')
      .join(', ')}`,
    why: 'the change was kept for this period',
  }),
  paused: () => ({ what: 'paused', why: 'the period ended, and pause_at_period_end was set' }),
  resumed: (facts) => ({ what: resumptionOf(facts), why: 'the end of its pause has come' }),
  customer_inactive: () => ({ what: 'stopped the bills of past periods', why: 'its customer is inactive' }),
  canceled_at_end: ({ object }) => ({
    what: 'canceled',
    why: `it was set to end with its ${object.cycles === null ? 'period' : 'contract'}`,
  }),
  canceled_unpaid: () => ({ what: 'canceled', why: 'a charge failed, and AutoPay stopped' }),
  renewal_pending: () => ({ what: 'waits for its renewal', why: 'the cycles of its contract are billed' }),
} as const satisfies Partial<Record<EventReason, (facts: EventFacts) => EventWords>>;

/** A renewal, and whether it is the only one, or the contract starts later than the end of the one before. */
function renewalOf({ object, previous }: EventFacts): string {
  const isOnly = previous.contract_renewal_mode === 'renew_once';
  const renewed = `contract renewed ${isOnly ? 'once, ' : ''}for ${text(object.cycles)} cycles`;
  const isLater = object.contract_period_start !== previous.contract_period_end;
  return isLater ? `${renewed}: its periods are counted from then` : renewed;
}

/** The end of a pause, after which periods may be counted from then. */
function resumptionOf({ object, previous }: EventFacts): string {
  const isAnew = typeof previous.period_end === 'number' && object.period_end === null;
  return isAnew ? 'resumed: its periods are counted from then' : 'resumed';
}

/** Whether its current period is the first one after a trial. */
function isFirstAfterTrial({ trial_end: trialEnd, period_start: start }: Presented): boolean {
  return typeof trialEnd === 'number' && trialEnd === start;
}

/** Adds the pending change that applied, if one did. */
function withKeptChange({ object, previous }: EventFacts, { what, why }: EventWords): EventWords {
  const names = namesOf(previous.pending_change);
  if (names === '' || object.pending_change !== null) return { what, why };
  return { what: `${what}, then changed ${names}`, why: `${why}; the change was kept until then` };
}

/** The names of the fields of a pending change: "plan, quantity". */
function namesOf(change: Presented[string] | undefined): string {
  return typeof change === 'object' && change !== null ? Object.keys(change).join(', ') : '';
}

/** A change by a request. */
export function changedSubscription(facts: EventFacts): string {
  const { object, previous, timeZone } = facts;
  const changes = [
    ...('start_date' in previous ? [`start moved to ${day(Number(object.start_date), timeZone)}`] : []),
    ...('trial_end' in previous ? [`end of its trial moved to ${day(Number(object.trial_end), timeZone)}`] : []),
    ...('paused' in previous ? [object.paused ? 'paused' : resumptionOf(facts)] : []),
    ...('pause_at_period_end' in previous && !('paused' in previous) ? [plannedPauseOf(object)] : []),
    ...('cancel_at_period_end' in previous ? [endOf(object)] : []),
    ...('pending_change' in previous ? [keptChangeOf(facts)] : []),
    ...(isCountedAnew(facts) ? [`changed to ${idOf(object.plan)}: its periods are counted from then`] : []),
    ...('addons' in previous ? [`add-ons: ${addonsOf(object).join(' + ') || 'none'}`] : []),
  ];
  return changes.join('; ') || generally(facts);
}

function plannedPauseOf({ pause_at_period_end: isPlanned }: Presented): string {
  return isPlanned ? 'set to pause at the end of its period' : 'no longer set to pause';
}

function endOf({ cancel_at_period_end: isSet, cycles }: Presented): string {
  const end = `set to end with its ${typeof cycles === 'number' ? 'contract' : 'period'}`;
  return isSet ? end : `no longer ${end}`;
}

/** A pending change that was kept, changed or dropped. */
function keptChangeOf({ object, previous }: EventFacts): string {
  const [before, after] = [namesOf(previous.pending_change), namesOf(object.pending_change)];
  if (after === '') return `dropped the kept change of ${before}`;
  const when = typeof object.cycles === 'number' ? 'next contract' : 'next period';
  return before === '' ? `kept a change of ${after} for the ${when}` : `changed the kept change, now of ${after}`;
}

/** Whether a plan of another interval began a period at once. */
function isCountedAnew({ object, previous }: EventFacts): boolean {
  return 'plan' in previous && typeof previous.period_end === 'number' && previous.period_end !== object.period_end;
}

/** Maximum number of add-ons that a text names. */
const NAMED_ADDONS = 3;

/** The add-ons of a subscription in words: "seats x 5". */
export function addonsOf({ addons }: Presented): string[] {
  if (!Array.isArray(addons)) return [];
  const named = addons.slice(0, NAMED_ADDONS).map((addon) => {
    const sold = idOf(member(addon, 'plan')) || idOf(member(addon, 'catalog_item'));
    return `${sold} x ${text(member(addon, 'quantity'))}`;
  });
  return addons.length > NAMED_ADDONS ? [...named, `${addons.length - NAMED_ADDONS} more`] : named;
}

/** The current period of a subscription, or its trial. */
function spanOf({ period_start: from, period_end: to }: Presented, zone: string): string {
  return `${day(Number(from), zone)} to ${day(Number(to), zone)}`;
}
