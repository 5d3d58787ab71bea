import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Client, refused, startApi, type TestApi } from '../../support/api.ts';
import { seconds } from '../../support/story.ts';

let api: TestApi;
let client: Client;
/** Another business in the sandbox. */
let rival: Client;

beforeAll(async () => {
  api = await startApi();
  client = api.sandbox;
  rival = (await api.open('Rival')).sandbox;
});
afterAll(() => api.close());

const START = seconds('2027-01-31T10:00:00Z');

const newClock = async (over: object = {}): Promise<number> =>
  (await client.make('/test_clocks', { name: 'Year', frozen_time: START, ...over })).id;
const on = (test_clock: unknown) => client.post('/customers', { name: 'Ada', email: 'ada@example.com', test_clock });
const refusal = (message: string, param?: string) =>
  refused({ type: 'invalid_request', message, ...(param ? { param } : {}) });

test('a clock can be created, read and listed', async () => {
  const made = await client.post('/test_clocks', { name: 'Year', frozen_time: START });
  const clock = {
    object: 'test_clock',
    name: 'Year',
    frozen_time: START,
    status: 'ready',
    target_time: null,
    stop_reason: null,
    happened: [],
  };
  expect(made).toMatchObject({ status: 201, body: clock });
  const { id } = made.body;
  expect(await client.get(`/test_clocks/${id}`)).toMatchObject({ status: 200, body: { ...clock, id } });
  expect((await client.get('/test_clocks?filter[name]=Year')).body).toContainEqual(made.body);
  expect(await client.get(`/test_clocks/${id}/steps`)).toMatchObject({ status: 200, body: [] });
  expect(await client.post('/test_clocks', { frozen_time: START })).toMatchObject({
    status: 201,
    body: { name: null },
  });
});

test("a customer of a clock and all its objects use the clock's time", async () => {
  const id = await newClock();
  const { body: customer, status } = await on(id);
  expect({ status, customer }).toMatchObject({ status: 201, customer: { test_clock: id, created_at: START } });
  const { body: invoice } = await client.post('/invoices', { customer: customer.id, items: [{ unit_cost: 5 }] });
  expect(invoice).toMatchObject({ date: START, created_at: START });
  const [event] = (await client.get('/events?filter[type]=invoice.created')).body;
  expect(event).toMatchObject({ timestamp: START });
  expect((await client.get(`/customers?filter[test_clock]=${id}`)).body).toMatchObject([{ id: customer.id }]);
  const changed = await client.patch(`/customers/${customer.id}`, { test_clock: id, name: 'Bea' });
  expect(changed).toMatchObject({ status: 200, body: { name: 'Bea', test_clock: id } });
  const { body: real } = await client.post('/customers', { name: 'Real' });
  expect((await client.patch(`/customers/${real.id}`, { ...real, name: 'Still' })).body.test_clock).toBeNull();
  const stays = `Customer is on test clock ${id} and cannot be moved: create another customer`;
  for (const other of [null, await newClock()])
    expect(await client.patch(`/customers/${customer.id}`, { test_clock: other })).toMatchObject(
      refusal(stays, 'test_clock'),
    );
  const moved = await client.patch(`/customers/${real.id}`, { test_clock: id });
  expect(moved).toMatchObject(
    refusal('Customer is in real time and cannot be moved: create another customer', 'test_clock'),
  );
});

test('invalid clocks are refused', async () => {
  const id = await newClock();
  expect(await client.post('/test_clocks', { name: 'x' })).toMatchObject(refusal('Frozen time missing', 'frozen_time'));
  expect(await client.post('/test_clocks', { frozen_time: 'soon' })).toMatchObject(refused({ param: 'frozen_time' }));
  const late = await client.post(`/test_clocks/${id}/advance`, { frozen_time: seconds('2200-01-01') });
  expect(late).toMatchObject(refused({ param: 'frozen_time' }));
  expect(await client.post(`/test_clocks/${id}/advance`, {})).toMatchObject(
    refusal('Frozen time missing', 'frozen_time'),
  );
  expect(await client.post(`/test_clocks/${id}/advance`, { frozen_time: START - 1 })).toMatchObject(
    refusal("Frozen time must not be before the clock's current time", 'frozen_time'),
  );
  expect(await on(2_000_000)).toMatchObject(refusal('Test clock was not found: 2000000', 'test_clock'));
  expect((await client.post('/test_clocks/2000000/advance', { frozen_time: START })).status).toBe(404);
  expect((await client.delete('/test_clocks/2000000')).status).toBe(404);
});

