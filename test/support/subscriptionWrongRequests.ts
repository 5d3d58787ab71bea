import { currentPeriod } from './subscriptionOracleDates.ts';
import { lastSnapDay, periodOf, shortestDays } from './subscriptionOraclePeriods.ts';
import type { Change } from './subscriptionOracleRequest.ts';
import { isBeforeAnchor, openState, periodAt, type Sold, type State } from './subscriptionOracleState.ts';
import { type Plan, sameInterval } from './subscriptionOracleTerms.ts';
import { addonBy, amountFor, chosen, EVERY, type Every, planBy } from './subscriptionProducts.ts';
import type { RandomStep } from './subscriptionRequests.ts';

// Random requests with one thing wrong. The oracle says which field.

/** Subscriptions that cannot be sold, each for one reason. */
export function wrongSales(sold: Sold): Sold[] {
  const { plan, start, addons = [] } = sold;
  const { cycles: _, renewalMode: __, renewalCycles: ___, ...withoutContract } = sold;
  const { amount: ____, ...withoutAmount } = sold;
  const misfit = addonBy(
    'misfit',
    1,
    chosen(
      EVERY,
      EVERY.findIndex((one) => !sameInterval(one, plan)),
    ),
  );
  const priced = { ...addonBy('priced', 1, everyOf(plan)), amount: '5' };
  const late = periodOf(openState(sold).schedule, 14).start;
  return [
    { ...sold, quantity: '-1' },
    { ...sold, snapDay: lastSnapDay(plan.interval) + 1 },
    { ...sold, billIn: 'advance', billInAdvanceDays: shortestDays(plan) },
    { ...sold, billIn: 'arrears', billInAdvanceDays: 1 },
    { ...sold, trialEnd: start },
    { ...sold, createdAt: late },
    { ...withoutContract, renewalMode: 'auto' },
    { ...withoutContract, renewalCycles: 2 },
    plan.pricing.mode === 'custom' ? withoutAmount : { ...sold, amount: '5' },
    { ...sold, addons: [...addons, misfit] },
    { ...sold, addons: [...addons, priced] },
  ];
}

type Asked = Omit<Change, 'at'>;

/** A request that the specification refuses in this state. */
export function wrongChangeBy(state: State, step: RandomStep): Change {
  const { kind, by } = step;
  const [pick = 0, other = 0] = by;
  const at = state.now;
  if (state.status !== 'live') return { at, ...chosen(afterEnd(state), kind) };
  if (hasWrongDate(state, step)) return { at, ...more(state), prorationDate: chosen(datesBetween(state), kind) };
  const all = [
    ...wrongPrices(state, pick),
    ...wrongDates(state, other),
    ...wrongTerms(state, pick),
    ...wrongLife(state),
  ];
  return { at, ...chosen(all, kind) };
}

/** Whether a step names a date while the subscription is between two periods. */
export function hasWrongDate(state: State, { backdated }: RandomStep): boolean {
  const isBetween = state.status === 'live' && !isBeforeAnchor(state) && currentPeriod(state) === null;
  return backdated !== null && isBetween;
}

/** Now, the start and the end of the period that did not begin, and a second of the period before. */
function datesBetween(state: State): number[] {
  const { now } = state;
  const { start, end } = periodAt(state, now) ?? { start: now, end: now };
  return [now, start, end, start - 1000];
}

const more = ({ terms }: State) => ({ quantity: `${Number(terms.quantity) + 1}` });

function afterEnd(state: State): Asked[] {
  return [
    more(state),
    { ...more(state), when: 'renewal' },
    { cancelAtPeriodEnd: !state.cancelAtPeriodEnd },
    { cancel: {} },
    { renew: {} },
  ];
}

const everyOf = ({ interval, intervalCount }: Plan): Every => ({ interval, intervalCount });
const isCustom = ({ terms }: State) => terms.plan.pricing.mode === 'custom';
/** Number of a custom plan in `planBy`. */
const CUSTOM = 7;

