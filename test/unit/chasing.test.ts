import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { CadenceTerms, ChaseStep } from '../../billing/collection/cadence.ts';
import { type ChasedItem, type ChasingState, foreseeChase, planChase } from '../../billing/collection/chasing.ts';
import { isWorkingDay } from '../../billing/time/workingDays.ts';
import { foreseenBySimulation } from '../support/chasingOracle.ts';

const step = (id: number, schedule: string, action: ChaseStep['action'] = 'email'): ChaseStep => ({
  id,
  name: `Step ${id}`,
  action,
  schedule,
  emailTemplateId: null,
  smsTemplateId: null,
  assignedUserId: null,
  role: null,
});

const cadence: CadenceTerms = {
  timeOfDay: 9,
  frequency: 'daily',
  runDays: [],
  paused: false,
  minBalance: '0',
  steps: [step(1, 'past_due_age:3'), step(2, 'past_due_age:10'), step(3, 'past_due_age:20', 'phone')],
};

const item: ChasedItem = {
  invoiceId: 1,
  currency: 'usd',
  balance: '120.00',
  issuedOn: '2027-01-04',
  dueOn: '2027-01-08', // a Friday
  missedAt: null,
  notBefore: null,
};

const state: ChasingState = {
  cadence,
  silence: null,
  taken: [],
  lastStepOn: null,
  items: [item],
  credits: new Map(),
  isWorkingDay: (day) => isWorkingDay(day, { country: 'DE', state: null }),
  zone: 'UTC',
};

const time = (text: string) => Date.parse(`${text}Z`);
const MONDAY = time('2027-01-04T08:00');

/** The next step as "1 at 2027-01-11T09:00", or the reason why there is none. */
function next(over: Partial<ChasingState>, now = MONDAY): string {
  const plan = planChase({ ...state, ...over }, now);
  return plan.kind === 'none' ? plan.because : `${plan.step.id} at ${new Date(plan.at).toISOString().slice(0, 16)}`;
}

describe('the next step', () => {
  const eur = { ...item, currency: 'eur', balance: '5.00' };
  test.each<[string, Partial<ChasingState>, string]>([
    ['counts from the due date: 8 + 3 = 11', {}, '1 at 2027-01-11T09:00'],
    ['is made up on the next working day: 8 + 10 = 18', { taken: [1] }, '2 at 2027-01-18T09:00'],
    ['no step is left', { taken: [1, 2, 3] }, 'finished'],
    ['follows the last step that the cadence still has', { taken: [99, 1, 98] }, '2 at 2027-01-18T09:00'],
    ['is the first one if all that were taken are gone', { taken: [99] }, '1 at 2027-01-11T09:00'],
    ['counts from the issue', withSteps(step(1, 'age:2')), '1 at 2027-01-06T09:00'],
    ['counts from the oldest item', { items: [item, { ...item, dueOn: '2027-01-05' }] }, '1 at 2027-01-08T09:00'],
    ['needs a due date', { items: [{ ...item, dueOn: null }] }, 'not_past_due'],
    ['needs an open item', { items: [] }, 'nothing_open'],
    ['waits for the end of a promise', { items: [{ ...item, notBefore: '2027-01-14' }] }, '1 at 2027-01-14T09:00'],
    ['waits for nothing below the minimum', minimum('120.01'), 'below_minimum'],
    ['asks for the minimum itself', minimum('120.00'), '1 at 2027-01-11T09:00'],
    ['leaves out unapplied money', { credits: new Map([['usd', '120.00']]) }, 'below_minimum'],
    ['asks for what unapplied money leaves', { credits: new Map([['usd', '119.99']]) }, '1 at 2027-01-11T09:00'],
    [
      'counts each currency alone: 100 usd + 5 eur are not 105',
      { ...minimum('105'), items: [{ ...item, balance: '100' }, eur] },
      'below_minimum',
    ],
    [
      'money in one currency does not lower another',
      { items: [item, eur], credits: new Map([['usd', '500']]) },
      '1 at 2027-01-11T09:00',
    ],
    ['is not taken while the cadence is paused', { cadence: { ...cadence, paused: true } }, 'paused'],
    ['is not taken on a credit hold', { silence: 'credit_hold' }, 'credit_hold'],
    ['has no cadence', { cadence: null }, 'no_cadence'],
    [
      'keeps a day between two steps',
      { ...withSteps(step(1, 'age:0'), step(2, 'age:0')), ...after('2027-01-04') },
      '2 at 2027-01-05T09:00',
    ],
    [
      'keeps three days for who is late: 4 + 3 = 7',
      { ...withSteps(step(1, 'age:0'), step(2, 'age:30')), ...late(), ...after('2027-01-04') },
      '2 at 2027-01-07T09:00',
    ],
    ['runs on Tuesdays', weekly([2]), '1 at 2027-01-12T09:00'],
    ['makes Sundays up on Mondays', weekly([7]), '1 at 2027-01-11T09:00'],
    [
      'makes up the last day of a short month: Sunday 28 February',
      { ...monthly([31]), taken: [1, 2], lastStepOn: '2027-02-02' },
      '3 at 2027-03-01T09:00',
    ],
  ])('%s', (_, over, expected) => {
    expect(next(over)).toBe(expected);
  });

  test.each([
    ['before its hour: it waits', '2027-01-11T08:59', '1 at 2027-01-11T09:00'],
    ['late on its day: it is due', '2027-01-11T19:59', '1 at 2027-01-11T09:00'],
    ['too late on its day: the next day', '2027-01-11T20:00', '1 at 2027-01-12T09:00'],
    ['a month late on a Saturday: Monday', '2027-02-13T10:00', '1 at 2027-02-15T09:00'],
    ['not on a holiday (Epiphany is none of the whole country, 1 May is)', '2027-05-01T08:00', '1 at 2027-05-03T09:00'],
  ])('%s', (_, now, expected) => {
    expect(next({}, time(now))).toBe(expected);
  });

  test('the hour is that of the account, also when clocks change', () => {
    const late = { zone: 'America/New_York', isWorkingDay: () => true };
    expect(next(late)).toBe('1 at 2027-01-11T14:00');
    expect(next(late, time('2027-03-14T12:00'))).toBe('1 at 2027-03-14T13:00'); // 9:00 summer time
  });
});

