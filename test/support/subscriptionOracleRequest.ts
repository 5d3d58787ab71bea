import { checkProrationDate } from './subscriptionOracleDates.ts';
import { lastSnapDay, periodOf, shortestDays } from './subscriptionOraclePeriods.ts';
import type { Cancellation } from './subscriptionOracleProcess.ts';
import { refuseIf } from './subscriptionOracleRefused.ts';
import {
  type Fields,
  isBeforeAnchor,
  openState,
  type ResumeMode,
  type Sold,
  type State,
} from './subscriptionOracleState.ts';
import { type Addon, activeCoupons, type Plan, sameInterval } from './subscriptionOracleTerms.ts';

// Requests that change a subscription of the oracle, and which of them the specification refuses.

/** One request. Absent fields change nothing. */
export interface Change extends Fields {
  at: number;
  /** Default true. */
  prorate?: boolean | 'now';
  /** Default: the time of the change. */
  prorationDate?: number;
  /** Keeps the fields as the pending change. */
  when?: 'renewal';
  /** Null drops it. */
  pendingChange?: null;
  /** A new start, before it has started. */
  start?: number;
  cancelAtPeriodEnd?: boolean;
  pause?: { at: 'now' | 'period_end'; resumeAt?: number; resumeMode?: ResumeMode };
  /** Ends a pause, or drops one that is to begin at the end of the period. */
  resume?: ResumeMode;
  /** Renews a term that waits for it. */
  renew?: { start?: 'now'; cycles?: number };
  /** Index of an invoice to void. */
  void?: number;
  cancel?: Omit<Cancellation, 'atPeriodEnd'>;
}

const FIELDS = [
  'plan',
  'quantity',
  'amount',
  'addons',
  'discounts',
  'taxes',
  'cycles',
  'renewalMode',
  'renewalCycles',
] as const;

/** The fields that a change replaces. */
export function fieldsOf(change: Fields, without: Fields = {}): Fields {
  const given = FIELDS.filter((name) => change[name] !== undefined && without[name] === undefined);
  return Object.fromEntries(given.map((name) => [name, change[name]]));
}

/** The fields of a change that differ from the present terms. Another plan needs its amount named, also the same one. */
export function changedFields({ terms, termCycles }: State, fields: Fields): Fields {
  const { plan = terms.plan, quantity, amount, addons, discounts, taxes, cycles } = fields;
  const isSamePlan = plan.id === terms.plan.id;
  const same: Record<string, boolean> = {
    plan: isSamePlan,
    quantity: Number(quantity) === Number(terms.quantity),
    amount: isSamePlan && terms.amount !== null && Number(amount) === Number(terms.amount),
    addons: JSON.stringify(addons) === JSON.stringify(terms.addons),
    discounts: idsOf(discounts) === idsOf(activeCoupons(terms).map(({ coupon }) => coupon)),
    taxes: idsOf(taxes) === idsOf(terms.taxes),
    cycles: cycles === termCycles,
  };
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !same[name]));
}

const idsOf = (all: readonly { id: string }[] = []) => JSON.stringify(all.map(({ id }) => id));

/** Most periods that a start in the past may have missed. */
const MOST_MISSED = 12;

/** Throws Refused for a subscription that cannot be sold. */
export function checkSold(sold: Sold): void {
  const { plan, start, trialEnd, snapDay = 0, billIn, billInAdvanceDays: days = 0, amount } = sold;
  refuseIf(Number(sold.quantity ?? 1) < 0, 'quantity', 'negative');
  refuseIf(snapDay > lastSnapDay(plan.interval), 'snap_to_nth_day', 'the interval does not have the day');
  const isTooEarly = days > 0 && (billIn === 'arrears' || days >= shortestDays(plan));
  refuseIf(isTooEarly, 'bill_in_advance_days', 'in arrears, or as long as a period');
  refuseIf(trialEnd !== undefined && trialEnd <= start, 'trial_end', 'not after the start');
  const thirteenth = periodOf(openState(sold).schedule, MOST_MISSED);
  const missed = billIn === 'arrears' ? thirteenth.end : thirteenth.start;
  refuseIf(missed <= (sold.createdAt ?? start), 'start_date', 'more than twelve periods are missed');
  checkRenewal(sold, sold.cycles !== undefined);
  refuseIf(isCustom(plan) ? amount === undefined : amount !== undefined, 'amount', 'only a custom plan has an amount');
  checkAddons(plan, sold.addons ?? []);
}

function checkRenewal({ renewalMode = 'none', renewalCycles = null }: Fields, hasContract: boolean): void {
  refuseIf(!hasContract && renewalMode !== 'none', 'contract_renewal_mode', 'no contract');
  refuseIf(!hasContract && renewalCycles !== null, 'contract_renewal_cycles', 'no contract');
}

/** Throws Refused for a request that changes a subscription. The due steps are taken, and it changes nothing. */
export function checkChange(state: State, change: Change): void {
  refuseIf(Number(change.quantity ?? 0) < 0, 'quantity', 'negative');
  const fields = fieldsOf(change);
  checkAddons(fields.plan ?? state.terms.plan, fields.addons ?? []);
  refuseIf(state.status !== 'live', null, `the subscription is ${state.status}`);
  if (change.when === 'renewal') checkLater(state, change, fields);
  else if (Object.keys(fields).length > 0) checkNow(state, change, fields);
  checkLife(state, change);
}

