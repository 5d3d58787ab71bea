import { takeBackAhead, takeBackUnlessBegins } from './subscriptionOracleAhead.ts';
import { beginStretch, closeArrears, replaceComponents, replaceTerms } from './subscriptionOracleArrears.ts';
import { couponsOf } from './subscriptionOracleInvoice.ts';
import { pause, resume } from './subscriptionOraclePauses.ts';
import { lastSnapDay, shortestDays } from './subscriptionOraclePeriods.ts';
import {
  applyRenewalFields,
  type Cancellation,
  cancel,
  changedTerms,
  renewTerm,
  runUntil,
  voidInvoice,
} from './subscriptionOracleProcess.ts';
import { creditAll, prorate } from './subscriptionOracleProration.ts';
import {
  couponsNow,
  type Fields,
  isArrears,
  isBeforeAnchor,
  issue,
  openSegment,
  periodAt,
  type ResumeMode,
  type State,
} from './subscriptionOracleState.ts';
import { attach, sameInterval, type Terms } from './subscriptionOracleTerms.ts';

// Requests that change a subscription of the oracle.

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

/** A request that the specification refuses. */
export class Refused extends Error {
  readonly param: string;

  constructor(param: string, message: string) {
    super(`${param}: ${message}`);
    this.param = param;
  }
}

