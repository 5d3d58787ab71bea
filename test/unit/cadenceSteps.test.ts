import { expect, test } from '@jest/globals';
import { isIn, textOfWhich, whichIn, whyOf } from '../../dashboard/collections/standing.ts';
import {
  conditionsOf,
  foreseenBody,
  isWhole,
  newStep,
  runDaysOf,
  scheduleIn,
  scheduleOf,
  sentConditions,
  sentDays,
  sentSteps,
  stepsOf,
} from '../../dashboard/collections/steps.ts';
import { movedRow, rowAt } from '../../dashboard/forms/rows.ts';
import { formatsOf } from '../../dashboard/written.ts';

/** The rows of the form of a cadence: steps, conditions and days. */

const formats = formatsOf({ language: 'en', zone: 'UTC' });
const arabic = formatsOf({ language: 'ar', zone: 'UTC' });

const stored = {
  id: 3,
  steps: [
    {
      id: 12,
      object: 'chase_step',
      name: 'First',
      action: 'email',
      schedule: 'past_due_age:3',
      email_template_id: 'kind',
      sms_template_id: null,
      assigned_user_id: 4,
      role: 'Billing',
    },
    { id: 13, name: 'Call', action: 'phone', schedule: 'age:30', email_template_id: 'left', role: null },
  ],
  assignment_conditions: [{ field: 'country', operator: 'is_not', value: 'DE' }],
  run_days: [5, 1],
};

test('steps that nobody touched are sent as they are stored, with their ids', () => {
  expect(sentSteps(stepsOf(stored), formats)).toEqual([
    {
      id: 12,
      name: 'First',
      action: 'email',
      schedule: 'past_due_age:3',
      email_template_id: 'kind',
      assigned_user_id: 4,
      role: 'Billing',
    },
    { id: 13, name: 'Call', action: 'phone', schedule: 'age:30' }, // a call has no template
  ]);
  expect(stepsOf(null)).toEqual({ rows: [] });
  expect(stepsOf(stored)).toEqual(stepsOf(stored)); // the same keys, so that nothing looks changed
});

test.each([
  ['past_due_age:7', { from: 'past_due_age', days: '7' }],
  ['issue', { from: 'issue', days: '' }],
  ['on:2026-12-24', { from: 'on', days: '2026-12-24' }],
  ['every:10', { from: 'every', days: '10' }],
])('the schedule %s is read and written', (text, parts) => {
  expect(scheduleIn(text)).toEqual(parts);
  expect(scheduleOf(parts, formats)).toBe(text);
});

test('days are read in the digits of any language; what is no number is sent for the API to refuse', () => {
  expect(scheduleOf({ from: 'age', days: '١٤' }, arabic)).toBe('age:14');
  expect(scheduleOf({ from: 'age', days: ' 1,000 ' }, formats)).toBe('age:1000');
  expect(scheduleOf({ from: 'age', days: 'soon' }, formats)).toBe('age:soon');
  expect(scheduleOf({ from: 'age', days: '' }, formats)).toBe('age:');
});

test('a new step has no id, and is whole once it says when', () => {
  const step = newStep({ name: 'New' });
  expect(sentSteps({ rows: [step] }, formats)).toEqual([{ name: 'New', action: 'email', schedule: 'past_due_age:' }]);
  expect([step, { ...step, days: '3' }, { ...step, from: 'issue' }].map(isWhole)).toEqual([false, true, true]);
  expect(newStep({}).key).not.toBe(newStep({}).key);
});

test('rows move as far as there are places', () => {
  const rows = ['a', 'b', 'c'].map((key) => ({ key }));
  const order = (place: number, by: number) => movedRow(rows, place, by).map(({ key }) => key);
  expect(order(0, 1)).toEqual(['b', 'a', 'c']);
  expect(order(2, -1)).toEqual(['a', 'c', 'b']);
  expect(order(2, 9)).toEqual(['a', 'b', 'c']);
  expect(order(0, -1)).toEqual(['a', 'b', 'c']);
  expect(movedRow([], 0, 1)).toEqual([]);
});

test('an error of the API belongs to its row and field', () => {
  expect(rowAt('steps[3][schedule]')).toEqual({ place: 3, field: 'schedule' });
  expect(rowAt('steps[0]')).toEqual({ place: 0, field: '' });
  expect([rowAt('steps'), rowAt(null)]).toEqual([null, null]);
});

test('conditions and days are sent as they are stored, days in their order', () => {
  expect(sentConditions(conditionsOf(stored))).toEqual(stored.assignment_conditions);
  expect(sentDays(runDaysOf(stored))).toEqual([1, 5]);
  expect([sentConditions(conditionsOf(null)), sentDays(runDaysOf(null))]).toEqual([[], []]);
});

test('a dry run names what has no name yet, and nothing else', () => {
  expect(foreseenBody({ steps: [{ name: ' ', schedule: 'age:1' }] }, true)).toEqual({
    name: '–',
    steps: [{ name: '–', schedule: 'age:1' }],
  });
  expect(foreseenBody({ min_balance: 5 }, false)).toEqual({ min_balance: 5 });
  expect(foreseenBody({ name: null }, false)).toEqual({ name: '–' });
  expect(foreseenBody({ name: 'Mine' }, false)).toEqual({ name: 'Mine' });
});

test('customers are shown by their next step, their last one, or why nothing comes', () => {
  const step = { at: 1, chase_step: 12, name: 'First', action: 'email' as const, balances: [] };
  const asked = { steps: [step], reason: null, last_step: null };
  const later = { steps: [], reason: null, last_step: { chase_step: 12, at: null } };
  const done = { steps: [], reason: 'finished' as const, last_step: { chase_step: 13, at: 5 } };
  const all = [asked, later, done];
  const found = (text: string) => all.filter((one) => isIn(whichIn(text), one));
  expect(found('next:12')).toEqual([asked]);
  expect(found('last:12')).toEqual([later]);
  expect(found('why:later')).toEqual([later]);
  expect(found('why:finished')).toEqual([done]);
  expect([found(''), found('nonsense'), found('next:')]).toEqual([all, all, all]);
  expect(all.map(whyOf)).toEqual([null, 'later', 'finished']);
  expect(textOfWhich(whichIn('why:finished'))).toBe('why:finished');
});