function withSteps(...steps: ChaseStep[]): Partial<ChasingState> {
  return { cadence: { ...cadence, steps } };
}
function minimum(minBalance: string): Partial<ChasingState> {
  return { cadence: { ...cadence, minBalance } };
}
function after(lastStepOn: string): Partial<ChasingState> {
  return { taken: [1], lastStepOn };
}
function late(): Partial<ChasingState> {
  return { items: [{ ...item, issuedOn: '2026-10-01' }] };
}
function weekly(runDays: number[]): Partial<ChasingState> {
  return { cadence: { ...cadence, frequency: 'day_of_week', runDays } };
}
function monthly(runDays: number[]): Partial<ChasingState> {
  return { cadence: { ...cadence, frequency: 'day_of_month', runDays } };
}

const days = fc
  .integer({ min: 0, max: 60 })
  .map((ahead) => new Date(MONDAY + ahead * 86_400_000).toISOString().slice(0, 10));
const items = fc.array(
  fc.record({
    invoiceId: fc.integer({ min: 1, max: 9 }),
    currency: fc.constantFrom('usd', 'eur'),
    balance: fc.integer({ min: 1, max: 20 }).map(String),
    issuedOn: days,
    dueOn: fc.option(days),
    missedAt: fc.constant(null),
    notBefore: fc.option(days),
  }),
  { maxLength: 5 },
);
const steps = fc
  .array(fc.record({ from: fc.constantFrom('age', 'past_due_age'), days: fc.integer({ min: 0, max: 25 }) }), {
    minLength: 1,
    maxLength: 5,
  })
  .map((all) =>
    all.toSorted((one, other) => one.days - other.days).map(({ from, days: n }, at) => step(at + 1, `${from}:${n}`)),
  );
const timetables = fc.oneof(
  fc.constant({ frequency: 'daily' as const, runDays: [] }),
  fc.record({
    frequency: fc.constant('day_of_week' as const),
    runDays: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
  }),
  fc.record({
    frequency: fc.constant('day_of_month' as const),
    runDays: fc.uniqueArray(fc.integer({ min: 1, max: 31 }), { minLength: 1, maxLength: 4 }),
  }),
);

test('the steps of ninety days are those of a simulation that looks at each day by itself', () => {
  const worlds = fc.record({
    items,
    steps,
    timetable: timetables,
    timeOfDay: fc.integer({ min: 0, max: 23 }),
    minBalance: fc.integer({ min: 0, max: 25 }).map(String),
    credit: fc.integer({ min: 0, max: 15 }),
    hour: fc.integer({ min: 0, max: 23 }),
  });
  fc.assert(
    fc.property(worlds, ({ items: open, steps: taken, timetable, credit, hour, timeOfDay, minBalance }) => {
      const world: ChasingState = {
        ...state,
        items: open,
        credits: new Map([['usd', String(credit)]]),
        cadence: { ...cadence, ...timetable, timeOfDay, minBalance, steps: taken },
      };
      const now = MONDAY + (hour - 8) * 3_600_000;
      const until = now + 90 * 86_400_000;
      const foreseen = foreseeChase(world, { now, until }).steps;
      const shown = foreseen.map(({ at, step: { id }, asked }) => [
        at,
        id,
        asked.map(({ currency, balance }) => `${Number(balance)} ${currency}`),
      ]);
      expect(shown).toEqual(foreseenBySimulation(world, { now, until }));
    }),
    { numRuns: 400 },
  );
});
