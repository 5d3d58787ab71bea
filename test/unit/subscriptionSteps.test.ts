import { expect, test } from '@jest/globals';
import type { BillIn } from '../../billing/subscriptions/billIn.ts';
import {
  contractPeriod,
  hasCyclesToBegin,
  type RenewalMode,
  type SubscriptionState,
} from '../../billing/subscriptions/subscription.ts';
import {
  isRevoked,
  nextSubscriptionStep,
  type SubscriptionStep,
} from '../../billing/subscriptions/subscriptionSteps.ts';
import { stateFrom, walk } from '../support/subscriptionWalk.ts';

/** The next step of a subscription that bills at the start of a period, some days before it, or at its end. */

const day = (month: number, date = 1) => Date.UTC(2027, month - 1, date);
const [MARCH, APRIL, MAY, JUNE] = [day(3), day(4), day(5), day(6)];

/** Steps as "03-27 bill 1". */
function told(steps: readonly SubscriptionStep[]): string[] {
  return steps.map((step) => {
    const date = new Date(step.at).toISOString().slice(5, 10);
    return 'period' in step ? `${date} ${step.kind} ${step.period}` : `${date} ${step.kind}`;
  });
}

const stepsOf = (over: Partial<SubscriptionState>, until = JUNE) => told(walk(stateFrom(MARCH, over), until).steps);

test('at the start of a period it is billed and begins in one step', () => {
  expect(stepsOf({})).toEqual(['03-01 bill 0', '04-01 bill 1', '05-01 bill 2', '06-01 bill 3']);
});

test('ahead of a period it is billed, and it begins at its start; a start without a lead is one step', () => {
  const first = ['03-01 bill 0', '03-27 bill 1', '04-01 begin 1', '04-26 bill 2', '05-01 begin 2'];
  expect(stepsOf({ advanceDays: 5 }, MAY)).toEqual(first);
  const known = { advanceDays: 5, anchoredAt: day(1), status: 'not_started' as const };
  expect(stepsOf(known, MARCH)).toEqual(['02-24 bill 0', '03-01 begin 0']);
});

test('in arrears a period begins, and is billed at its end before the next one begins', () => {
  expect(stepsOf({ billIn: 'arrears' }, MAY)).toEqual([
    '03-01 begin 0',
    '04-01 bill 0',
    '04-01 begin 1',
    '05-01 bill 1',
    '05-01 begin 2',
  ]);
});

const ahead = { advanceDays: 5 };
const arrears = { billIn: 'arrears' as const };

test.each<[string, Partial<SubscriptionState>, string[]]>([
  ['none', { cycles: 2 }, ['03-01 bill 0', '04-01 bill 1', '05-01 finish']],
  ['none', { ...ahead, cycles: 2 }, ['03-01 bill 0', '03-27 bill 1', '04-01 begin 1', '05-01 finish']],
  [
    'none',
    { ...arrears, cycles: 2 },
    ['03-01 begin 0', '04-01 bill 0', '04-01 begin 1', '05-01 bill 1', '05-01 finish'],
  ],
  ['manual', { ...ahead, cycles: 1, renewalMode: 'manual' }, ['03-01 bill 0', '04-01 await_renewal']],
  [
    'manual',
    { ...arrears, cycles: 1, renewalMode: 'manual' },
    ['03-01 begin 0', '04-01 bill 0', '04-01 await_renewal'],
  ],
  [
    'renew_once',
    { ...ahead, cycles: 1, renewalMode: 'renew_once' },
    ['03-01 bill 0', '03-27 bill 1', '04-01 renew', '04-01 begin 1', '05-01 finish'],
  ],
  [
    'renew_once',
    { ...arrears, cycles: 1, renewalMode: 'renew_once' },
    ['03-01 begin 0', '04-01 bill 0', '04-01 renew', '04-01 begin 1', '05-01 bill 1', '05-01 finish'],
  ],
  [
    'auto',
    { cycles: 1, renewalMode: 'auto' },
    ['03-01 bill 0', '04-01 renew', '04-01 bill 1', '05-01 renew', '05-01 bill 2'],
  ],
  [
    'auto',
    { ...ahead, cycles: 1, renewalMode: 'auto' },
    ['03-01 bill 0', '03-27 bill 1', '04-01 renew', '04-01 begin 1', '04-26 bill 2', '05-01 renew', '05-01 begin 2'],
  ],
  [
    'auto, canceled',
    { ...ahead, cycles: 1, renewalMode: 'auto', cancelAtPeriodEnd: true },
    ['03-01 bill 0', '04-01 cancel'],
  ],
])('a contract with renewal mode %s: %j', (_, over, steps) => {
  expect(stepsOf(over, MAY)).toEqual(steps);
});

