import { takeBackAhead } from './subscriptionOracleAhead.ts';
import { beginStretch, billArrears, closeArrears } from './subscriptionOracleArrears.ts';
import { currentPeriod } from './subscriptionOracleDates.ts';
import { couponsIn, couponsOf, isApplied, withUsed } from './subscriptionOracleInvoice.ts';
import { couponsNow, issue } from './subscriptionOracleIssue.ts';
import { endPause, pause, resume } from './subscriptionOraclePauses.ts';
import { type Period, periodOf, shareOf } from './subscriptionOraclePeriods.ts';
import { chargedIn, creditAll, partLine, wholeLines } from './subscriptionOracleProration.ts';
import {
  type BilledPeriod,
  boundaryOf,
  type Fields,
  isArrears,
  isBeforeAnchor,
  nextBillAt,
  nextPeriod,
  openSegment,
  periodAt,
  type ResumeMode,
  type State,
} from './subscriptionOracleState.ts';
import {
  type Attached,
  activeCoupons,
  attach,
  componentsOf,
  sameInterval,
  type Terms,
} from './subscriptionOracleTerms.ts';

// Steps of the oracle of subscriptions that are due at a time: bills, renewals, pauses and ends.

interface Step {
  at: number;
  take: (state: State) => void;
}

/** Takes all steps that are due until an instant, in order. A step of that very instant comes before a change of it. */
export function runUntil(state: State, at: number): void {
  for (let step = nextStep(state); step && step.at <= at; step = nextStep(state)) {
    state.now = Math.max(state.now, step.at);
    step.take(state);
  }
  state.now = Math.max(state.now, at);
}

/** The first step that is due. At one instant: resume, end, pause, renewal or finish, bill. */
function nextStep(state: State): Step | undefined {
  if (state.status !== 'live') return undefined;
  const steps: Step[] = [];
  const { resumeAt, resumeMode, pauseAt, cyclesLeft } = state;
  const isPaused = state.pausedSince !== null;
  if (isPaused && resumeAt !== null) steps.push({ at: resumeAt, take: () => endPauseWith(state, resumeMode) });
  const endAt = endOf(state);
  if (endAt !== null) steps.push({ at: endAt, take: () => cancel(state, { atPeriodEnd: true }) });
  if (pauseAt !== null) steps.push({ at: pauseAt, take: pause });
  const isOver = cyclesLeft === 0 && !state.pendingRenewal;
  const renews = state.renewalMode === 'auto' || state.renewalMode === 'renew_once';
  if (isOver && !renews) steps.push({ at: boundaryOf(state), take: endTerm });
  const waits = isOver && (!renews || (state.choices.aheadOpens && state.pendingChange !== null && !isArrears(state)));
  const isBarred = state.pendingRenewal || waits || (isPaused && !isArrears(state));
  const { start } = nextPeriod(state);
  const isPastEnd = (endAt !== null && start >= endAt) || (pauseAt !== null && start >= pauseAt);
  // A term without a cycle left ends during a pause, too.
  const { aheadOpens } = state.choices;
  const renewsAlone = isOver && renews && !isArrears(state) && (isPaused || aheadOpens);
  if (renewsAlone) steps.push({ at: boundaryOf(state), take: renewTerm });
  if (state.ahead) steps.push({ at: state.ahead.start, take: beginAhead });
  if (!isBarred && !isPastEnd) steps.push({ at: nextBillAt(state), take: isArrears(state) ? billBehind : billAhead });
  return steps.reduce<Step | undefined>((first, step) => (first && first.at <= step.at ? first : step), undefined);
}

/**
 * The time at which `cancel_at_period_end` takes effect: the end of the period or of the last cycle of a term. Between two periods, the start
 * of the next one. Null: cycles are left.
 */
function endOf(state: State): number | null {
  if (!state.cancelAtPeriodEnd) return null;
  if (state.pendingRenewal) return state.now;
  const period = periodAt(state, state.now);
  if (!period) throw new Error('a subscription that has not started has no period to end');
  const isBetween = currentPeriod(state) === null;
  const { schedule, segment, sold, now } = state;
  const endsTrialNow = isBetween && segment === 0 && sold.trialEnd !== undefined && schedule.anchor === now;
  if (isBeforeAnchor(state)) return period.end;
  if (endsTrialNow) return now;
  if (state.cyclesLeft !== null) return state.cyclesLeft === 0 ? boundaryOf(state) : null; // a pause lengthens the term
  const lastBilled = state.choices.cancelAtEndOf === 'lastBilled' ? state.billed.at(-1)?.end : undefined;
  if (lastBilled !== undefined) return lastBilled;
  return isBetween && period.start === now ? now : period.end;
}

