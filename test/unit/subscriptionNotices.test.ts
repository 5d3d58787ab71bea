import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { RenewalNotices } from '../../billing/settings.ts';
import { renewalModes, type SubscriptionState } from '../../billing/subscriptions/subscription.ts';
import { type NoticeState, nextStepOrNotice } from '../../billing/subscriptions/subscriptionNotices.ts';
import { nextSubscriptionStep } from '../../billing/subscriptions/subscriptionSteps.ts';
import type { Interval } from '../../billing/time/calendar.ts';
import { type Schedule, shareOfPeriod } from '../../billing/time/periods.ts';

/** Notices ahead of renewals and ends of contracts. */

interface Life {
  state: SubscriptionState;
  sent: NoticeState;
}

const at = (text: string) => Date.parse(text);
const MARCH = at('2027-03-01T09:00:00Z');

const yearly: Schedule = { anchorAt: MARCH, zone: 'UTC', interval: 'year', intervalCount: 1, snapDay: null };

/** A subscription in its first period. */
function begun(
  schedule: Schedule,
  { of = {}, sent = {} }: { of?: Partial<SubscriptionState>; sent?: Partial<NoticeState> } = {},
): Life {
  const state: SubscriptionState = {
    status: 'active',
    schedule,
    nextPeriod: 0,
    cyclesBilled: 0,
    cycles: null,
    renewalMode: 'none',
    pendingRenewal: false,
    hasPendingChange: false,
    billIn: 'advance',
    advanceDays: 0,
    anchoredAt: schedule.anchorAt,
    trial: null,
    periodOpen: false,
    periodEndAt: null,
    cancelAtPeriodEnd: false,
    pauseAtPeriodEnd: false,
    paused: false,
    resumeAt: null,
    lateUsageAt: null,
    ...of,
  };
  const settings: NoticeState = {
    renewals: 'yearly',
    contractDays: 0,
    periodStartAt: null,
    contractStartAt: schedule.anchorAt,
    renewalNoticedFor: null,
    contractNoticedFor: null,
    ...sent,
  };
  return run({ state, sent: settings }, schedule.anchorAt).life;
}

type Step = NonNullable<ReturnType<typeof nextStepOrNotice>['due']>;

/** The life after a step, as the command takes it. */
function take({ state, sent }: Life, step: Step): Life {
  switch (step.kind) {
    case 'renews_soon':
      return { state, sent: { ...sent, renewalNoticedFor: step.eventAt } };
    case 'contract_ending':
      return { state, sent: { ...sent, contractNoticedFor: sent.contractStartAt } };
    case 'bill': {
      const cyclesBilled = state.cyclesBilled + (shareOfPeriod(state.schedule, step.period) ? 0 : 1);
      const billed = { nextPeriod: step.period + 1, periodEndAt: step.endAt, cyclesBilled };
      return { state: { ...state, ...billed }, sent: { ...sent, periodStartAt: step.startAt } };
    }
    case 'renew':
      return { state: { ...state, cyclesBilled: 0 }, sent: { ...sent, contractStartAt: step.at } };
    case 'await_renewal':
      return { state: { ...state, pendingRenewal: true, periodEndAt: null }, sent: { ...sent, periodStartAt: null } };
    default:
      return { state: { ...state, status: 'finished' }, sent };
  }
}

interface Done {
  step: Step;
  now: number;
}

/** Takes every step that is due at `now`. */
function run(from: Life, now: number, next: (life: Life, now: number) => Step | null = dueOf) {
  let life = from;
  const done: Done[] = [];
  for (let step = next(life, now); step !== null; step = next(life, now)) {
    done.push({ step, now });
    life = take(life, step);
  }
  return { life, done };
}

const dueOf = ({ state, sent }: Life, now: number) => nextStepOrNotice(state, sent, now).due;
const stepOnly = ({ state }: Life, now: number) => nextSubscriptionStep(state, now).due;

/** The planned notices: "renews_soon 2028-02-27T09:00:00.000Z". */
const plannedOf = ({ state, sent }: Life, now: number) =>
  nextStepOrNotice(state, sent, now)
    .waits.filter(({ rule }) => rule === 'renews_soon' || rule === 'contract_ending')
    .map(({ rule, at }) => `${rule} ${new Date(at).toISOString()}`);

