import { earliestProration } from './subscriptionOracleDates.ts';
import { isApplied } from './subscriptionOracleInvoice.ts';
import { lastSnapDay, shortestDays } from './subscriptionOraclePeriods.ts';
import type { Change } from './subscriptionOracleRequest.ts';
import {
  type Fields,
  isArrears,
  isBeforeAnchor,
  periodAt,
  type RenewalMode,
  type State,
} from './subscriptionOracleState.ts';
import { type Addon, type Plan, sameInterval } from './subscriptionOracleTerms.ts';
import { addonBy, amountFor, chosen, EVERY, type Every, planBy, RATES, someOf } from './subscriptionProducts.ts';
import type { Features } from './subscriptionSpace.ts';

// Random changes that fit the state of a subscription.

export interface RandomStep {
  kind: number;
  by: number[];
  gap: number | 'boundary';
  prorate: boolean | 'now';
  backdated: number | null;
}

/** A change that the state allows. */
export function changeBy(state: State, step: RandomStep, space: Features): Change {
  const { kind } = step;
  const at = state.now;
  if (state.pendingRenewal) return pendingRenewalBy(at, kind);
  const resumes = state.pausedSince !== null && (step.by[2] ?? 0) % 5 < 2;
  if (resumes || (state.pausedSince !== null && !space.pausedChanges))
    return { at, resume: kind % 2 === 0 ? 'continue' : 'new' };
  const pausing =
    space.mostlyPauses && state.pausedSince === null && kind % 2 === 0 ? anyPauseBy(state, step, space) : null;
  if (pausing) return { at, ...pausing };
  const special = kind % 3 === 0 ? lifeChangeBy(state, step, space) : null;
  if (special) return { at, ...special };
  const movesInterval = kind % 11 === 1 && canMoveInterval(state, space);
  const fields = movesInterval ? otherIntervalBy(state, step) : fieldsBy(state, step, space);
  const drops = state.pendingChange !== null && (movesInterval || pendingMovesInterval(state));
  const request: Change = { at, ...fields, ...(drops ? { pendingChange: null } : {}) };
  // After a bill ahead with another interval, the rest of the old period would have the terms of the new one.
  const bills = movesInterval && state.sold.billInAdvanceDays !== undefined;
  const waits = kind % 7 === 0 && space.renewalChanges && !isBeforeAnchor(state) && !bills && !drops;
  if (waits) return { ...request, when: 'renewal' };
  const prorate = step.prorate === false && !space.unprorated ? true : step.prorate;
  return { ...request, ...(movesInterval ? {} : backdatedBy(state, step, space)), prorate };
}

function pendingMovesInterval({ pendingChange, terms }: State): boolean {
  return pendingChange?.plan !== undefined && !sameInterval(pendingChange.plan, terms.plan);
}

function pendingRenewalBy(at: number, kind: number): Change {
  if (kind % 4 === 0) return { at, cancel: {} };
  const cycles = kind % 8 < 4 ? { cycles: 1 + (kind % 3) } : {};
  return { at, renew: kind % 4 === 1 ? { start: 'now', ...cycles } : cycles };
}

function backdatedBy(state: State, { backdated }: RandomStep, space: Features): { prorationDate?: number } {
  const earliest = earliestProration(state);
  if (backdated === null || !space.backdated || isBeforeAnchor(state) || earliest === null) return {};
  const seconds = Math.floor(((state.now - earliest) * backdated) / 100_000);
  return { prorationDate: earliest + seconds * 1000 };
}

/** Pauses, ends, voids and modes of renewal. */
function lifeChangeBy(state: State, { kind, by }: RandomStep, space: Features): Partial<Change> | null {
  const [pick = 0, other = 0] = by;
  const kinds: (Partial<Change> | null)[] = [
    state.pauseAt === null ? anyPauseBy(state, { by }, space) : { resume: 'continue' },
    space.cancellations && state.now >= state.start && state.pauseAt === null
      ? { cancelAtPeriodEnd: !state.cancelAtPeriodEnd }
      : null,
    space.cancellations && pick % 3 === 0 ? { cancel: { prorate: other % 2 === 0 } } : null,
    space.voids ? voidBy(state, pick) : null,
    state.cyclesLeft !== null ? { renewalMode: chosen<RenewalMode>(['auto', 'manual', 'none'], pick) } : null,
    state.pendingChange ? { pendingChange: null } : null,
  ];
  return chosen(kinds, Math.floor(kind / 3));
}

