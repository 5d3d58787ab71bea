import fc from 'fast-check';
import { openSubscription } from './subscriptionOracle.ts';
import { applyChange } from './subscriptionOracleChange.ts';
import type { Choices } from './subscriptionOracleChoices.ts';
import { periodOf } from './subscriptionOraclePeriods.ts';
import { runUntil } from './subscriptionOracleProcess.ts';
import { Refused } from './subscriptionOracleRefused.ts';
import type { Change } from './subscriptionOracleRequest.ts';
import { periodAt, type Sold, type State } from './subscriptionOracleState.ts';
import type { Coupon } from './subscriptionOracleTerms.ts';
import { COUPONS } from './subscriptionProducts.ts';
import { changeBy, type RandomStep } from './subscriptionRequests.ts';
import { type RawSale, soldBy } from './subscriptionSales.ts';
import { hasWrongDate, wrongChangeBy } from './subscriptionWrongRequests.ts';

// Random subscriptions with valid changes. The oracle follows each one as it is built, so that a change fits its state.

/** Parts of the space. */
export interface Features {
  billIn: readonly ('advance' | 'arrears')[];
  currencies: readonly string[];
  zones: readonly string[];
  /** Days of `bill_in_advance_days`. Those that a period does not have become 0. */
  advanceDays: readonly number[];
  snapDays: boolean;
  trials: boolean;
  contracts: boolean;
  futureStarts: boolean;
  coupons: readonly Coupon[];
  taxes: boolean;
  addons: boolean;
  /** Changes of the interval, at once and at the renewal. */
  intervals: boolean;
  /** Changes with `when: "renewal"`. */
  renewalChanges: boolean;
  /** Changes with `prorate: false`. */
  unprorated: boolean;
  /** Changes with `proration_date`. */
  backdated: boolean;
  pauses: boolean;
  /** Changes during a pause. */
  pausedChanges: boolean;
  /** Steps follow sooner. Half of those of a subscription that is not paused pause it, if they can. */
  mostlyPauses: boolean;
  /** Pauses that begin at the end of the period. */
  pausesAtPeriodEnd: boolean;
  /** Pauses of subscriptions that bill in arrears. */
  pausesInArrears: boolean;
  voids: boolean;
  cancellations: boolean;
  /** Requests that the specification refuses, also after the end. */
  refusals: boolean;
  /** Most changes of a subscription. */
  steps: number;
}

export const allFeatures: Features = {
  billIn: ['advance', 'advance', 'advance', 'arrears'],
  currencies: ['usd', 'usd', 'eur', 'jpy', 'kwd'],
  zones: ['UTC', 'Europe/Berlin', 'America/St_Johns', 'Australia/Lord_Howe', 'Asia/Kathmandu'],
  advanceDays: [0, 0, 0, 3, 10],
  snapDays: true,
  trials: true,
  contracts: true,
  futureStarts: true,
  coupons: COUPONS,
  taxes: true,
  addons: true,
  intervals: true,
  renewalChanges: true,
  unprorated: true,
  backdated: true,
  pauses: true,
  pausedChanges: true,
  mostlyPauses: false,
  pausesAtPeriodEnd: true,
  pausesInArrears: false,
  voids: true,
  cancellations: true,
  refusals: false,
  steps: 8,
};

export interface Case {
  sold: Sold;
  changes: Change[];
  until: number;
}

/** Random subscriptions of these parts of the space, with changes that the specification allows, and with `refusals` others. */
export function subscriptionCases(
  features: Partial<Features> = {},
  choices: Partial<Choices> = {},
): fc.Arbitrary<Case> {
  const space = { ...allFeatures, ...features };
  const steps = fc.array(randomStep, { maxLength: space.steps });
  const after = fc.integer({ min: 1, max: 300 });
  const raw: fc.Arbitrary<Raw> = fc.record({ start: randomStart, seeds: numbers, steps, after });
  return raw.map((one) => caseOf(one, space, choices));
}

/** The same cases for the same seed. */
export function sampleCases(
  { seed, count }: { seed: number; count: number },
  features: Partial<Features> = {},
  choices: Partial<Choices> = {},
): Case[] {
  return fc.sample(subscriptionCases(features, choices), { seed, numRuns: count });
}

const numbers = fc.array(fc.nat({ max: 99_999 }), { minLength: 14, maxLength: 14 });

const randomStart = fc.record({
  year: fc.integer({ min: 2026, max: 2031 }),
  month: fc.integer({ min: 1, max: 12 }),
  day: fc.integer({ min: 1, max: 31 }),
  hour: fc.integer({ min: 4, max: 21 }),
  second: fc.oneof(fc.constant(0), fc.nat({ max: 3599 })),
});

const randomStep: fc.Arbitrary<RandomStep> = fc.record({
  kind: fc.nat({ max: 99_999 }),
  by: fc.array(fc.nat({ max: 99_999 }), { minLength: 4, maxLength: 4 }),
  // Percent of a period after the change before, or the start of the next period. 0: at the same instant.
  gap: fc.oneof(
    { weight: 1, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.constant<'boundary'>('boundary') },
    { weight: 6, arbitrary: fc.integer({ min: 1, max: 250 }) },
  ),
  prorate: fc.constantFrom<RandomStep['prorate']>(true, true, true, true, false, 'now', 'now'),
  backdated: fc.oneof(
    { weight: 6, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.nat({ max: 100 }) },
  ),
});

interface Raw extends RawSale {
  steps: RandomStep[];
  after: number;
}

function caseOf(raw: Raw, space: Features, choices: Partial<Choices>): Case {
  const sold = soldBy(raw, space);
  const state = openSubscription(sold, choices);
  const changes: Change[] = [];
  for (const step of raw.steps) {
    runUntil(state, timeOf(state, step.gap, space));
    const isOver = state.status !== 'live';
    if (isOver && !space.refusals) break;
    const isWrong = isOver || (space.refusals && (isWrongStep(step) || hasWrongDate(state, step)));
    const change = isWrong ? wrongChangeBy(state, step) : changeBy(state, step, space);
    changes.push(change);
    if (isWrong) applyIfAllowed(state, change);
    else applyChange(state, change);
    if (isOver) break;
  }
  return { sold, changes, until: state.now + spanOf(state, raw.after) };
}

/** A fifth of the steps. */
const isWrongStep = ({ by }: RandomStep) => Math.floor((by[3] ?? 0) / 3) % 5 === 0;

function applyIfAllowed(state: State, change: Change): void {
  try {
    applyChange(state, change);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
  }
}

function timeOf(state: State, gap: RandomStep['gap'], { mostlyPauses }: Features): number {
  if (gap !== 'boundary') return state.now + spanOf(state, mostlyPauses ? gap / 4 : gap);
  return periodAt(state, state.now)?.end ?? state.start;
}

/** A percentage of a period, in whole seconds. */
function spanOf({ schedule, next }: State, percent: number): number {
  const { start, end } = periodOf(schedule, next + 1);
  return Math.floor(((end - start) * percent) / 100_000) * 1000;
}
