import { Rational } from './rational.ts';
import { applyChange } from './subscriptionOracleChange.ts';
import type { Choices } from './subscriptionOracleChoices.ts';
import { couponsOf, type Invoice, type Line, type Totals, totalsOf } from './subscriptionOracleInvoice.ts';
import type { Period } from './subscriptionOraclePeriods.ts';
import { runUntil } from './subscriptionOracleProcess.ts';
import { wholeLines } from './subscriptionOracleProration.ts';
import type { Change } from './subscriptionOracleRequest.ts';
import { type Fields, openState, periodAt, type Sold, type State, termEnd } from './subscriptionOracleState.ts';
import { type Attached, activeCoupons, componentsOf, foreverCoupons } from './subscriptionOracleTerms.ts';

// The oracle of subscriptions: a second implementation of their billing, written from its specification alone, with
// exact fractions. It uses nothing from billing/. Its files: Choices (open questions), Terms (plans, coupons, rates),
// Periods, Invoice, Issue, Proration, Arrears, Pauses, State, Process (due steps), Dates, Request (requests and
// refusals), Change (their effect).

/** A subscription after a change. */
export interface Snapshot {
  at: number;
  status: 'not_started' | 'active' | 'finished' | 'canceled';
  paused: boolean;
  period: Pick<Period, 'start' | 'end'> | null;
  term: { start: number; end: number } | null;
  pendingRenewal: boolean;
  pendingChange: Fields | null;
  /** Minor units. */
  mrr: bigint;
  recurringTotal: bigint;
  creditBalance: bigint;
  pendingLines: number;
}

export interface Outcome {
  /** In order of their issue. */
  invoices: Invoice[];
  /** Lines that no invoice has taken. */
  pending: Line[];
  creditBalance: bigint;
  /** At the start, after each change, and at the end. */
  snapshots: Snapshot[];
}

export interface Script {
  sold: Sold;
  changes?: readonly Change[];
  /** Steps due at this instant are taken. */
  until: number;
}

/** All that a subscription bills until an instant. */
export function billingOf({ sold, changes = [], until }: Script, choices: Partial<Choices> = {}): Outcome {
  const state = openSubscription(sold, choices);
  const snapshots = [snapshotOf(state)];
  for (const change of changes) {
    applyChange(state, change);
    snapshots.push(snapshotOf(state));
  }
  runUntil(state, until);
  snapshots.push(snapshotOf(state));
  const { invoices, pending, creditBalance } = state;
  return { invoices, pending, creditBalance, snapshots };
}

/** A new subscription after its first due step. `applyChange` and `runUntil` continue it. */
export function openSubscription(sold: Sold, choices: Partial<Choices> = {}): State {
  const state = openState(sold, choices);
  runUntil(state, state.now);
  return state;
}

export function snapshotOf(state: State): Snapshot {
  const { now, status, start } = state;
  const isLive = status === 'live';
  const end = termEnd(state);
  return {
    at: now,
    status: !isLive ? status : now < start ? 'not_started' : 'active',
    paused: state.pausedSince !== null,
    period: isLive ? periodAt(state, now) : null,
    term: end === null ? null : { start: state.termStart, end },
    pendingRenewal: state.pendingRenewal,
    pendingChange: state.pendingChange,
    mrr: mrrOf(state),
    recurringTotal: recurring(state, state.choices.recurringDiscounts).sum,
    creditBalance: state.creditBalance,
    pendingLines: state.pending.length,
  };
}

/** The bill of a whole period with the present terms. */
function recurring({ terms, choices, sold }: State, discounts: Choices['mrrDiscounts']): Totals {
  const lines = componentsOf(terms).flatMap((one) => wholeLines(one, { start: 0, end: 0 }, choices));
  const active = discounts === 'forever' ? foreverCoupons(terms) : activeCoupons(terms);
  const counted: Attached[] = active.filter(({ coupon }) => discounts !== 'several' || coupon.duration !== 1);
  return totalsOf({ lines, coupons: couponsOf(counted), taxes: terms.taxes, currency: sold.currency });
}

/** The recurring price per month, without taxes. Nothing in a trial and after the end. */
function mrrOf(state: State): bigint {
  const { status, now, start, sold, choices, terms } = state;
  const inTrial = sold.trialEnd !== undefined && now >= start && now < sold.trialEnd;
  if (status !== 'live' || inTrial) return 0n;
  if (now < start && choices.mrrBeforeStart === 'zero') return 0n;
  if (state.pausedSince !== null && choices.mrrWhilePaused === 'zero') return 0n;
  const { sum, taxTotal } = recurring(state, choices.mrrDiscounts);
  return new Rational(sum - taxTotal).times(perMonth(terms.plan, choices)).nearest();
}

/** Number of billings per month. */
function perMonth({ interval, intervalCount }: State['terms']['plan'], choices: Choices): Rational {
  const each = {
    day: new Rational(...choices.daysPerMonths),
    week: new Rational(...choices.weeksPerMonths),
    month: new Rational(1n),
    year: new Rational(1n, 12n),
  }[interval];
  return each.dividedBy(new Rational(BigInt(intervalCount)));
}
