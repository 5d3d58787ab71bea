import { expect, test } from '@jest/globals';
import type { CadenceTerms } from '../../billing/collection/cadence.ts';
import { type ChasingState, planChase } from '../../billing/collection/chasing.ts';
import { type CollectionState, nextCollectionStep } from '../../billing/collection/collection.ts';
import { type LateFeeFacts, type LateFeeHindrance, lateFeeStep } from '../../billing/collection/lateFee.ts';
import { type PaymentPlanInput, paymentPlanMoves, paymentPlanStatuses } from '../../billing/collection/paymentPlan.ts';
import { type PromiseInput, promiseAfter, promiseStates } from '../../billing/collection/promise.ts';

/** Every state of plans, promises, fees, cadences and unpaid invoices: it ends, or something named goes on. */

const NOW = Date.parse('2027-01-11T10:00:00Z');
const DAY = 86_400_000;

/** All combinations of one value of each list. */
function all<Facts extends object>(lists: { [Name in keyof Facts]: readonly Facts[Name][] }): Facts[] {
  const names = Object.keys(lists) as (keyof Facts)[];
  return names.reduce<Facts[]>(
    (found, name) => found.flatMap((facts) => lists[name].map((value) => ({ ...facts, [name]: value }))),
    [{} as Facts],
  );
}

/** The states that can be reached from one. */
function reachable<State>(from: State, next: (state: State) => State[]): Set<State> {
  const reached = new Set([from]);
  for (const state of reached) for (const one of next(state)) reached.add(one);
  return reached;
}

test('a payment plan ends, or waits for its customer, a payment or a person', () => {
  const inputs: PaymentPlanInput[] = ['signed_up', 'replaced', 'paid', 'owed', 'canceled'];
  const next = (status: (typeof paymentPlanStatuses)[number]) =>
    inputs.flatMap((input) => paymentPlanMoves[status][input] ?? []);
  for (const status of paymentPlanStatuses) {
    const ends = [...reachable(status, next)].filter((one) => one === 'finished' || one === 'canceled');
    expect(ends.length).toBeGreaterThan(0);
  }
  // Nothing begins a canceled plan again, and only money that is taken back a finished one.
  expect([...reachable('canceled', next)]).toEqual(['canceled']);
  expect(inputs.filter((input) => (paymentPlanMoves.finished[input] ?? 'finished') !== 'finished')).toEqual(['owed']);
});

test('a promise is kept or broken at the end of its day, whatever happened before', () => {
  const inputs: PromiseInput[] = ['promised', 'withdrawn', 'paid_in_time', 'paid_late', 'owed_again', 'day_ended'];
  for (const before of [null, ...promiseStates])
    for (const input of inputs) expect(promiseAfter(promiseAfter(before, input), 'day_ended')).not.toBe('promised');
});

test('a late fee is charged, postponed to the next day, or over; never above the cap, never twice a day', () => {
  const hindrances: (LateFeeHindrance | null)[] = [
    null,
    'payment_pending',
    'promised',
    'disputed',
    'charged_automatically',
  ];
  const terms = (recurringDays: number, cap: string | null) => ({
    amount: '10',
    isPercent: true,
    cap,
    currency: 'usd',
    gracePeriodDays: 0,
    recurringDays,
  });
  const cases = all<LateFeeFacts>({
    at: [NOW],
    zone: ['UTC', 'America/New_York'],
    currency: ['usd', 'eur'],
    terms: [null, terms(0, null), terms(1, null), terms(30, '12.00')],
    hindrance: hindrances,
    principal: ['0.00', '0.04', '100.00'],
    charged: ['0.00', '9.00', '12.00'],
  });
  const kinds = new Map<string, number>();
  for (const facts of cases) {
    const step = lateFeeStep(facts);
    kinds.set(step.kind, (kinds.get(step.kind) ?? 0) + 1);
    if (step.nextAt !== null) expect(step.nextAt).toBeGreaterThan(facts.at);
    if (step.kind === 'postpone') expect(Number(step.nextAt)).toBeLessThanOrEqual(facts.at + DAY);
    if (step.kind !== 'charge') continue;
    expect([facts.hindrance, facts.principal === '0.00']).toEqual([null, false]);
    const cap = facts.terms?.cap ?? null;
    if (cap !== null) expect(Number(facts.charged) + Number(step.fee)).toBeLessThanOrEqual(Number(cap));
  }
  expect([...kinds.keys()].toSorted()).toEqual(['charge', 'none', 'postpone']);
});