test('the contract that is shown ends with its own last period, also while the next one is billed ahead', () => {
  const from = stateFrom(MARCH, { ...ahead, cycles: 2, renewalMode: 'auto' });
  const shown = (until: number) => contractPeriod({ ...walk(from, until).state, contractStartAt: MARCH });
  expect([shown(day(3, 20)), shown(day(3, 28)), shown(day(4, 28))]).toEqual(
    [1, 2, 3].map(() => ({ startAt: MARCH, endAt: MAY })),
  );
  const inArrears = stateFrom(MARCH, { ...arrears, cycles: 2 });
  expect(contractPeriod({ ...walk(inArrears, day(4, 20)).state, contractStartAt: MARCH })?.endAt).toBe(MAY);
});

test('a cancellation at the end of the period comes after the bill in arrears', () => {
  const canceled = { cancelAtPeriodEnd: true };
  expect(stepsOf(canceled)).toEqual(['03-01 bill 0', '04-01 cancel']);
  expect(stepsOf({ ...ahead, ...canceled })).toEqual(['03-01 bill 0', '04-01 cancel']);
  expect(stepsOf({ ...arrears, ...canceled })).toEqual(['03-01 begin 0', '04-01 bill 0', '04-01 cancel']);
});

test('a pause at the end of the period comes after the bill in arrears, and before any bill of the next period', () => {
  const pausing = { pauseAtPeriodEnd: true };
  expect(stepsOf(pausing)).toEqual(['03-01 bill 0', '04-01 pause']);
  expect(stepsOf({ ...ahead, ...pausing })).toEqual(['03-01 bill 0', '04-01 pause']);
  expect(stepsOf({ ...arrears, ...pausing })).toEqual(['03-01 begin 0', '04-01 bill 0', '04-01 pause']);
  const resumed = stepsOf({ ...ahead, ...pausing, resumeAt: day(4, 20) }, day(5, 15));
  expect(resumed).toEqual(['03-01 bill 0', '04-01 pause', '04-20 resume', '04-26 bill 2', '05-01 begin 2']);
});

test('a contract that ends with the period is not paused, one that is renewed by itself is', () => {
  const pausing = { pauseAtPeriodEnd: true, cycles: 1 };
  expect(stepsOf(pausing)).toEqual(['03-01 bill 0', '04-01 finish']);
  expect(stepsOf({ ...pausing, renewalMode: 'manual' })).toEqual(['03-01 bill 0', '04-01 await_renewal']);
  const renewed = ['04-01 pause', '04-01 renew'];
  expect(stepsOf({ ...pausing, renewalMode: 'auto' })).toEqual(['03-01 bill 0', ...renewed]);
  expect(stepsOf({ ...pausing, ...ahead, renewalMode: 'auto' })).toEqual(['03-01 bill 0', ...renewed]);
  const inArrears = stepsOf({ ...pausing, ...arrears, renewalMode: 'auto' });
  expect(inArrears).toEqual(['03-01 begin 0', '04-01 bill 0', ...renewed]);
});

const trial = { startAt: MARCH, endAt: APRIL };
const trying = (over: Partial<SubscriptionState>, until = day(5, 15)) =>
  told(walk(stateFrom(APRIL, { trial, anchoredAt: MARCH, ...over }), until).steps);

test('a trial begins, and the first period follows it', () => {
  expect(trying({})).toEqual(['03-01 trial', '04-01 bill 0', '05-01 bill 1']);
  expect(trying(ahead)).toEqual(['03-01 trial', '03-27 bill 0', '04-01 begin 0', '04-26 bill 1', '05-01 begin 1']);
  expect(trying(arrears)).toEqual(['03-01 trial', '04-01 begin 0', '05-01 bill 0', '05-01 begin 1']);
  expect(trying({ status: 'not_started' }, MARCH - 1)).toEqual([]);
});

test.each([{}, ahead, arrears, { cycles: 3 }, { cycles: 3, renewalMode: 'auto' as const }])(
  'a trial that is canceled at its end bills nothing: %j',
  (over) => {
    expect(trying({ ...over, cancelAtPeriodEnd: true })).toEqual(['03-01 trial', '04-01 cancel']);
  },
);