/** Bills the next period in advance, after the renewal that begins with it. */
function billAhead(state: State): void {
  const date = nextBillAt(state);
  const opens = state.choices.aheadOpens && date < nextPeriod(state).start;
  if (!opens || state.cyclesLeft !== 0) renewTerm(state);
  const { choices, sold, next: n } = state;
  const period = nextPeriod(state);
  const isShort = period.wholeStart < period.start;
  const share = shareOf(period.end - period.start, period.end - period.wholeStart);
  const used = activeCoupons(state.terms);
  const components = componentsOf(state.terms);
  const lines = components.flatMap((one) =>
    isShort ? [partLine(one, period, { share, state })] : wholeLines(one, period, choices),
  );
  for (const one of components) {
    const own = lines.filter(({ component }) => component === one.id);
    const span = { from: period.start, to: period.end, start: period.start, end: period.end };
    const unknown = { net: shareOf(0, 1), taxes: [], invoice: null };
    state.covers.push({ component: one.id, product: one.product, ...span, lines: own, ...unknown });
  }
  state.next += 1;
  const coupons = isShort ? couponsIn(used, { share, choices, currency: sold.currency }) : couponsOf(used);
  const invoice = issue(state, { kind: 'period', n, date, period }, { lines, coupons });
  if (!invoice) throw new Error('a bill of a period has lines');
  const prices = new Map(components.map((one) => [one.id, chargedIn(period, one, state)]));
  const billed = { ...period, invoice, coupons, prices, instant: null };
  state.billed.push(billed);
  if (opens) state.ahead = billed;
  else countBilled(state, { period, used });
}

function countBilled(state: State, { period, used }: { period: Period; used: readonly Attached[] }): void {
  const { choices } = state;
  const isShort = period.wholeStart < period.start;
  if (!isShort && state.cyclesLeft !== null) state.cyclesLeft -= 1;
  if (isShort && !choices.shortPeriodUsesCoupon) return;
  state.terms = withUsed(state.terms, used, choices);
}

/** Begins a period that was billed ahead. It uses the coupons that its invoice has. */
function beginAhead(state: State): void {
  const { ahead, terms } = state;
  if (!ahead) throw new Error('no period is billed ahead');
  state.ahead = null;
  const used = terms.coupons.filter(({ coupon }) => ahead.invoice.coupons.includes(coupon.id));
  countBilled(state, { period: ahead, used });
}

/** Resumes. A period that begins just then has the pending change of a subscription without a contract. In advance its bill applies it. */
export function endPauseWith(state: State, mode: ResumeMode): void {
  resume(state, mode);
  const begins = nextPeriod(state).start === state.now;
  if (isArrears(state) && state.cyclesLeft === null && begins) renewTerm(state);
}

function billBehind(state: State): void {
  billArrears(state);
  const isLast = state.cancelAtPeriodEnd || ['none', 'manual'].includes(state.renewalMode);
  const waits = state.cyclesLeft === 0 && isLast;
  const beginsNone = state.cyclesLeft === null && state.pausedSince !== null;
  if (!waits && !beginsNone) renewTerm(state);
}

/**
 * Begins a new term if the present one has no cycle left. Applies the pending change at the end of a term, or at once
 * without a contract.
 */
export function renewTerm(state: State, given?: { cycles?: number }): void {
  const boundary = boundaryOf(state);
  const ends = state.cyclesLeft === 0;
  const change = ends || state.cyclesLeft === null ? state.pendingChange : null;
  if (ends) {
    const cycles = given?.cycles ?? change?.cycles ?? state.renewalCycles ?? state.termCycles;
    [state.cyclesLeft, state.termCycles, state.termStart] = [cycles, cycles, boundary];
    if (state.renewalMode === 'renew_once') state.renewalMode = 'none';
  }
  if (!change) return;
  state.pendingChange = null;
  const after = changedTerms(state.terms, withoutUsedUp(state, change));
  if (!sameInterval(state.terms.plan, after.plan)) openSegment(state, boundary, after.plan);
  beginStretch(state, boundary, after);
  applyRenewalFields(state, change);
}

