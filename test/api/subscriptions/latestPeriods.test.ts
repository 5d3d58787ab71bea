import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { refused } from '../../support/api.ts';
import { goldSubscriptions, MARCH } from '../../support/goldSubscriptions.ts';

/** Changes that would lead to periods or contracts that end after 2199 are refused, like such subscriptions. */

const seconds = (iso: string) => Date.parse(`${iso}T00:00:00Z`) / 1000;

const gold = goldSubscriptions(async (client) => {
  await client.make('/plans', { id: 'year', name: 'Year', amount: 1, interval: 'year' });
  await client.make('/plans', { id: 'century', name: 'Century', amount: 1, interval: 'year', interval_count: 100 });
  await client.make('/plans', { id: 'age', name: 'Age', amount: 1, interval: 'year', interval_count: 365 });
});
const { begin, change } = gold;
beforeEach(() => gold.moveTo(MARCH));
afterAll(() => expect(gold.api.faults).toEqual([]));

const isRefused = (param: string) => refused({ param, message: expect.stringContaining('must end before 2200') });

test.each<[string, object, object, string]>([
  ['a plan of another interval', {}, { plan: 'age' }, 'plan'],
  ['its plan during a trial', { trial_days: 14 }, { plan: 'age' }, 'plan'],
  ['the cycles of another interval', { cycles: 2 }, { plan: 'year', cycles: 173 }, 'cycles'],
  ['a plan with the renewal', {}, { plan: 'age', when: 'renewal' }, 'plan'],
  ['a plan with the renewal, in arrears', { bill_in: 'arrears' }, { plan: 'age', when: 'renewal' }, 'plan'],
  ['the cycles of the running contract', { plan: 'year', cycles: 2 }, { cycles: 173 }, 'cycles'],
  // 2 cycles, then 171 more from 1 March 2029 on: 2200
  ['the cycles of the next contract', { plan: 'year', cycles: 2 }, { cycles: 171, when: 'renewal' }, 'cycles'],
  ['the next contract at another interval', { cycles: 12 }, { plan: 'year', cycles: 172, when: 'renewal' }, 'cycles'],
  ['the end of a trial', { trial_days: 14 }, { trial_end: seconds('2199-12-15') }, 'trial_end'],
  [
    'the end of a trial before a contract',
    { trial_days: 14, plan: 'year', cycles: 5 },
    { trial_end: seconds('2195-03-02') },
    'trial_end',
  ],
  ['the end of a pause', {}, { paused: true, resume_at: seconds('2199-12-15') }, 'resume_at'],
  [
    'the end of a pause, in arrears',
    { bill_in: 'arrears' },
    { paused: true, resume_at: seconds('2199-12-15') },
    'resume_at',
  ],
  // from the next 1 March: 2195, 4 cycles to 2199 fit, and 5 do not
  [
    'the end of a pause in a contract',
    { plan: 'year', cycles: 6 },
    { paused: true, resume_at: seconds('2194-06-01') },
    'resume_at',
  ],
  [
    'a new period after a pause',
    { plan: 'century' },
    { paused: true, resume_at: seconds('2101-03-01'), resume_mode: 'new' },
    'resume_at',
  ],
])('%s', async (_, body, asked, param) => {
  const id = await begin(body);
  const before = await gold.read(id);
  expect(await change(id, asked)).toMatchObject(isRefused(param));
  expect(await gold.read(id)).toEqual(before);
});

test.each<[string, object, object]>([
  ['172 cycles from 2027 on', { plan: 'year', cycles: 2 }, { cycles: 172 }],
  ['170 more cycles from 2029 on', { plan: 'year', cycles: 2 }, { cycles: 170, when: 'renewal' }],
  ['a contract that resumes in 2194', { plan: 'year', cycles: 5 }, { paused: true, resume_at: seconds('2194-06-01') }],
  ['the last month', {}, { paused: true, resume_at: seconds('2199-10-15') }],
])('%s: the last that fit', async (_, body, asked) => {
  const id = await begin(body);
  expect((await change(id, asked)).status).toBe(200);
});

test('a period that begins at once after a pause is refused if it would end later; the old ones may go on', async () => {
  const id = await begin({ plan: 'century' });
  await change(id, { paused: true });
  gold.moveTo(seconds('2110-03-01'));
  expect(await change(id, { paused: false, resume_mode: 'new' })).toMatchObject(isRefused('resume_mode'));
  expect((await change(id, { paused: false })).status).toBe(200);
});

test('a kept change that no longer fits a moved start is named', async () => {
  const id = await begin({ start_date: seconds('2027-04-01') });
  expect((await change(id, { plan: 'century', when: 'renewal' })).status).toBe(200);
  const moved = await change(id, { start_date: seconds('2101-04-01') });
  expect(moved).toMatchObject(isRefused('pending_change'));
});
