import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { refused, startApi, type TestApi } from '../../support/api.ts';
import { missingFields } from '../../support/apiFields.ts';

let api: TestApi;
let customer: number;
beforeAll(async () => {
  api = await startApi();
  customer = (await api.sandbox.make('/customers', { name: 'Subscriber' })).id;
  await api.sandbox.post('/plans', { id: 'gold', name: 'Gold', amount: 99.99, interval: 'month' });
});
afterAll(() => api.close());

test('a subscription can be created, read, changed and canceled', async () => {
  const { sandbox } = api;
  const created = await sandbox.post('/subscriptions', { customer, plan: 'gold', quantity: 2, cycles: 12 });
  expect(created.status).toBe(201);
  expect(missingFields('subscription', created.body)).toEqual([]);
  expect(created.body).toMatchObject({
    object: 'subscription',
    customer,
    plan: 'gold',
    quantity: 2,
    cycles: 12,
    status: 'active',
    paused: false,
    bill_in: 'advance',
    recurring_total: 199.98, // 2 x 99.99
    mrr: 199.98,
  });
  const path = `/subscriptions/${created.body.id}`;
  expect((await sandbox.get(path)).body).toEqual(created.body);
  const paused = await sandbox.patch(path, { paused: true, cancel_at_period_end: true, metadata: { a: 'b' } });
  expect(paused).toMatchObject({
    status: 200,
    body: { paused: true, cancel_at_period_end: true, metadata: { a: 'b' } },
  });
  const canceled = await sandbox.delete(path);
  expect(canceled).toMatchObject({ status: 200, body: { status: 'canceled', period_start: null, mrr: 0 } });
  expect(canceled.body.canceled_at).toEqual(expect.any(Number));
  expect((await sandbox.delete(path)).status).toBe(400);
  expect((await sandbox.patch(path, { paused: false })).status).toBe(400);
});

test('ended subscriptions are listed on request', async () => {
  const { sandbox } = api;
  const start = async () => (await sandbox.make('/subscriptions', { customer: { id: customer }, plan: 'gold' })).id;
  const [kept, ended] = [await start(), await start()];
  await sandbox.delete(`/subscriptions/${ended}`);
  const ids = async (query: string) =>
    (await sandbox.get(`/subscriptions${query}`)).body.map((row: { id: number }) => row.id);
  expect(await ids('')).toContain(kept);
  expect(await ids('')).not.toContain(ended);
  expect(await ids('?canceled=0')).not.toContain(ended);
  expect(await ids('?canceled=1')).toEqual(expect.arrayContaining([kept, ended]));
  expect(await ids('?filter[status]=canceled')).toContain(ended);
});

test('customer and plan are expanded on request', async () => {
  const { body } = await api.sandbox.post('/subscriptions', { customer, plan: 'gold' });
  const { body: one } = await api.sandbox.get(`/subscriptions/${body.id}?expand=customer,plan,nothing`);
  expect(missingFields('customer', one.customer)).toEqual([]);
  expect(missingFields('plan', one.plan)).toEqual([]);
  const { body: many } = await api.sandbox.get('/subscriptions?expand=plan');
  expect(many[0]).toMatchObject({ customer, plan: { object: 'plan', id: 'gold' } });
});

test('a start far in the future is accepted, and one too long ago refused', async () => {
  const now = Math.floor(Date.now() / 1000);
  const future = await api.sandbox.post('/subscriptions', { customer, plan: 'gold', start_date: now + 86_400 });
  expect(future.body).toMatchObject({ status: 'not_started', start_date: now + 86_400 });
  const past = await api.sandbox.post('/subscriptions', { customer, plan: 'gold', start_date: now - 500 * 86_400 });
  expect(past).toMatchObject(refused({ param: 'start_date' }));
});