const CADENCE: CadenceTerms = {
  paused: false,
  minBalance: '10',
  timeOfDay: 9,
  frequency: 'daily',
  runDays: [],
  steps: ['past_due_age:1', 'past_due_age:5'].map((schedule, index) => ({
    id: index + 1,
    name: 'Ask',
    action: 'phone',
    schedule,
    emailTemplateId: null,
    smsTemplateId: null,
    assignedUserId: null,
    role: null,
  })),
};

/** The change after which a silent customer is asked, if nothing else keeps it silent. */
const ENDS: Record<string, Partial<ChasingState>> = {
  switched_off: { silence: null },
  credit_hold: { silence: null },
  no_cadence: { cadence: CADENCE },
  paused: { cadence: CADENCE },
  finished: { taken: [] }, // it has paid, and owes again
  nothing_open: {},
  below_minimum: {},
  not_past_due: {},
};

test('a customer is asked at a planned time, or silent for a reason that a person, a payment or an invoice ends', () => {
  const item = (balance: string, dueOn: string | null, notBefore: string | null) => ({
    invoiceId: 1,
    currency: 'usd',
    balance,
    issuedOn: '2027-01-01',
    dueOn,
    missedAt: null,
    notBefore,
  });
  const open = [item('100', '2027-01-08', null)];
  const cases = all<ChasingState>({
    cadence: [null, CADENCE, { ...CADENCE, paused: true }],
    silence: [null, 'switched_off', 'credit_hold'],
    taken: [[], [1], [1, 2]],
    lastStepOn: [null, '2027-01-11'],
    items: [
      [],
      open,
      [item('9', '2027-01-08', null)],
      [item('100', null, null)],
      [item('100', '2027-01-08', '2027-01-13')],
    ],
    credits: [new Map(), new Map([['usd', '100']])],
    isWorkingDay: [() => true],
    zone: ['UTC'],
  });
  const seen = new Set<string>();
  for (const state of cases) {
    const plan = planChase(state, NOW);
    if (plan.kind === 'none') {
      seen.add(plan.because);
      const ended = { ...state, items: open, credits: new Map<string, string>(), ...ENDS[plan.because] };
      const others = planChase(ended, NOW);
      expect([plan.because, others.kind === 'none' ? others.because : null]).not.toEqual([plan.because, plan.because]);
      continue;
    }
    seen.add(plan.kind);
    expect(state.taken).not.toContain(plan.step.id);
    const day = new Date(Math.max(plan.at, NOW)).toISOString().slice(0, 10);
    if (state.lastStepOn !== null) expect(day > state.lastStepOn).toBe(true);
  }
  expect([...seen].toSorted()).toEqual([...Object.keys(ENDS), 'step'].toSorted());
});

test('an unpaid invoice takes one step at a time in one order; nothing is done about a paid one', () => {
  const times = [null, NOW - DAY, NOW + DAY];
  const cases = all<CollectionState>({
    over: [false, true],
    attemptUndecided: [false, true],
    nextAttemptAt: times,
    attemptCount: [0],
    maxAttempts: [4],
    lastFailure: [null],
    hasSource: [true, false],
    promiseEndsAt: times,
    discountEndsAt: times,
    discountReviewAt: [null],
    dueAt: [null, NOW - 2 * DAY, NOW + DAY],
    pastDue: [false, true],
    lateFeeAt: times,
    lateFeeReviewAt: [null],
    creditReviewAt: [null],
    zone: ['UTC'],
  });
  for (const state of cases) {
    const { due, waits } = nextCollectionStep(state, NOW);
    if (state.over) expect({ due, waits }).toEqual({ due: null, waits: [] });
    if (due) expect(waits.some(({ at }) => at <= NOW)).toBe(true);
    else expect(waits.every(({ at }) => at > NOW)).toBe(true);
    if (state.attemptUndecided) expect(due?.kind).not.toBe('attempt');
    if (state.attemptUndecided) expect(due?.kind).not.toBe('discount_ended');
    if (!state.pastDue) expect(due?.kind).not.toBe('late_fee');
  }
});