test('live accounts have no test clocks', async () => {
  const message = 'Test clocks exist only in the sandbox';
  expect(await api.live.post('/test_clocks', { frozen_time: START })).toMatchObject(refusal(message));
  expect(await api.live.post('/test_clocks/1/advance', { frozen_time: START })).toMatchObject(refusal(message));
  expect(await api.live.delete('/test_clocks/1')).toMatchObject(refusal(message));
  const id = await newClock();
  const other = await api.live.post('/customers', { name: 'Ada', test_clock: id });
  expect(other).toMatchObject(refusal(`Test clock was not found: ${id}`, 'test_clock'));
});

test('another business can neither see a clock nor put customers on it', async () => {
  const id = await newClock();
  for (const path of [`/test_clocks/${id}`, `/test_clocks/${id}/steps`])
    expect((await rival.get(path)).status).toBe(404);
  expect((await rival.post(`/test_clocks/${id}/advance`, { frozen_time: START })).status).toBe(404);
  expect((await rival.delete(`/test_clocks/${id}`)).status).toBe(404);
  expect((await rival.post('/customers', { name: 'x', test_clock: id })).status).toBe(400);
});

test('requests about the customers of an advancing clock are refused', async () => {
  const id = await newClock();
  const { body: customer } = await on(id);
  const { body: bystander } = await on(await newClock());
  const items = [{ unit_cost: 5 }];
  const { body: invoice } = await client.post('/invoices', { customer: customer.id, items });
  const { body: payment } = await client.post('/payments', { customer: customer.id, amount: 5 });
  await client.post('/plans', { id: 'clocked', name: 'Gold', amount: 5, interval: 'month' });
  const { body: subscription } = await client.post('/subscriptions', { customer: customer.id, plan: 'clocked' });

  // No worker runs, so the clock keeps advancing.
  const target = START + 86_400;
  const asked = await client.post(`/test_clocks/${id}/advance`, { frozen_time: target });
  expect(asked).toMatchObject({ status: 200, body: { status: 'advancing', frozen_time: START, target_time: target } });

  const message = `Test clock ${id} is advancing: its customers can be changed once it has arrived`;
  const card = { method: 'credit_card', gateway_token: 'tok_4242424242424242' };
  const writes: [string, string, object?][] = [
    ['PATCH', `/customers/${customer.id}`, { name: 'Bea' }],
    ['POST', `/customers/${customer.id}/payment_sources`, card],
    ['POST', '/invoices', { customer: customer.id, items }],
    ['POST', `/invoices/${invoice.id}/void`],
    ['POST', `/invoices/${invoice.id}/pay`],
    ['POST', '/payments', { customer: customer.id, amount: 5 }],
    ['DELETE', `/payments/${payment.id}`],
    ['POST', '/charges', { customer: customer.id, amount: 5, applied_to: [], ...card }],
    ['POST', '/subscriptions', { customer: customer.id, plan: 'clocked' }],
    ['PATCH', `/subscriptions/${subscription.id}`, { paused: true }],
    ['DELETE', `/subscriptions/${subscription.id}`],
    ['POST', '/customers', { name: 'Late', test_clock: id }],
  ];
  for (const [method, path, body] of writes) {
    const answer = await client.request(method, path, body);
    expect({ method, path, ...answer }).toMatchObject({ method, path, ...refusal(message) });
  }
  expect(await client.post(`/test_clocks/${id}/advance`, { frozen_time: target })).toMatchObject(
    refusal(`Test clock ${id} is advancing`),
  );
  expect(await client.delete(`/test_clocks/${id}`)).toMatchObject(refusal(`Test clock ${id} is advancing`));
  expect((await client.get(`/customers/${customer.id}`)).body.name).toBe('Ada');
  expect((await client.patch(`/customers/${bystander.id}`, { name: 'Bea' })).status).toBe(200);
});