test('a paused trial runs on, and nothing is billed after it until the subscription resumes', () => {
  expect(trying({ paused: true })).toEqual(['03-01 trial']);
  expect(trying({ paused: true, resumeAt: day(3, 20) })).toEqual([
    '03-01 trial',
    '03-20 resume',
    '04-01 bill 0',
    '05-01 bill 1',
  ]);
  expect(trying({ paused: true, resumeAt: day(2, 20) }, MARCH)).toEqual(['02-20 resume', '03-01 trial']);
  expect(trying({ paused: true, resumeAt: day(4, 20) })).toEqual(['03-01 trial', '04-20 resume', '05-01 bill 1']);
});

test('a trial with a pause at its end is not billed until the subscription resumes', () => {
  for (const over of [{}, ahead, arrears, { cycles: 3 }])
    expect(trying({ ...over, pauseAtPeriodEnd: true })).toEqual(['03-01 trial', '04-01 pause']);
  const resumed = trying({ pauseAtPeriodEnd: true, resumeAt: day(4, 20) });
  expect(resumed).toEqual(['03-01 trial', '04-01 pause', '04-20 resume', '05-01 bill 1']);
});

test('a contract begins with the end of the trial', () => {
  expect(trying({ cycles: 1 })).toEqual(['03-01 trial', '04-01 bill 0', '05-01 finish']);
});

test('in arrears, what was used before a pause is billed at the end of its period', () => {
  const used = { ...walk(stateFrom(MARCH, arrears), day(3, 11)).state, paused: true };
  expect(told(walk(used, JUNE).steps)).toEqual(['04-01 bill 0']);
  const resuming = (resumeAt: number) => told(walk({ ...used, resumeAt }, day(5, 15)).steps);
  const rest = ['04-01 bill 0', '04-01 begin 1', '05-01 bill 1', '05-01 begin 2'];
  expect(resuming(day(3, 20))).toEqual(['03-20 resume', ...rest]);
  expect(resuming(APRIL)).toEqual(['04-01 resume', ...rest]);
  expect(resuming(day(4, 20))).toEqual(['04-01 bill 0', '04-20 resume', '05-01 begin 2']);
});

test('a cycle in progress in arrears is none that is still to begin', () => {
  const { state } = walk(stateFrom(MARCH, { ...arrears, cycles: 1 }), day(3, 11));
  expect([hasCyclesToBegin(state), hasCyclesToBegin({ ...state, cycles: 2 })]).toEqual([false, true]);
  const snapped = { ...state, schedule: { ...state.schedule, anchorAt: day(3, 11), snapDay: 1 } };
  expect(hasCyclesToBegin(snapped)).toBe(true); // a short first period is no cycle
});

test.each<[string, Partial<SubscriptionState>, boolean]>([
  ['goes on', {}, false],
  ['is paused', { paused: true }, true],
  ['is to be canceled', { cancelAtPeriodEnd: true }, true],
  ['is to pause', { pauseAtPeriodEnd: true }, true],
  ['has a cycle left, and is to pause', { cycles: 3, pauseAtPeriodEnd: true }, true],
  ['has a cycle left', { cycles: 3 }, false],
  ['has a cycle left, and is to be canceled after it', { cycles: 3, cancelAtPeriodEnd: true }, false],
  ['is renewed', { cycles: 1, renewalMode: 'auto' }, false],
  ['is renewed once', { cycles: 1, renewalMode: 'renew_once' }, false],
  ['is no longer renewed', { cycles: 1, renewalMode: 'none' }, true],
  ['waits for its renewal', { cycles: 1, renewalMode: 'manual' }, true],
  ['is to be canceled instead of renewed', { cycles: 1, renewalMode: 'auto', cancelAtPeriodEnd: true }, true],
])('a bill ahead of a subscription that %s is taken back: %j %s', (_, change, expected) => {
  const { state } = walk(stateFrom(MARCH, ahead), day(3, 28));
  expect(state).toMatchObject({ periodOpen: true, cyclesBilled: 1 });
  expect(isRevoked({ ...state, ...change })).toBe(expected);
  expect(isRevoked({ ...state, ...change, periodOpen: false })).toBe(false);
});

test('the first bill ahead stays, though the period is to be the last', () => {
  const { state } = walk(stateFrom(MARCH, { ...ahead, anchoredAt: day(1) }), day(2, 25));
  expect(isRevoked({ ...state, cancelAtPeriodEnd: true })).toBe(false);
});

