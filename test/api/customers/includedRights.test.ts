import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startApi, successBody, type TestApi } from '../../support/api.ts';
import { colleague } from '../../support/people.ts';

/** What customers include is shown to those who may read it, about the customers that they may read. */

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

test('the followed cadence needs the permission to read cadences, alone, in lists and in their CSV', async () => {
  const { id } = await api.sandbox.make('/customers', { name: 'Ada' });
  await api.live.make('/roles', { id: 'greeter', name: 'Greeter', permissions: ['customers.read'] });
  const { client } = await colleague(api, api.sandbox, { role: 'greeter' });
  const message = 'include=followed_cadence needs the permission collections.read';
  for (const path of [`/customers/${id}?`, '/customers?', '/customers?format=csv&columns=id,followed_cadence&'])
    expect(await client.get(`${path}include=followed_cadence`)).toMatchObject({ status: 403, body: { message } });
  successBody(await client.get(`/customers/${id}?include=balances`));
});

test('a member who sees only its own customers reads only their balances', async () => {
  const { client, id: owner } = await colleague(api, api.sandbox, { role: 'account_manager', isLimited: true });
  const owed: number[] = [];
  for (const [unit_cost, more] of [
    [80, { owner }],
    [700, {}],
  ] as const) {
    const { id } = await api.sandbox.make('/customers', { name: 'Owes', ...more });
    await api.sandbox.make('/invoices', { customer: id, items: [{ name: 'Hour', unit_cost }] });
    owed.push(id);
  }
  const listed = successBody(await client.get('/customers?include=balances&sort=balance%20desc'));
  expect(listed).toMatchObject([{ id: owed[0], balances: [{ currency: 'usd', balance: 80 }] }]);
  expect(await client.get(`/customers/${owed[1]}?include=balances`)).toMatchObject({ status: 404 });
});