/** A pause now, or at the end of the period or trial. Null: neither can be. */
function anyPauseBy(
  state: State,
  { by: [pick = 0, other = 0] }: Pick<RandomStep, 'by'>,
  space: Features,
): Pick<Change, 'pause'> | null {
  if (
    !space.pauses ||
    state.pauseAt !== null ||
    state.cancelAtPeriodEnd ||
    (isArrears(state) && !space.pausesInArrears)
  )
    return null;
  const resumeMode = other % 2 === 0 ? 'continue' : 'new';
  const days = (1 + (other % 90)) * 86_400_000 + 1000;
  const period = state.pausedSince === null ? periodAt(state, state.now) : null;
  if (space.pausesAtPeriodEnd && period && (pick % 2 === 0 || isBeforeAnchor(state))) {
    const resumeAt = period.end + days;
    return { pause: pick % 4 === 0 ? { at: 'period_end', resumeAt, resumeMode } : { at: 'period_end' } };
  }
  if (isBeforeAnchor(state)) return null;
  const resumeAt = state.now + days;
  return { pause: pick % 3 === 0 ? { at: 'now', resumeAt, resumeMode } : { at: 'now' } };
}

/** The void of an invoice of a period to which nothing is applied. */
function voidBy({ invoices, sold }: State, pick: number): { void: number } | null {
  const open = invoices.flatMap((invoice, index) => {
    const isPlain = invoice.lines.every(({ kind }) => kind === 'period');
    return isPlain && !invoice.voided && !isApplied(invoice, sold.invoicesArePaid === true) ? [index] : [];
  });
  return open.length === 0 ? null : { void: chosen(open, pick) };
}

/** Not after a bill ahead of the first period, which is not modelled, and not before an end or pause at the period end. */
function canMoveInterval(state: State, space: Features): boolean {
  const isBilledAhead = isBeforeAnchor(state) && state.billed.length > 0;
  if (otherIntervals(state).length === 0) return false;
  return space.intervals && !state.cancelAtPeriodEnd && state.pauseAt === null && !isBilledAhead;
}

/** Intervals that have the snap day, and periods longer than the days of bills ahead. */
function otherIntervals({ choices, schedule, sold, terms }: State): Every[] {
  const mayDrop = choices.snapThatPlanLacks === 'drop';
  const snaps = ({ interval }: Every) => mayDrop || (schedule.snapDay ?? 0) <= lastSnapDay(interval);
  const fits = (one: Every) => snaps(one) && (sold.billInAdvanceDays ?? 0) < shortestDays(one);
  return EVERY.filter((one) => !sameInterval(one, terms.plan) && fits(one));
}

function otherIntervalBy(state: State, { by }: RandomStep): Fields {
  const [pick = 0, other = 0, third = 0] = by;
  const { choices, cyclesLeft } = state;
  const every = chosen(otherIntervals(state), pick);
  const plan = planBy(other, every);
  const addons = state.terms.addons.map((addon) =>
    'item' in addon.product ? addon : addonBy(`${addon.id}+`, 1 + 2 * third, every),
  );
  const isInTerm = cyclesLeft !== null && (!isBeforeAnchor(state) || choices.cyclesBeforeStart === 'named');
  const cycles = isInTerm ? { cycles: 1 + (third % 4) } : {};
  return { plan, ...amountFor(plan, other), addons, ...cycles };
}

/** Changes of one or two fields. */
function fieldsBy(state: State, { kind, by }: RandomStep, space: Features): Fields {
  const [pick = 0, other = 0, third = 0, fourth = 0] = by;
  const plan = planBy(pick, everyOf(state.terms.plan));
  const kinds: Fields[] = [
    { quantity: `${1 + (pick % 30)}` },
    { plan, ...amountFor(plan, pick) },
    ...(space.addons ? [{ addons: addonsBy(state, other, third) }] : []),
    ...(space.coupons.length > 0 ? [{ discounts: someOf(space.coupons, other) }] : []),
    ...(space.taxes ? [{ taxes: someOf(RATES, other) }] : []),
  ];
  const first = chosen(kinds, kind);
  const second = fourth % 3 === 0 ? chosen(kinds, fourth) : {};
  return { ...first, ...second };
}

/** Add-ons with one more, one less, or one changed. */
function addonsBy({ terms, now }: State, pick: number, by: number): Addon[] {
  const { addons, plan } = terms;
  const place = pick % Math.max(addons.length, 1);
  if (addons.length === 0 || pick % 3 === 0) return [...addons, addonBy(`a${now}-${pick}`, by, everyOf(plan))];
  if (pick % 3 === 1) return addons.filter((_, index) => index !== place);
  return addons.map((addon, index) => (index === place ? changedAddon(addon, by) : addon));
}

function changedAddon(addon: Addon, by: number): Addon {
  if (by % 3 > 0 || 'item' in addon.product) return { ...addon, quantity: `${1 + (by % 12)}` };
  return addonBy(`${addon.id}+`, 1 + 2 * by, everyOf(addon.product.plan));
}

const everyOf = ({ interval, intervalCount }: Plan): Every => ({ interval, intervalCount });