test('each bill says why it is made then', () => {
  const whyOf = (over: Partial<SubscriptionState>) => {
    const { waits } = nextSubscriptionStep(walk(stateFrom(MARCH, over), MARCH).state, MARCH);
    return waits.map(({ step, reason }) => [step, reason]);
  };
  expect(whyOf({})).toEqual([['renewal 1', null]]);
  expect(whyOf(ahead)).toEqual([['renewal 1', { code: 'ahead_of_period', detail: '5' }]]);
  expect(whyOf(arrears)).toEqual([['first bill', { code: 'in_arrears', detail: null }]]);
});

const ways: Partial<SubscriptionState>[] = [{}, { advanceDays: 20 }, arrears];
const modes: RenewalMode[] = ['auto', 'manual', 'renew_once', 'none'];

/** All combinations of terms. `trial`: a fortnight. */
const combinations = ways.flatMap((way) =>
  [null, 1, 2].flatMap((cycles) =>
    modes.flatMap((renewalMode) =>
      [false, true].flatMap((cancelAtPeriodEnd) =>
        [null, 1, 17].flatMap((snapDay) =>
          [false, true].map((hasTrial) => ({ way, cycles, renewalMode, cancelAtPeriodEnd, snapDay, hasTrial })),
        ),
      ),
    ),
  ),
);

test('in every combination of terms, periods are billed once, without a gap, and as many as the contract has', () => {
  for (const { way, cycles, renewalMode, cancelAtPeriodEnd, snapDay, hasTrial } of combinations) {
    const anchorAt = hasTrial ? day(3, 15) : MARCH;
    const schedule = { ...stateFrom(anchorAt).schedule, snapDay };
    const fortnight = hasTrial ? { startAt: MARCH, endAt: anchorAt } : null;
    const terms = { ...way, cycles, renewalMode, cancelAtPeriodEnd, schedule, trial: fortnight, anchoredAt: MARCH };
    const { steps, state } = walk(stateFrom(anchorAt, terms), day(9, 30), 100);
    const bills = steps.filter((step) => step.kind === 'bill');
    const about = JSON.stringify([way, cycles, renewalMode, cancelAtPeriodEnd, snapDay, hasTrial]);
    const times = steps.map(({ at }) => at);
    expect([about, times]).toEqual([about, times.toSorted((a, b) => a - b)]);
    expect([about, bills.map(({ period }) => period)]).toEqual([about, bills.map((_, index) => index)]);
    expect([about, bills.map(({ startAt }) => startAt)]).toEqual([
      about,
      bills.map((_, index) => bills[index - 1]?.endAt ?? anchorAt),
    ]);
    const isShort = snapDay !== null && new Date(anchorAt).getUTCDate() !== snapDay;
    const most = mostCycles({ cycles, renewalMode, cancelAtPeriodEnd, hasTrial });
    if (most !== null) expect([about, bills.length]).toEqual([about, most + (isShort && most > 0 && cycles ? 1 : 0)]);
    const last = bills.at(-1);
    if (state.status !== 'active' && last) expect([about, times.at(-1)]).toEqual([about, last.endAt]);
  }
  expect(combinations.length).toBe(432);
});

interface Terms {
  cycles: number | null;
  renewalMode: RenewalMode;
  cancelAtPeriodEnd: boolean;
  hasTrial: boolean;
}

/** Number of cycles that are billed in all; null: it goes on. */
function mostCycles({ cycles, renewalMode, cancelAtPeriodEnd, hasTrial }: Terms): number | null {
  if (cancelAtPeriodEnd && hasTrial) return 0;
  if (cycles === null) return cancelAtPeriodEnd ? 1 : null;
  if (cancelAtPeriodEnd) return cycles;
  return { auto: null, manual: cycles, renew_once: 2 * cycles, none: cycles }[renewalMode];
}

test.each<[BillIn, number]>([
  ['advance', 0],
  ['advance', 5],
  ['arrears', 0],
])('nothing that would end after 2199 is billed, in %s with %i days', (billIn, advanceDays) => {
  const anchorAt = Date.UTC(2199, 9, 15);
  const { steps, state } = walk(stateFrom(anchorAt, { billIn, advanceDays }), Date.UTC(2200, 0, 1), 20);
  expect(steps.flatMap((step) => (step.kind === 'bill' ? [step.period] : []))).toEqual([0, 1]); // until 15 December
  expect([state.status, steps.at(-1)?.at]).toEqual(['finished', Date.UTC(2199, 11, 15)]);
});
