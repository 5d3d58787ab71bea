import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { ChaseAction, ChaseStep } from '../../billing/collection/cadence.ts';
import { checkInvoiceSteps, parseInvoiceSchedule } from '../../billing/collection/invoiceCadence.ts';
import {
  type AskingDays,
  type InvoiceToChase,
  planInvoice,
  stepsOn,
  takenAfter,
} from '../../billing/collection/invoiceChasing.ts';
import { isWorkingDay } from '../../billing/time/workingDays.ts';
import { invoiceStepsBySimulation } from '../support/invoiceChasingOracle.ts';

const step = (id: number, schedule: string, action: ChaseAction = 'email'): ChaseStep => ({
  id,
  name: `Step ${id}`,
  action,
  schedule,
  emailTemplateId: null,
  smsTemplateId: null,
  assignedUserId: null,
  role: null,
});

const invoice: InvoiceToChase = {
  steps: [],
  timeOfDay: 9,
  paused: false,
  taken: [],
  isIssueMailed: false,
  issuedOn: '2027-01-04', // a Monday
  dueOn: '2027-01-15', // a Friday
  notBefore: null,
};
const days: AskingDays = {
  isWorkingDay: (day) => isWorkingDay(day, { country: 'DE', state: null }),
  zone: 'UTC',
  askedToday: new Set(),
};
const MONDAY = Date.parse('2027-01-04T08:00Z');

/** The planned steps as "1 at 2027-01-11T09:00". */
const planned = (over: Partial<InvoiceToChase>, how: Partial<AskingDays> = {}, now = MONDAY) =>
  planInvoice({ ...invoice, ...over }, { ...days, ...how }, now).map(
    ({ at, step: { id } }) => `${id} at ${new Date(at).toISOString().slice(0, 16)}`,
  );

describe('the day of a step', () => {
  test.each<[string, string, string[], Partial<InvoiceToChase>]>([
    ['at issue', 'issue', ['1 at 2027-01-04T09:00'], {}],
    ['after issue: 4 + 3 = 7', 'after_issue:3', ['1 at 2027-01-07T09:00'], {}],
    ['before due: 15 - 3 = 12', 'before_due:3', ['1 at 2027-01-12T09:00'], {}],
    ['before due on a Saturday: the Friday before', 'before_due:6', ['1 at 2027-01-08T09:00'], {}],
    ['before due and before its issue: never', 'before_due:12', [], {}],
    ['on the due date', 'before_due:0', ['1 at 2027-01-15T09:00'], {}],
    ['after due on a Sunday: the Monday after', 'after_due:2', ['1 at 2027-01-18T09:00'], {}],
    ['after due without a due date: never', 'after_due:2', [], { dueOn: null }],
    ['on a date', 'on:2027-02-03', ['1 at 2027-02-03T09:00'], {}],
    ['on a date before its issue: never', 'on:2027-01-03', [], {}],
    ['repeated, first after the due date: 15 + 5 = 20', 'every:5', ['1 at 2027-01-20T09:00'], {}],
    [
      'repeated, after the last time: 20 + 5 = 25',
      'every:5',
      ['1 at 2027-01-25T09:00'],
      { taken: [{ id: 1, times: 1, on: '2027-01-20' }] },
    ],
    ['repeated 365 times: no more', 'every:5', [], { taken: [{ id: 1, times: 365, on: '2027-01-20' }] }],
    ['taken once: no more', 'issue', [], { taken: [{ id: 1, times: 1, on: '2027-01-04' }] }],
    ['paused', 'issue', [], { paused: true }],
    ['promised', 'issue', ['1 at 2027-01-12T09:00'], { notBefore: '2027-01-12' }],
    ['promised beyond the due date: nothing before it', 'before_due:3', [], { notBefore: '2027-01-18' }],
  ])('%s', (_, schedule, expected, over) => {
    expect(planned({ steps: [step(1, schedule)], ...over })).toEqual(expected);
  });

  test('a channel that was used today is free tomorrow', () => {
    const steps = [step(1, 'issue'), step(2, 'issue', 'phone')];
    const askedToday = new Set<ChaseAction>(['email']);
    expect(planned({ steps }, { askedToday })).toEqual(['2 at 2027-01-04T09:00', '1 at 2027-01-05T09:00']);
  });
});

