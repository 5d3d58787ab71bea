import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { refused, startApi, type TestApi } from '../../support/api.ts';
import { missingFields } from '../../support/apiFields.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const path = '/late_fee_schedules';
const flat = { name: 'Flat', amount: 5, is_percent: false };

test('a late fee schedule can be created, read, listed, changed and deleted', async () => {
  const { sandbox } = await api.open('Lender');
  const created = await sandbox.post(path, { name: 'Monthly', amount: 1.5, grace_period_days: 10, recurring_days: 30 });
  expect(missingFields('late_fee_schedule', created.body)).toEqual([]);
  expect(created).toMatchObject({
    status: 201,
    body: {
      object: 'late_fee_schedule',
      name: 'Monthly',
      grace_period_days: 10,
      amount: 1.5,
      is_percent: true,
      recurring_days: 30,
      cap: null,
      currency: 'usd',
      default: false,
    },
  });
  const one = `${path}/${created.body.id}`;
  expect((await sandbox.get(one)).body).toEqual(created.body);
  expect((await sandbox.get(`${path}?filter[name]=Monthly`)).body).toEqual([created.body]);
  expect((await sandbox.get(`${path}?filter[name]=Yearly`)).body).toEqual([]);
  const changed = await sandbox.patch(one, { amount: 2, cap: 40, default: true });
  expect(changed).toMatchObject({ status: 200, body: { amount: 2, cap: 40, default: true, recurring_days: 30 } });
  expect((await sandbox.get(one)).body).toEqual(changed.body);
  expect((await sandbox.delete(one)).status).toBe(204);
  expect((await sandbox.get(one)).status).toBe(404);
  expect((await sandbox.patch(one, { amount: 3 })).status).toBe(404);
  expect((await sandbox.delete(one)).status).toBe(404);
});

test('at most one schedule is the default', async () => {
  const { sandbox } = await api.open('Defaults');
  const first = await sandbox.make(path, { ...flat, default: true });
  const second = await sandbox.make(path, flat);
  const message = `Late fee schedule ${first.id} is the default: change it first`;
  const refusal = refused({ param: 'default', message });
  expect(await sandbox.post(path, { ...flat, default: true })).toMatchObject(refusal);
  expect(await sandbox.patch(`${path}/${second.id}`, { default: true })).toMatchObject(refusal);
  expect((await sandbox.patch(`${path}/${first.id}`, { default: true })).status).toBe(200);
  expect((await sandbox.patch(`${path}/${first.id}`, { default: false })).status).toBe(200);
  const answers = await Promise.all([1, 2, 3, 4].map(() => sandbox.post(path, { ...flat, default: true })));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400]);
});

test.each([
  [{ amount: 5 }, 'name'],
  [{ name: 'None' }, 'amount'],
  [{ name: 'None', amount: 0 }, 'amount'],
  [{ name: 'Negative', amount: -1 }, 'amount'],
  [{ name: 'More than all', amount: 100.5 }, 'amount'],
  [{ ...flat, amount: 0.005 }, 'amount'],
  [{ ...flat, amount: '5' }, 'amount'],
  [{ ...flat, cap: 4.99 }, 'cap'],
  [{ ...flat, cap: 0 }, 'cap'],
  [{ ...flat, cap: 9.999 }, 'cap'],
  [{ ...flat, grace_period_days: -1 }, 'grace_period_days'],
  [{ ...flat, grace_period_days: 366 }, 'grace_period_days'],
  [{ ...flat, recurring_days: 1.5 }, 'recurring_days'],
  [{ ...flat, recurring_days: 366 }, 'recurring_days'],
  [{ ...flat, default: 'yes' }, 'default'],
  [{ ...flat, percent: 5 }, 'percent'],
])('%j is refused, naming %s', async (body, param) => {
  expect(await api.sandbox.post(path, body)).toMatchObject(refused({ type: 'invalid_request', param }));
});

test('a change that lifts the fee above its cap is refused and loses nothing', async () => {
  const { sandbox } = api;
  const before = await sandbox.make(path, { ...flat, cap: 20 });
  const one = `${path}/${before.id}`;
  const message = 'The fee is above its cap: 20.01 is more than 20';
  expect(await sandbox.patch(one, { amount: 20.01 })).toMatchObject(
    refused({ param: 'cap', message: expect.stringMatching(message) }),
  );
  expect(await sandbox.patch(one, { name: 'x', cap: 3 })).toMatchObject(refused({ param: 'cap' }));
  expect((await sandbox.get(one)).body).toEqual(before);
  expect((await sandbox.patch(one, { cap: null, amount: 20.01 })).body).toMatchObject({ cap: null, amount: 20.01 });
});