/** Without coupons that the subscription had when the change was requested, and that are used up since. */
function withoutUsedUp({ terms, choices, attachedAtRequest }: State, change: Fields): Fields {
  if (!change.discounts || choices.usedUpCouponAgain === 'spent') return change;
  const isAttached = (id: string) => terms.coupons.some(({ coupon }) => coupon.id === id);
  const discounts = change.discounts.filter(({ id }) => !attachedAtRequest.includes(id) || isAttached(id));
  return { ...change, discounts };
}

export function applyRenewalFields(state: State, { renewalMode, renewalCycles }: Fields): void {
  if (renewalMode !== undefined) state.renewalMode = renewalMode;
  if (renewalCycles !== undefined) state.renewalCycles = renewalCycles;
}

export function changedTerms(before: Terms, change: Fields): Terms {
  return {
    plan: change.plan ?? before.plan,
    quantity: change.quantity ?? before.quantity,
    amount: change.amount ?? before.amount,
    addons: change.addons ?? before.addons,
    coupons: change.discounts ? attach(change.discounts, before.coupons) : before.coupons,
    taxes: change.taxes ?? before.taxes,
  };
}

/** The end of a term that does not renew by itself. */
function endTerm(state: State): void {
  if (state.renewalMode === 'manual') {
    state.pendingRenewal = true;
    endPause(state);
    return;
  }
  endWith(state, 'finished');
}

function endWith(state: State, status: 'canceled' | 'finished'): void {
  issue(state, { kind: 'final', n: null, date: state.now, period: null }, { lines: [], coupons: couponsNow(state) });
  state.status = status;
  state.pendingChange = null;
}

export interface Cancellation {
  prorate?: boolean;
  billRemaining?: boolean;
  atPeriodEnd?: boolean;
}

export function cancel(state: State, how: Cancellation): void {
  const { prorate = false, billRemaining = false, atPeriodEnd = false } = how;
  const { now, choices } = state;
  const hasBegun = !isBeforeAnchor(state) && !state.pendingRenewal;
  if (billRemaining && hasBegun) state.pending.push(...remainingLines(state));
  if (!isArrears(state) && !billRemaining) {
    const notBegun = state.billed.filter(({ start }) => start > now || (atPeriodEnd && start >= now));
    if (choices.aheadOpens) takeBackAhead(state);
    else for (const period of notBegun) takeBack(state, period);
    if (prorate) creditAll(state, now);
  }
  if (isArrears(state) && hasBegun) {
    const whole = billRemaining || (!prorate && choices.arrearsCancel === 'whole');
    if (nextPeriod(state).end === now) billArrears(state);
    else closeArrears(state, now, { kind: 'final', whole });
  }
  endWith(state, 'canceled');
}

/** Voids the invoice of a period. Credits it where something is applied, or a change of the period was prorated. */
function takeBack(state: State, { start, end, invoice }: BilledPeriod): void {
  const prorated = [...state.pending, ...state.invoices.flatMap(({ lines }) => lines)].filter(
    ({ kind, periodStart }) => (kind === 'charge' || kind === 'credit') && start <= periodStart && periodStart < end,
  );
  if (!isApplied(invoice, state.sold.invoicesArePaid === true) && prorated.length === 0) {
    voidInvoice(state, state.invoices.indexOf(invoice), 'cancellation');
  } else creditAll(state, start);
}

export function voidInvoice(state: State, at: number, by: 'cancellation' | 'always'): void {
  const invoice = state.invoices[at];
  if (!invoice || invoice.voided) throw new Error(`there is no invoice ${at} to void`);
  if (isApplied(invoice, state.sold.invoicesArePaid === true)) throw new Error('something is applied to it');
  invoice.voided = true;
  const rule = state.choices.voidReturnsPending;
  if (rule !== 'always' && rule !== by) return;
  const taken = invoice.lines.filter(({ kind }) => kind === 'charge' || kind === 'credit').map(({ source }) => source);
  state.pending.push(...taken);
  for (const cover of state.covers) if (cover.lines.some((line) => taken.includes(line))) cover.invoice = null;
}

/** Bills each component for each whole period of the term that has not begun and is not billed. */
function remainingLines(state: State): ReturnType<typeof wholeLines> {
  const begun = isArrears(state) ? 1 : 0;
  const count = Math.max((state.cyclesLeft ?? 0) - begun, 0);
  const periods = Array.from({ length: count }, (_, index) => periodOf(state.schedule, state.next + begun + index));
  const lines = periods.flatMap((period) =>
    componentsOf(state.terms).flatMap((component) => wholeLines(component, period, state.choices)),
  );
  return lines.map((line) => ({ ...line, kind: 'remaining' }));
}