test('the latest of the due steps of a channel replaces the others; repetitions count', () => {
  const steps = [step(1, 'issue'), step(2, 'after_due:3'), step(3, 'every:2'), step(4, 'issue', 'phone')];
  const now = Date.parse('2027-01-27T10:00Z');
  const due = stepsOn(planInvoice({ ...invoice, steps }, days, now), '2027-01-27');
  expect(due.map(({ step: { id }, replaced }) => [id, replaced.map((one) => one.id)])).toEqual([
    [3, [1, 2]],
    [4, []],
  ]);
  const [first] = due;
  if (!first) throw new Error('nothing is due');
  expect(takenAfter([{ id: 3, times: 4, on: '2027-01-20' }], first, '2027-01-27')).toEqual([
    { id: 3, times: 5, on: '2027-01-27' },
    { id: 1, times: 1, on: '2027-01-27' },
    { id: 2, times: 1, on: '2027-01-27' },
  ]);
});

test('schedules that cannot be read, and a repetition of a repetition, are refused', () => {
  for (const schedule of ['', 'age:3', 'every:0', 'issue:1', 'on:2027-02-29', 'before_due:3651', 'after_due:1.5'])
    expect(() => parseInvoiceSchedule(schedule, 'schedule')).toThrow('Schedules are issue, after_issue:N');
  expect(() => checkInvoiceSteps([{ schedule: 'every:3' }, { schedule: 'every:3' }])).toThrow('repeated already');
  checkInvoiceSteps([{ schedule: 'every:3' }, { schedule: 'issue' }, { schedule: 'every:3' }]);
});

const someDay = fc
  .integer({ min: -10, max: 50 })
  .map((ahead) => new Date(MONDAY + ahead * 86_400_000).toISOString().slice(0, 10));
const schedules = fc.oneof(
  fc.constant('issue'),
  fc
    .record({ kind: fc.constantFrom('after_issue', 'before_due', 'after_due'), n: fc.integer({ min: 0, max: 25 }) })
    .map(({ kind, n }) => `${kind}:${n}`),
  fc.integer({ min: 1, max: 25 }).map((n) => `every:${n}`),
  someDay.map((day) => `on:${day}`),
);
const worlds = fc.record({
  steps: fc
    .array(fc.record({ schedule: schedules, action: fc.constantFrom<ChaseAction>('email', 'phone') }), {
      minLength: 1,
      maxLength: 6,
    })
    .map((all) =>
      all.filter(({ schedule }, at) => !schedule.startsWith('every') || !all[at - 1]?.schedule.startsWith('every')),
    )
    .map((all) => all.map(({ schedule, action }, at) => step(at + 1, schedule, action))),
  issuedOn: someDay,
  dueOn: fc.option(someDay),
  notBefore: fc.option(someDay),
});

test('the steps of ninety days are those of a simulation that looks at each day by itself', () => {
  fc.assert(
    fc.property(worlds, (world) => {
      const [from, until] = ['2027-01-04', '2027-04-04'];
      const asked: InvoiceToChase = { ...invoice, ...world };
      const found: [string, number[]][] = [];
      for (let at = Date.parse(`${from}T09:00Z`); at <= Date.parse(`${until}T09:00Z`); at += 86_400_000) {
        const today = new Date(at).toISOString().slice(0, 10);
        for (const due of stepsOn(planInvoice(asked, days, at), today)) {
          asked.taken = takenAfter(asked.taken, due, today);
          found.push([today, [due.step, ...due.replaced].map(({ id }) => id).sort((one, other) => one - other)]);
        }
      }
      const simulated = invoiceStepsBySimulation({ ...invoice, ...world }, days, { from, until });
      expect(found.toSorted()).toEqual(simulated.toSorted());
    }),
    { numRuns: 400 },
  );
});