/** Starts, pauses, renewals and cancellations. */
function checkLife(state: State, { start, pause, renew, cancel, at }: Change): void {
  const hasStarted = state.billed.length > 0 || state.now >= state.start || state.sold.trialEnd !== undefined;
  refuseIf(start !== undefined && hasStarted, 'start_date', 'only before the start');
  const isPlanned = pause?.at === 'period_end';
  const ofPause = isPlanned ? 'pause_at_period_end' : 'paused';
  refuseIf(pause !== undefined && state.pendingRenewal, ofPause, 'nothing is billed before the renewal');
  refuseIf(isPlanned && state.pausedSince !== null, ofPause, 'paused already');
  refuseIf(pause?.resumeAt !== undefined && pause.resumeAt <= at, 'resume_at', 'not in the future');
  refuseIf(renew !== undefined && !state.pendingRenewal, null, 'no renewal is pending');
  const { billRemaining = false, prorate = false } = cancel ?? {};
  refuseIf(billRemaining && (state.cyclesLeft === null || prorate), 'bill_remaining', 'no contract, or prorated too');
}

/** Refuses add-ons of another interval than the plan, and amounts that their plans do not have. */
function checkAddons(plan: Plan, addons: readonly Addon[]): void {
  for (const [index, addon] of addons.entries()) {
    refuseIf(isOfOther(addon, plan), `addons[${index}][plan]`, 'another interval than the main plan');
    const sold = 'plan' in addon.product ? addon.product.plan : null;
    const isFit = sold && isCustom(sold) ? addon.amount !== undefined : addon.amount === undefined;
    refuseIf(!isFit, `addons[${index}][amount]`, 'only a custom plan has an amount');
  }
}

const isOfOther = ({ product }: Addon, plan: Plan) => 'plan' in product && !sameInterval(product.plan, plan);
const isCustom = ({ pricing }: Plan) => pricing.mode === 'custom';

function checkLater(state: State, change: Change, fields: Fields): void {
  const { cancelAtPeriodEnd = state.cancelAtPeriodEnd, pause, start } = change;
  const isLife = cancelAtPeriodEnd !== state.cancelAtPeriodEnd || pause !== undefined || start !== undefined;
  refuseIf(isLife, 'when', 'only the price, discounts and taxes wait');
  refuseIf(change.pendingChange === null, 'pending_change', 'kept and dropped');
  refuseIf(change.prorationDate !== undefined, 'proration_date', 'not prorated');
  if (fields.plan) checkInterval(state, Object.assign(fieldsOf(state.pendingChange ?? {}), fields));
  refuseIf(fields.cycles !== undefined && state.cyclesLeft === null, 'cycles', 'no contract');
}

function checkNow(state: State, change: Change, fields: Fields): void {
  const { terms, cyclesLeft, pendingRenewal } = state;
  const { plan = terms.plan, amount, cycles } = fields;
  const hasContract = cyclesLeft !== null;
  checkRenewal(fields, hasContract);
  const moves = !sameInterval(terms.plan, plan);
  checkProrationDate(state, change.prorationDate, moves && !isBeforeAnchor(state));
  const isAgreed = amount !== undefined || (plan.id === terms.plan.id && terms.amount !== null);
  refuseIf(isCustom(plan) ? !isAgreed : amount !== undefined, 'amount', 'only a custom plan has an amount');
  const addons = fields.addons ?? terms.addons;
  refuseIf(
    addons.some((addon) => isOfOther(addon, plan)),
    'plan',
    'another interval than an add-on',
  );
  checkInterval(state, fields);
  refuseIf(cycles !== undefined && !hasContract, 'cycles', 'no contract');
  refuseIf(cycles !== undefined && pendingRenewal, 'cycles', 'the contract has ended');
  const billed = moves ? 0 : (state.termCycles ?? 0) - (cyclesLeft ?? 0);
  refuseIf((cycles ?? billed) < billed, 'cycles', `${billed} are already billed`);
  checkKept(state, change, { plan, addons });
}

/** Refuses a plan of another interval without the cycles of a term, and one without the snap day. */
function checkInterval(state: State, { plan, cycles }: Fields): void {
  const { terms, choices, schedule, cyclesLeft } = state;
  if (!plan || sameInterval(terms.plan, plan)) return;
  const lacksDay = choices.snapThatPlanLacks === 'refuse' && (schedule.snapDay ?? 0) > lastSnapDay(plan.interval);
  refuseIf(lacksDay, 'plan', 'the interval does not have the snap day');
  const isShort = (state.sold.billInAdvanceDays ?? 0) >= shortestDays(plan);
  refuseIf(isShort, 'plan', 'the interval is not longer than the days of bills ahead');
  refuseIf(state.pendingRenewal, 'plan', 'the contract waits for its renewal');
  const isInTerm = choices.cyclesBeforeStart === 'named' || !isBeforeAnchor(state);
  const lacksCycles = cyclesLeft !== null && cycles === undefined && isInTerm;
  refuseIf(lacksCycles, 'cycles', 'a change of the interval in a term needs the cycles of the new term');
}

/** Refuses a change after which the pending change no longer fits. */
function checkKept({ pendingChange }: State, change: Change, after: { plan: Plan; addons: readonly Addon[] }): void {
  if (!pendingChange || change.pendingChange === null) return;
  const { plan = after.plan, addons = after.addons } = fieldsOf(pendingChange, fieldsOf(change));
  refuseIf(
    addons.some((addon) => isOfOther(addon, plan)),
    'pending_change',
    'another interval than an add-on',
  );
}