test.each<[string, Partial<Schedule>, NoticeState['renewals'], string[]]>([
  ['a year', {}, 'yearly', ['renews_soon 2028-02-27T09:00:00.000Z']], // 1 March less three days: February has 29 days
  ['a year', {}, 'none', []],
  ['twelve months', { interval: 'month', intervalCount: 12 }, 'yearly', ['renews_soon 2028-02-27T09:00:00.000Z']],
  ['eleven months', { interval: 'month', intervalCount: 11 }, 'yearly', []],
  ['52 weeks', { interval: 'week', intervalCount: 52 }, 'yearly', ['renews_soon 2028-02-25T09:00:00.000Z']],
  ['a month', { interval: 'month' }, 'yearly', []],
  ['a month', { interval: 'month' }, 'all', ['renews_soon 2027-03-29T09:00:00.000Z']],
  ['four days', { interval: 'day', intervalCount: 4 }, 'all', ['renews_soon 2027-03-02T09:00:00.000Z']],
  ['three days', { interval: 'day', intervalCount: 3 }, 'all', []], // the bill has just told the date
])('a plan of %s (%j) with the setting %s announces %j', (_, every, renewals, planned) => {
  const life = begun({ ...yearly, ...every }, { sent: { renewals } });
  expect(plannedOf(life, MARCH)).toEqual(planned);
});

test('the three days are local days', () => {
  // Clocks in Berlin change on 28 March 2027. The renewal is at 09:00 local time, 07:00 UTC, the notice at 09:00, 08:00 UTC.
  const schedule: Schedule = { ...yearly, anchorAt: at('2026-03-29T07:00:00Z'), zone: 'Europe/Berlin' };
  const life = begun(schedule);
  expect(plannedOf(life, schedule.anchorAt)).toEqual(['renews_soon 2027-03-26T08:00:00.000Z']);
  expect(life.state.periodEndAt).toBe(at('2027-03-29T07:00:00Z'));
});

test.each<[string, Partial<SubscriptionState>]>([
  ['is paused', { paused: true }],
  ['is paused until the day before', { paused: true, resumeAt: at('2028-02-29T09:00:00Z') }],
  ['is to be canceled with its period', { cancelAtPeriodEnd: true }],
  ['is to pause with its period', { pauseAtPeriodEnd: true }],
  ['is canceled', { status: 'canceled' }],
  ['is finished', { status: 'finished' }],
])('no renewal is announced while the subscription %s', (_, change) => {
  const { state, sent } = begun(yearly);
  expect(plannedOf({ state: { ...state, ...change }, sent }, MARCH)).toEqual([]);
});

const month: Partial<Schedule> = { interval: 'month' };

test.each<[string, Partial<SubscriptionState>, string[]]>([
  ['ends', {}, ['contract_ending 2027-05-02T09:00:00.000Z']], // 1 June less 30 days
  ['renews', { renewalMode: 'auto' }, ['contract_ending 2027-05-02T09:00:00.000Z']],
  ['waits', { renewalMode: 'manual' }, ['contract_ending 2027-05-02T09:00:00.000Z']],
  ['is to be canceled', { cancelAtPeriodEnd: true }, ['contract_ending 2027-05-02T09:00:00.000Z']],
  ['is lengthened by a pause', { paused: true }, []],
  ['will be lengthened by a pause', { pauseAtPeriodEnd: true }, []],
  ['waits for its renewal', { pendingRenewal: true }, []],
])('the end of a contract that %s is announced', (_, change, planned) => {
  const { state, sent } = begun({ ...yearly, ...month }, { of: { cycles: 3 }, sent: { contractDays: 30 } });
  expect(plannedOf({ state: { ...state, ...change }, sent }, MARCH)).toEqual(planned);
});

test('a contract that is not longer than the notice, or whose setting is 0, has no notice', () => {
  const life = (contractDays: number) => begun({ ...yearly, ...month }, { of: { cycles: 1 }, sent: { contractDays } });
  expect(plannedOf(life(30), MARCH)).toEqual(['contract_ending 2027-03-02T09:00:00.000Z']); // March has 31 days
  for (const days of [0, 31, 32]) expect([days, plannedOf(life(days), MARCH)]).toEqual([days, []]);
});

test('a pause in the last period does not move the end of the contract, which is announced', () => {
  const life = begun({ ...yearly, ...month }, { of: { cycles: 1 }, sent: { contractDays: 5 } });
  const paused = { ...life, state: { ...life.state, paused: true } };
  expect(plannedOf(paused, MARCH)).toEqual(['contract_ending 2027-03-27T09:00:00.000Z']);
});

test('in arrears a renewal is announced only if another period follows', () => {
  const { state, sent } = begun(yearly);
  const open: Partial<SubscriptionState> = { billIn: 'arrears', nextPeriod: 0, periodOpen: true, cyclesBilled: 0 };
  const planned = (change: Partial<SubscriptionState>) =>
    plannedOf({ state: { ...state, ...open, ...change }, sent }, MARCH);
  const announced = ['renews_soon 2028-02-27T09:00:00.000Z'];
  expect(planned({})).toEqual(announced);
  expect(planned({ cycles: 2 })).toEqual(announced);
  expect(planned({ cycles: 1, renewalMode: 'auto' })).toEqual(announced);
  expect(planned({ pauseAtPeriodEnd: true })).toEqual([]);
  expect(planned({ cancelAtPeriodEnd: true })).toEqual([]);
  expect(planned({ cycles: 1 })).toEqual([]);
  expect(planned({ cycles: 1, renewalMode: 'manual' })).toEqual([]);
});

