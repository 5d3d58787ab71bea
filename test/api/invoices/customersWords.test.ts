import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { refused, startApi, type TestApi } from '../../support/api.ts';

/** Promises and disputes that customers make themselves. The test moves the time. */

const DAY = 86_400;
const MARCH = Date.UTC(2027, 2, 1, 10) / 1000;
let now = MARCH;
let api: TestApi;
let customer: number;
beforeAll(async () => {
  api = await startApi({ systemNow: () => new Date(now * 1000) });
  await api.sandbox.patch('/account', { portal_promise_days: 10, portal_disputes: true, dispute_hold_days: 5 });
});
afterAll(() => api.close());
beforeEach(async () => {
  now = MARCH;
  customer = (await api.sandbox.make('/customers', { name: 'Promising', email: 'promising@example.com' })).id;
});

const items = [
  { name: 'Hour', quantity: 2, unit_cost: 120 },
  { name: 'Travel', unit_cost: 60 },
];
const issue = (body: object = {}) => api.sandbox.make('/invoices', { customer, items, ...body });
const promise = (id: number, days: number) => api.sandbox.post(`/invoices/${id}/promise`, { date: now + days * DAY });
const tasksOf = async () => (await api.sandbox.get(`/tasks?filter[customer]=${customer}&sort=id asc`)).body;
const words = { reason: 'We returned it' };

test('a customer promises a day within those that the account allows, once at a time', async () => {
  const { id } = await issue();
  expect(await promise(id, 11)).toMatchObject(refused({ param: 'date' }));
  expect(await promise(id, -1)).toMatchObject(refused({ param: 'date' }));
  expect((await promise(id, 10)).body).toMatchObject({
    expected_payment_date: { date: now + 10 * DAY, method: null },
    expected_payment_status: 'promised',
  });
  expect(await promise(id, 5)).toMatchObject(refused({ code: 'state_conflict' }));
  const paid = await issue();
  await api.sandbox.make('/payments', {
    customer,
    amount: 300,
    applied_to: [{ type: 'invoice', invoice: paid.id, amount: 300 }],
  });
  expect(await promise(paid.id, 5)).toMatchObject(refused({ code: 'state_conflict' }));
  expect(await promise((await issue({ draft: true })).id, 5)).toMatchObject(refused({ code: 'state_conflict' }));
});

test('a broken promise ends the promises of its customer until that invoice is over', async () => {
  const [first, second] = [await issue(), await issue()];
  await api.em
    .fork()
    .execute(
      `update invoice set promise = 'broken', expected_payment_at = to_timestamp(?) where account_id = ? and id = ?`,
      [MARCH - DAY, api.sandbox.account.id, first.id],
    );
  for (const { id } of [first, second]) expect(await promise(id, 5)).toMatchObject(refused({ code: 'state_conflict' }));
  await api.sandbox.post(`/invoices/${first.id}/void`);
  expect((await promise(second.id, 5)).status).toBe(200);
});

test('a disputed line becomes a task with a deadline, and holds the invoice back once', async () => {
  const { id, items: lines, number } = await issue();
  const [hour, travel] = lines.map((line: { id: number }) => line.id);
  const dispute = (line_item: number) => api.sandbox.post(`/invoices/${id}/dispute`, { line_item, ...words });
  const until = Date.UTC(2027, 2, 7) / 1000; // 1 March and five whole days
  expect((await dispute(hour)).body).toMatchObject({
    disputed_lines: [{ line_item: hour, reason: 'We returned it', created_at: MARCH }],
    dispute_hold_until: until,
  });
  expect(await dispute(hour)).toMatchObject(refused({ code: 'state_conflict', param: 'line_item' }));
  expect(await dispute(999_999)).toMatchObject(refused({ code: 'resource_missing', param: 'line_item' }));
  now += 3 * DAY;
  expect((await dispute(travel)).body).toMatchObject({ dispute_hold_until: until });
  const name = `${number}: Hour is disputed: We returned it`;
  expect(await tasksOf()).toMatchObject([
    { name, action: 'review', due_date: until, complete: false },
    { name: `${number}: Travel is disputed: We returned it` },
  ]);
  await api.sandbox.post(`/invoices/${id}/void`);
  expect((await tasksOf()).map(({ complete }: { complete: boolean }) => complete)).toEqual([true, true]);
  expect(await dispute(travel)).toMatchObject(refused({ code: 'state_conflict' }));
});

test('the cadence of a customer leaves a disputed invoice out until the hold is over', async () => {
  const cadence = await api.sandbox.make('/chasing_cadences', {
    name: 'Soon',
    time_of_day: 7,
    frequency: 'daily',
    steps: [{ name: 'Call', action: 'phone', schedule: 'age:0' }],
  });
  await api.sandbox.patch('/account', { chasing_days: 'every' });
  const asked = await api.sandbox.make('/customers', {
    name: 'Asked',
    email: 'asked@example.com',
    chasing_cadence: cadence.id,
  });
  const { id, items: lines } = await api.sandbox.make('/invoices', { customer: asked.id, items });
  const firstStep = async () => {
    const { body } = await api.sandbox.get(`/chasing_cadences/${cadence.id}/preview?customer=${asked.id}`);
    return body.customers[0].steps[0].at;
  };
  expect(await firstStep()).toBe(MARCH);
  await api.sandbox.post(`/invoices/${id}/dispute`, { line_item: lines[0].id, ...words });
  expect(await firstStep()).toBe(Date.UTC(2027, 2, 7, 7) / 1000);
  now = Date.UTC(2027, 2, 7, 3) / 1000; // the hold is over: another dispute begins none
  await api.sandbox.post(`/invoices/${id}/dispute`, { line_item: lines[1].id, ...words });
  expect(await firstStep()).toBe(Date.UTC(2027, 2, 7, 7) / 1000);
});

test('the switches of the account are off at first', async () => {
  const { live } = api;
  const { id: of } = await live.make('/customers', { name: 'Bound' });
  const { id, items: lines } = await live.make('/invoices', { customer: of, items });
  const refusal = refused({ code: 'state_conflict' });
  expect(await live.post(`/invoices/${id}/promise`, { date: now + DAY })).toMatchObject(refusal);
  expect(await live.post(`/invoices/${id}/dispute`, { line_item: lines[0].id, ...words })).toMatchObject(refusal);
});