test.each([
  [{ customer: undefined }, 'customer', 'Customer missing'],
  [{ customer: 999 }, 'customer', 'Customer was not found: 999'],
  [{ customer: 99_999_999_999 }, 'customer', 'Customer was not found: 99999999999'],
  [{ customer: 'abc' }, 'customer', 'Customer must be an id'],
  [{ plan: null }, 'plan', 'Plan missing'],
  [{ plan: 'silver' }, 'plan', 'Plan was not found: silver'],
  [{ quantity: -1 }, 'quantity', 'Quantity must be a whole number from 0 to 1000000000'],
  [{ quantity: 1.5 }, 'quantity', 'Quantity must be a whole number from 0 to 1000000000'],
  [{ quantity: 1_000_000_000, plan: 'dear' }, 'quantity', 'Amounts must be below 1000000000000: 100000000000000.00'],
  [{ cycles: 0 }, 'cycles', 'Cycles must be a whole number from 1 to 10000'],
  [{ start_date: 'tomorrow' }, 'start_date', 'Start date must be a number'],
  [
    { start_date: 99_999_999_999 },
    'start_date',
    'Start date must be a UNIX time in whole seconds, from 0 to 7258118399',
  ],
  [{ amount: 5 }, 'amount', 'Plan gold has a price: omit amount'],
  [{ plan: 'agreed' }, 'amount', 'Amount missing: plan agreed has a custom price'],
  [{ plan: 'agreed', amount: -1 }, 'amount', 'Amount must not be negative'],
  [{ snap_to_nth_day: 0 }, 'snap_to_nth_day', 'Snap to nth day must be a whole number from 1 to 366'],
  [{ snap_to_nth_day: 1.5 }, 'snap_to_nth_day', 'Snap to nth day must be a whole number from 1 to 366'],
  [{ snap_to_nth_day: 32 }, 'snap_to_nth_day', 'Snap to nth day must be from 1 to 31 for a plan by the month: 32'],
  [{ snap_to_nth_day: 367, plan: 'yearly' }, 'snap_to_nth_day', 'Snap to nth day must be a whole number from 1 to 366'],
  [
    { snap_to_nth_day: 8, plan: 'weekly' },
    'snap_to_nth_day',
    'Snap to nth day must be from 1 to 7 for a plan by the week: 8',
  ],
  [
    { snap_to_nth_day: 1, plan: 'daily' },
    'snap_to_nth_day',
    'A plan by the day has no day to snap to: it takes no snap_to_nth_day',
  ],
  [
    { contract_renewal_mode: 'auto' },
    'contract_renewal_mode',
    'Contract renewal mode needs cycles: a subscription without cycles has no contract that ends',
  ],
  [
    { contract_renewal_cycles: 3 },
    'contract_renewal_cycles',
    'Contract renewal cycles needs cycles: a subscription without cycles has no contract that ends',
  ],
  [
    { cycles: 3, contract_renewal_mode: 'always' },
    'contract_renewal_mode',
    'Contract renewal mode must be one of auto, manual, renew_once, none: always',
  ],
  [{ cycle: 3 }, 'cycle', 'Unknown field cycle; did you mean cycles?'],
])('%j is refused, naming %s', async (body, param, message) => {
  await api.sandbox.post('/plans', { id: 'dear', name: 'Dear', amount: 100_000, interval: 'month' });
  await api.sandbox.post('/plans', { id: 'weekly', name: 'Weekly', amount: 1, interval: 'week' });
  await api.sandbox.post('/plans', { id: 'yearly', name: 'Yearly', amount: 1, interval: 'year' });
  await api.sandbox.post('/plans', { id: 'daily', name: 'Daily', amount: 1, interval: 'day' });
  await api.sandbox.post('/plans', { id: 'agreed', name: 'Agreed', pricing_mode: 'custom', interval: 'month' });
  const answer = await api.sandbox.post('/subscriptions', { customer, plan: 'gold', ...body });
  expect(answer).toMatchObject(refused({ param, message }));
});