/** Takes all steps that are due until the change, applies it, and takes the steps that it makes due at once. */
export function applyChange(state: State, change: Change): void {
  if (change.at < state.now) throw new Error('changes go forward in time');
  runUntil(state, change.at);
  if (state.status !== 'live') throw new Refused('status', `the subscription is ${state.status}`);
  if (change.void !== undefined) voidInvoice(state, change.void, 'always');
  if (change.start !== undefined) moveStart(state, change.start);
  if (change.pendingChange === null) state.pendingChange = null;
  const fields = fieldsOf(change);
  if (change.when === 'renewal') changeLater(state, fields);
  else if (Object.keys(fields).length > 0) changeNow(state, change, fields);
  if (change.renew) renew(state, change.renew);
  changePause(state, change);
  if (change.cancelAtPeriodEnd !== undefined) {
    if (!change.cancelAtPeriodEnd && state.cancelAtPeriodEnd) state.billableSince = change.at;
    state.cancelAtPeriodEnd = change.cancelAtPeriodEnd;
  }
  if (change.cancel) cancel(state, change.cancel);
  if (state.choices.aheadOpens) takeBackUnlessBegins(state);
  runUntil(state, change.at);
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

function fieldsOf(change: Fields, without: Fields = {}): Fields {
  const given = FIELDS.filter((name) => change[name] !== undefined && without[name] === undefined);
  return Object.fromEntries(given.map((name) => [name, change[name]]));
}

function changeLater(state: State, fields: Fields): void {
  if (fields.plan) checkInterval(state, fields);
  if (fields.discounts) state.attachedAtRequest = state.terms.coupons.map(({ coupon }) => coupon.id);
  state.pendingChange = { ...state.pendingChange, ...fields };
}

/** Refuses a plan of another interval without the cycles of a term, and one without the snap day. */
function checkInterval(state: State, { plan, cycles }: Fields): void {
  const { terms, choices, schedule, cyclesLeft } = state;
  if (!plan || sameInterval(terms.plan, plan)) return;
  if (choices.snapThatPlanLacks === 'refuse' && (schedule.snapDay ?? 0) > lastSnapDay(plan.interval))
    throw new Refused('plan', 'the interval does not have the snap day');
  if ((state.sold.billInAdvanceDays ?? 0) >= shortestDays(plan))
    throw new Refused('plan', 'the interval is not longer than the days of bills ahead');
  const isInTerm = choices.cyclesBeforeStart === 'named' || !isBeforeAnchor(state);
  if (cyclesLeft !== null && cycles === undefined && isInTerm)
    throw new Refused('cycles', 'a change of the interval in a term needs the cycles of the new term');
}

function changeNow(state: State, change: Change, fields: Fields): void {
  dropFromPending(state, fields);
  const before = state.terms;
  const after = changedTerms(before, fields);
  checkAddons(after);
  const movesInterval = !sameInterval(before.plan, after.plan);
  checkInterval(state, fields);
  const from = prorationDate(state, change);
  applyRenewalFields(state, fields);
  if (fields.renewalMode !== undefined) state.billableSince = change.at;
  state.lastChange = from;
  if (isBeforeAnchor(state) && state.billed.length === 0) changeUnbegun(state, after);
  else if (movesInterval) changeInterval(state, after, { from, credits: change.prorate !== false });
  else if (isArrears(state)) changeInArrears(state, after, { from, divides: change.prorate !== false });
  else changeInAdvance(state, after, { from, prorate: change.prorate ?? true });
  if (fields.cycles !== undefined) changeCycles(state, fields.cycles, movesInterval);
}

function dropFromPending(state: State, fields: Fields): void {
  if (!state.pendingChange) return;
  const left = fieldsOf(state.pendingChange, fields);
  state.pendingChange = Object.keys(left).length > 0 ? left : null;
}

function checkAddons({ plan, addons }: Terms): void {
  const bad = addons.findIndex(({ product }) => 'plan' in product && !sameInterval(product.plan, plan));
  if (bad >= 0) throw new Refused(`addons[${bad}][plan]`, 'another interval than the main plan');
}

/** A date between the current period's last change and now. */
function prorationDate(state: State, { prorationDate: date, at }: Change): number {
  if (date === undefined) return at;
  if (date < earliestProration(state) || date > at)
    throw new Refused('proration_date', "not between the period's last change and now");
  return date;
}

/** The start of the current period, or its last change. */
export function earliestProration(state: State): number {
  return Math.max(periodAt(state, state.now)?.start ?? state.now, state.lastChange);
}

/** Before the start and in a trial nothing is prorated, and the first period keeps its start. */
function changeUnbegun(state: State, after: Terms): void {
  if (!sameInterval(state.terms.plan, after.plan)) {
    const { segment, former, segmentSince, schedule } = state;
    openSegment(state, schedule.anchor, after.plan);
    state.segment = segment;
    state.former = former;
    state.segmentSince = segmentSince;
  }
  replaceTerms(state, after);
}

/** Opens a segment. The rest of the old period is credited; in arrears, the part before is billed. */
function changeInterval(state: State, after: Terms, change: { from: number; credits: boolean }): void {
  if (isBeforeAnchor(state)) throw new Error('not modelled: another interval after a bill ahead of the first period');
  const had = couponsOf(state.terms.coupons);
  if (state.choices.aheadOpens) takeBackAhead(state);
  if (isArrears(state)) closeArrears(state, change.from, { kind: 'closing', whole: false });
  else if (change.credits) creditAll(state, change.from);
  openSegment(state, change.from, after.plan);
  const has = couponsOf(state.terms.coupons);
  const left = couponsOf(after.coupons).filter((coupon) => has.includes(coupon) || !had.includes(coupon));
  const coupons = attach(left, state.terms.coupons);
  beginStretch(state, change.from, { ...after, coupons });
}

function changeInArrears(state: State, after: Terms, change: { from: number; divides: boolean }): void {
  const rule = state.choices.arrearsWithoutProration;
  if (change.divides || rule === 'boundary') beginStretch(state, change.from, after);
  else if (rule === 'laterTermsOfComponent') replaceComponents(state, after);
  else replaceTerms(state, after);
}

function changeInAdvance(state: State, after: Terms, change: { from: number; prorate: boolean | 'now' }): void {
  const before = state.terms;
  const isPaused = state.pausedSince !== null;
  beginStretch(state, change.from, after);
  if (change.prorate === false || (isPaused && !state.choices.prorateWhilePaused)) return;
  const known = state.pending.length;
  prorate(state, { before, after, from: change.from });
  if (state.pending.length === known && !state.choices.nowWithoutLines) return;
  const facts = { kind: 'now', n: null, date: state.now, period: null } as const;
  if (change.prorate === 'now') issue(state, facts, { lines: [], coupons: couponsNow(state) });
}

/** A new term begins with a new interval. Otherwise the length of the present term changes. */
function changeCycles(state: State, cycles: number, isNewTerm: boolean): void {
  const billed = isNewTerm ? 0 : (state.termCycles ?? 0) - (state.cyclesLeft ?? 0);
  if (cycles < billed) throw new Refused('cycles', `${billed} are already billed`);
  if (isNewTerm) state.termStart = state.schedule.anchor;
  state.termCycles = cycles;
  state.cyclesLeft = cycles - billed;
}

function moveStart(state: State, start: number): void {
  const hasStarted = state.billed.length > 0 || state.now >= state.start;
  if (hasStarted || state.sold.trialEnd !== undefined) throw new Refused('start_date', 'only before the start');
  state.start = start;
  state.schedule = { ...state.schedule, anchor: start };
  state.termStart = start;
}

function renew(state: State, { start, cycles }: { start?: 'now'; cycles?: number }): void {
  if (!state.pendingRenewal) throw new Refused('renew', 'no renewal is pending');
  state.pendingRenewal = false;
  if (start === 'now') openSegment(state, state.now, state.terms.plan);
  renewTerm(state, cycles === undefined ? {} : { cycles });
}

function changePause(state: State, change: Change): void {
  if (change.pause) {
    const { at, resumeAt = null, resumeMode = 'continue' } = change.pause;
    state.resumeAt = resumeAt;
    state.resumeMode = resumeMode;
    if (at === 'now') pause(state);
    else state.pauseAt = periodAt(state, state.now)?.end ?? null;
  }
  if (change.resume) {
    if (state.pauseAt !== null) state.resumeAt = null;
    state.pauseAt = null;
    if (state.pausedSince !== null) resume(state, change.resume);
  }
}