function wrongPrices(state: State, pick: number): Asked[] {
  const { addons } = state.terms;
  const others = EVERY.filter((one) => !sameInterval(one, state.terms.plan));
  const misfit = addonBy('misfit', 1 + 2 * pick, chosen(others, pick));
  const priced = { ...addonBy('priced', 1, everyOf(state.terms.plan)), amount: '5' };
  const custom = planBy(CUSTOM, everyOf(state.terms.plan));
  return [
    { quantity: '-1' },
    ...(isCustom(state) ? [] : [{ amount: '5' }]),
    ...(custom.id === state.terms.plan.id ? [] : [{ plan: custom }]),
    { addons: [...addons, misfit] },
    { addons: [...addons, priced] },
  ];
}

function wrongDates(state: State, other: number): Asked[] {
  const { now } = state;
  const current = currentPeriod(state);
  const dates = current
    ? [current.start - 1000, current.start - 1000 * (1 + (other % 100_000)), current.end]
    : datesBetween(state);
  return [
    { ...more(state), prorationDate: now + 1000 },
    ...(isBeforeAnchor(state) ? [] : dates.map((prorationDate) => ({ ...more(state), prorationDate }))),
    { ...more(state), prorationDate: now, when: 'renewal' as const },
    ...(state.pausedSince === null && !state.pendingRenewal
      ? [{ pause: { at: 'now' as const, resumeAt: now - 1000 } }]
      : []),
    ...(now >= state.start ? [{ start: state.start + 86_400_000 }] : []),
  ];
}

/** Contracts, and plans of another interval. */
function wrongTerms(state: State, pick: number): Asked[] {
  const { cyclesLeft, termCycles } = state;
  const billed = (termCycles ?? 0) - (cyclesLeft ?? 0);
  const hasContract = cyclesLeft !== null;
  const drops: Asked = state.pendingChange ? { pendingChange: null } : {};
  const unfit = EVERY.filter((one) => !sameInterval(one, state.terms.plan) && !fits(state, one));
  const others = EVERY.filter((one) => !sameInterval(one, state.terms.plan) && fits(state, one));
  const cycles: Asked = hasContract ? { cycles: 2 } : {};
  const moves = (every: Every) => ({ ...otherPlan(every, pick), ...drops });
  return [
    ...(unfit.length > 0 ? [{ ...moves(chosen(unfit, pick)), ...cycles }] : []),
    ...(others.length > 0 && hasContract ? [moves(chosen(others, pick))] : []),
    ...(others.length > 0 && state.pendingRenewal ? [{ ...moves(chosen(others, pick)), ...cycles }] : []),
    ...(billed > 1 ? [{ cycles: billed - 1 }] : []),
    ...(hasContract && !state.pendingRenewal ? [] : [{ cycles: (termCycles ?? 0) + 3 }]),
    ...(hasContract
      ? [{ cancel: { billRemaining: true, prorate: true } }]
      : [{ renewalMode: 'auto' as const }, { renewalCycles: 2 }, { cancel: { billRemaining: true } }]),
  ];
}

function fits({ schedule, sold }: State, every: Every): boolean {
  return (schedule.snapDay ?? 0) <= lastSnapDay(every.interval) && (sold.billInAdvanceDays ?? 0) < shortestDays(every);
}

function otherPlan(every: Every, pick: number): Asked {
  const plan = planBy(pick, every);
  return { plan, ...amountFor(plan, pick), addons: [] };
}

function wrongLife(state: State): Asked[] {
  const { cancelAtPeriodEnd, pausedSince, pendingRenewal } = state;
  return [
    { ...more(state), when: 'renewal', cancelAtPeriodEnd: !cancelAtPeriodEnd },
    { ...more(state), when: 'renewal', pendingChange: null },
    pendingRenewal ? { pause: { at: 'now' } } : { renew: {} },
    ...(pausedSince === null ? [] : [{ pause: { at: 'period_end' as const } }]),
  ];
}