test('a late notice is sent until its event, and then no more', () => {
  const life = begun(yearly);
  const renewal = at('2028-03-01T09:00:00Z');
  expect(run(life, renewal - 1).done).toMatchObject([{ step: { kind: 'renews_soon', eventAt: renewal } }]);
  expect(run(life, renewal).done).toMatchObject([{ step: { kind: 'bill', startAt: renewal } }]);
});

test('after an outage steps and notices are taken in order of time, and at one time the step is first', () => {
  const contract = { of: { cycles: 4 }, sent: { contractDays: 61 } }; // the contract ends on 1 July: 61 days before is 1 May
  const life = begun({ ...yearly, ...month }, contract);
  const told = run(life, at('2027-06-10T00:00:00Z')).done.map(({ step }) => step.kind);
  expect(told).toEqual(['bill', 'bill', 'contract_ending', 'bill']); // 1 April, 1 May, then the notice, 1 June
});

const schedules = fc.record({
  anchorAt: fc.integer({ min: 0, max: 1000 }).map((days) => MARCH + days * 86_400_000),
  zone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/St_Johns'),
  interval: fc.constantFrom<Interval>('day', 'week', 'month', 'year'),
  intervalCount: fc.integer({ min: 1, max: 14 }),
  snapDay: fc.constant(null),
});
const lives = fc
  .record({
    schedule: schedules,
    cycles: fc.option(fc.integer({ min: 1, max: 5 })),
    renewalMode: fc.constantFrom(...renewalModes),
    cancelAtPeriodEnd: fc.boolean(),
    renewals: fc.constantFrom<RenewalNotices>('yearly', 'all', 'none'),
    contractDays: fc.integer({ min: 0, max: 90 }),
  })
  .map(({ schedule, cycles, renewalMode, cancelAtPeriodEnd, ...settings }) => {
    const terms = cycles === null ? {} : { cycles, renewalMode };
    return begun(schedule, { of: { ...terms, cancelAtPeriodEnd }, sent: settings });
  });

const timeOf = (step: Step) => (step.kind === 'bill' ? step.startAt : step.at);

test('with any outages a notice is sent at most once and never after its event, and steps are as without notices', () => {
  let sent = 0;
  const outages = fc.array(fc.integer({ min: 1, max: 120 }), { maxLength: 20 });
  fc.assert(
    fc.property(lives, outages, (life, days) => {
      let [now, noticed, plain] = [life.state.schedule.anchorAt, life, life];
      const [told, bare]: [Done[], Done[]] = [[], []];
      for (const count of days) {
        now += count * 86_400_000;
        const after = run(noticed, now);
        const times = after.done.map(({ step }) => timeOf(step));
        expect(times).toEqual(times.toSorted((one, other) => one - other));
        told.push(...after.done);
        noticed = after.life;
        const without = run(plain, now, stepOnly);
        bare.push(...without.done);
        plain = without.life;
      }
      const notices = told.flatMap((done) => ('eventAt' in done.step ? [{ ...done.step, sentAt: done.now }] : []));
      expect(told.filter(({ step }) => !('eventAt' in step))).toEqual(bare);
      expect(notices.filter(({ at, eventAt, sentAt }) => at > sentAt || eventAt <= sentAt)).toEqual([]);
      expect(new Set(notices.map(({ kind, eventAt }) => `${kind} ${eventAt}`)).size).toBe(notices.length);
      sent += notices.length;
    }),
    { numRuns: 300 },
  );
  expect(sent).toBeGreaterThan(10);
});

test('without outages every renewal of a yearly plan and every end of a contract is announced once, in time', () => {
  let life = begun(yearly, { of: { cycles: 1, renewalMode: 'auto' }, sent: { contractDays: 30 } });
  const told: string[] = [];
  for (let wakes = 0; wakes < 6; wakes++) {
    const now = Math.min(...nextStepOrNotice(life.state, life.sent, MARCH).waits.map(({ at }) => at));
    const after = run(life, now);
    told.push(...after.done.map(({ step }) => `${new Date(now).toISOString().slice(0, 10)} ${step.kind}`));
    life = after.life;
  }
  expect(told.slice(0, 8)).toEqual([
    '2028-01-31 contract_ending', // 1 March 2028 less 30 days
    '2028-02-27 renews_soon',
    '2028-03-01 renew',
    '2028-03-01 bill',
    '2029-01-30 contract_ending',
    '2029-02-26 renews_soon',
    '2029-03-01 renew',
    '2029-03-01 bill',
  ]);
});
