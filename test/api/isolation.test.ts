import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { routes } from '../../api/routes.ts';
import { type Client, startApi, type TestApi } from '../support/api.ts';

let api: TestApi;
let other: Client;
/** Ids of the first account, by the first part of the path. */
const owned: Record<string, string | number> = {};
beforeAll(async () => {
  api = await startApi();
  const { sandbox } = api;
  other = (await api.open('Rival')).sandbox;
  const customer = (await sandbox.post('/customers', { name: 'Ours' })).body.id;
  await sandbox.post('/items', { id: 'our-item', name: 'Ours' });
  await sandbox.post('/plans', { id: 'our-plan', name: 'Ours', amount: 1, interval: 'month' });
  const card = { method: 'credit_card', gateway_token: 'tok_4242424242424242' };
  const source = (await sandbox.post(`/customers/${customer}/payment_sources`, card)).body.id;
  const invoice = (await sandbox.post('/invoices', { customer, autopay: true, items: [{ unit_cost: 1 }] })).body.id;
  const payment = (await sandbox.post('/payments', { customer, amount: 1 })).body.id;
  const charge = (await sandbox.post('/charges', { customer, amount: 1, applied_to: [], ...card })).body.charge.id;
  const subscription = (await sandbox.post('/subscriptions', { customer, plan: 'our-plan' })).body.id;
  const webhook = (await sandbox.post('/webhooks', { url: 'http://127.0.0.1:9/' })).body.id;
  const event = (await sandbox.get('/events')).body[0].id;
  Object.assign(owned, {
    customers: customer,
    items: 'our-item',
    plans: 'our-plan',
    invoices: invoice,
    payments: payment,
  });
  Object.assign(owned, { charges: charge, subscriptions: subscription, webhooks: webhook, events: event, source });
  Object.assign(owned, { webhook_attempts: 1, problems: 1, api_keys: 1 });
});
afterAll(() => api.close());

const withIds = routes.filter((route) => route.path.includes(':'));

test.each(withIds.map((route) => [route.method, route.path] as const))(
  '%s %s does not know another account’s',
  async (method, path) => {
    const id = owned[path.split('/')[1] ?? ''] ?? 'none';
    const body = path.endsWith('payment_sources')
      ? { method: 'credit_card', gateway_token: 'tok_4242424242424242' }
      : { make_default: true };
    const bare = /retries|void|pay$/.test(path) ? {} : body;
    const known = method === 'PATCH' && !path.includes(':source') ? {} : bare;
    const target = path.replace(':id', String(id)).replace(':source', String(owned.source));
    const answer = await other.request(method, target, method === 'GET' || method === 'DELETE' ? undefined : known);
    expect(answer).toMatchObject({ status: 404, body: { type: 'invalid_request' } });
  },
);

test.each([
  ['/invoices', { customer: 'customers' }, 'customer'],
  ['/subscriptions', { customer: 'customers', plan: 'plans' }, 'customer'],
  ['/payments', { customer: 'customers' }, 'customer'],
  ['/charges', { customer: 'customers' }, 'customer'],
])('POST %s refuses to refer to another account’s', async (path, references, param) => {
  const ids = Object.fromEntries(Object.entries(references).map(([name, kind]) => [name, owned[kind]]));
  const money = path === '/payments' || path === '/charges' ? { amount: 1, applied_to: [] } : {};
  const card = path === '/charges' ? { method: 'credit_card', gateway_token: 'tok_4242424242424242' } : {};
  expect(await other.post(path, { ...ids, ...money, ...card })).toMatchObject({ status: 400, body: { param } });
});

test('items, plans, invoices and sources of another account cannot be referred to either', async () => {
  const customer = (await other.post('/customers', { name: 'Theirs' })).body.id;
  const invoice = [{ type: 'invoice', invoice: owned.invoices, amount: 1 }];
  const stored = { method: 'credit_card', payment_source_type: 'card', payment_source_id: owned.source };
  for (const [path, body] of [
    ['/invoices', { customer, items: [{ catalog_item: 'our-item' }] }],
    ['/plans', { name: 'x', amount: 1, interval: 'month', catalog_item: 'our-item' }],
    ['/subscriptions', { customer, plan: 'our-plan' }],
    ['/payments', { customer, amount: 1, applied_to: invoice }],
    ['/charges', { customer, amount: 1, applied_to: [], ...stored }],
  ] as const) {
    expect((await other.post(path, body)).status).toBe(400);
  }
});

test('lists hold nothing of another account', async () => {
  const rival = (await api.open('Newcomer')).sandbox;
  for (const { method, path } of routes.filter((route) => route.method === 'GET' && !route.path.includes(':'))) {
    if (path === '/account' || path === '/api_keys') continue;
    expect({ path, answer: await rival.request(method, path) }).toMatchObject({
      path,
      answer: { status: 200, body: [] },
    });
  }
});
