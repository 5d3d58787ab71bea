import { takeBackAhead, takeBackUnlessBegins } from './subscriptionOracleAhead.ts';
import { beginStretch, closeArrears, replaceComponents, replaceTerms } from './subscriptionOracleArrears.ts';
import { couponsOf } from './subscriptionOracleInvoice.ts';
import { couponsNow, issue } from './subscriptionOracleIssue.ts';
import { pauseByRequest } from './subscriptionOraclePauses.ts';
import {
  applyRenewalFields,
  cancel,
  changedTerms,
  endPauseWith,
  renewTerm,
  runUntil,
  voidInvoice,
} from './subscriptionOracleProcess.ts';
import { creditAll, prorate } from './subscriptionOracleProration.ts';
import { type Change, changedFields, checkChange, fieldsOf } from './subscriptionOracleRequest.ts';
import {
  type Fields,
  isArrears,
  isBeforeAnchor,
  openSegment,
  periodAt,
  type State,
} from './subscriptionOracleState.ts';
import { attach, sameInterval, type Terms } from './subscriptionOracleTerms.ts';

// Changes of a subscription of the oracle.

/** Takes all steps that are due until the change, applies it, and takes the steps that it makes due at once. Throws Refused. */
export function applyChange(state: State, change: Change): void {
  if (change.at < state.now) throw new Error('changes go forward in time');
  runUntil(state, change.at);
  checkChange(state, change);
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

function changeLater(state: State, fields: Fields): void {
  if (fields.discounts) state.attachedAtRequest = state.terms.coupons.map(({ coupon }) => coupon.id);
  const changed = changedFields(state, fields);
  // A plan replaces the amount that an earlier request agreed for another one.
  const replaced = fields.plan ? { ...fields, amount: '' } : fields;
  const kept = { ...fieldsOf(state.pendingChange ?? {}, replaced), ...changed };
  if (fields.cycles !== undefined) kept.cycles = fields.cycles; // of the next contract, so never the present ones
  state.pendingChange = Object.keys(kept).length > 0 ? kept : null;
}

function changeNow(state: State, change: Change, fields: Fields): void {
  dropFromPending(state, changedFields(state, fields));
  const before = state.terms;
  const after = changedTerms(before, fields);
  const movesInterval = !sameInterval(before.plan, after.plan);
  const from = change.prorationDate ?? change.at;
  applyRenewalFields(state, fields);
  if (fields.renewalMode !== undefined) state.billableSince = change.at;
  state.lastChange = from;
  if (isBeforeAnchor(state) && state.billed.length === 0) changeUnbegun(state, after);
  else if (movesInterval) changeInterval(state, after, { from, prorate: change.prorate ?? true });
  else if (isArrears(state)) changeInArrears(state, after, { from, divides: change.prorate !== false });
  else changeInAdvance(state, after, { from, prorate: change.prorate ?? true });
  if (fields.cycles !== undefined) changeCycles(state, fields.cycles, movesInterval);
}

function dropFromPending(state: State, fields: Fields): void {
  if (!state.pendingChange) return;
  const left = fieldsOf(state.pendingChange, fields.plan ? { ...fields, amount: '' } : fields);
  state.pendingChange = Object.keys(left).length > 0 ? left : null;
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

/**
 * Opens a segment. The rest of the old period is credited; in arrears, the part before is billed. During a pause nothing begins, so that the
 * credit waits for a bill, unless it is to be billed now.
 */
function changeInterval(state: State, after: Terms, change: { from: number; prorate: boolean | 'now' }): void {
  if (isBeforeAnchor(state)) throw new Error('not modelled: another interval after a bill ahead of the first period');
  const had = couponsOf(state.terms.coupons);
  if (state.choices.aheadOpens) takeBackAhead(state);
  const known = state.pending.length;
  if (isArrears(state)) closeArrears(state, change.from, { kind: 'closing', whole: false });
  else if (change.prorate !== false) creditAll(state, change.from);
  if (state.pausedSince !== null && change.prorate === 'now' && state.pending.length > known) billNow(state);
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
  if (change.prorate === 'now') billNow(state);
}

/** Bills the pending lines at once. */
function billNow(state: State): void {
  const facts = { kind: 'now', n: null, date: state.now, period: null } as const;
  issue(state, facts, { lines: [], coupons: couponsNow(state) });
}

/** A new term begins with a new interval. Otherwise the length of the present term changes. */
function changeCycles(state: State, cycles: number, isNewTerm: boolean): void {
  const billed = isNewTerm ? 0 : (state.termCycles ?? 0) - (state.cyclesLeft ?? 0);
  if (isNewTerm) state.termStart = state.schedule.anchor;
  state.termCycles = cycles;
  state.cyclesLeft = cycles - billed;
}

function moveStart(state: State, start: number): void {
  state.start = start;
  state.schedule = { ...state.schedule, anchor: start };
  state.termStart = start;
}

function renew(state: State, { start, cycles }: { start?: 'now'; cycles?: number }): void {
  state.pendingRenewal = false;
  if (start === 'now') openSegment(state, state.now, state.terms.plan);
  renewTerm(state, cycles === undefined ? {} : { cycles });
}

function changePause(state: State, change: Change): void {
  if (change.pause) {
    const { at, resumeAt = null, resumeMode = 'continue' } = change.pause;
    if (at === 'now') pauseByRequest(state, change.pause);
    else {
      state.resumeAt = resumeAt;
      state.resumeMode = resumeMode;
      state.pauseAt = periodAt(state, state.now)?.end ?? null;
    }
  }
  if (change.resume) {
    if (state.pauseAt !== null) state.resumeAt = null;
    state.pauseAt = null;
    if (state.pausedSince !== null) endPauseWith(state, change.resume);
  }
}
