import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { settingNames } from '../../../billing/settings.ts';
import { Account } from '../../../db/schema/account.ts';
import { basic, refused, send, startApi, type TestApi } from '../../support/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

test('opening a business makes a live account and its sandbox twin, each with its own keys and data', async () => {
  const { live, sandbox } = await api.open('Twins');
  const accounts = await api.em.fork().find(Account, { name: 'Twins' }, { orderBy: { id: 'asc' } });
  expect(accounts.map(({ environment, id, twinId }) => [environment, id, twinId])).toEqual([
    ['live', live.account.id, sandbox.account.id],
    ['sandbox', sandbox.account.id, live.account.id],
  ]);
  for (const client of [live, sandbox]) {
    const { body } = await client.get('/account');
    expect(body).toMatchObject({ id: client.account.id, environment: client.account.environment, name: 'Twins' });
    const other = client === live ? sandbox : live;
    expect((await send(`${other.url}/account`, { method: 'GET', headers: basic(client.key) })).status).toBe(401);
    expect((await client.get('/api_keys')).body).toHaveLength(1);
  }
  const { id } = await live.make('/customers', { name: 'Live alone' });
  expect((await sandbox.get('/customers')).body).toEqual([]);
  expect((await sandbox.get(`/customers/${id}`)).status).toBe(404);
  await sandbox.patch('/account', { name: 'Trying' });
  expect((await live.get('/account')).body.name).toBe('Twins');
});

test('the seller and its settings can be read and changed', async () => {
  const { body: before } = await api.sandbox.get('/account');
  expect(before).toMatchObject({
    object: 'account',
    environment: 'sandbox',
    name: 'Acme',
    currency: 'usd',
    time_zone: 'UTC',
  });
  for (const name of settingNames) expect(before).toHaveProperty(name);
  expect(before).toMatchObject({ autopay_minimum_delay: 0, autopay_retry_days: [3, 5, 7] });
  expect(before).toMatchObject({ renewal_notices: 'yearly', contract_notice_days: 0 });
  const change = { name: 'Acme Ltd', tax_id: 'GB1', time_zone: 'Europe/London', autopay_retry_days: [1, 2] };
  const { status, body: after } = await api.sandbox.patch('/account', change);
  expect({ status, after }).toMatchObject({ status: 200, after: change });
  expect((await api.sandbox.get('/account')).body).toEqual(after);
  const reset = await api.sandbox.patch('/account', { autopay_retry_days: null, tax_id: '' });
  expect(reset.body).toMatchObject({ autopay_retry_days: [3, 5, 7], tax_id: null, name: 'Acme Ltd' });
  expect((await api.live.get('/account')).body).toMatchObject({
    environment: 'live',
    name: 'Acme',
    autopay_minimum_delay: 3600,
  });
});

test.each<[object, string, unknown]>([
  [{ name: '' }, 'name', 'Name missing'],
  [{ time_zone: 'Mars/Base' }, 'time_zone', 'Time zone must be an IANA name, such as Europe/Berlin: Mars/Base'],
  [
    { autopay_retry_days: [0] },
    'autopay_retry_days',
    'autopay_retry_days must be at most 8 whole numbers of days from 1 to 90',
  ],
  [{ autopay_retry_days: Array(9).fill(1) }, 'autopay_retry_days', expect.stringContaining('at most 8')],
  [{ autopay_minimum_delay: 86_401 }, 'autopay_minimum_delay', expect.stringContaining('from 0 to 86400')],
  [{ autopay_minimum_delay: true }, 'autopay_minimum_delay', expect.stringContaining('from 0 to 86400')],
  [{ autopay_final_action: 'explode' }, 'autopay_final_action', 'autopay_final_action must be leave, pause or cancel'],
  [
    { contract_notice_days: 366 },
    'contract_notice_days',
    'contract_notice_days must be a whole number of days from 0 to 365',
  ],
  [{ contract_notice_days: -1 }, 'contract_notice_days', expect.stringContaining('from 0 to 365')],
  [{ contract_notice_days: 1.5 }, 'contract_notice_days', expect.stringContaining('a whole number')],
  [{ renewal_notices: 'monthly' }, 'renewal_notices', 'renewal_notices must be yearly, all or none'],
  ...[-1, 4.01, 1.005, '3 %', true].map((convenience_fee_percent): [object, string, unknown] => [
    { convenience_fee_percent },
    'convenience_fee_percent',
    'convenience_fee_percent must be a number from 0 to 4 with at most 2 decimals',
  ]),
  ...['US-TX', [7], ['XX'], ['Texas'], ['US-'], ['US TX'], ['TX-'], Array(501).fill('DE')].map(
    (convenience_fee_places): [object, string, unknown] => [
      { convenience_fee_places },
      'convenience_fee_places',
      expect.stringContaining('at most 500 codes of countries, such as DE, or of states'),
    ],
  ),
  [{ autopay_delay: 1 }, 'autopay_delay', expect.stringContaining('Unknown field autopay_delay; did you mean')],
])('%j is refused, naming %s', async (body, param, message) => {
  expect(await api.sandbox.patch('/account', body)).toMatchObject(refused({ param, message }));
});

test('a key can be created, used, limited to reading and revoked at once', async () => {
  const { sandbox } = api;
  const made = await sandbox.post('/api_keys', { name: 'reports', scope: 'read' });
  expect(made).toMatchObject({
    status: 201,
    body: { object: 'api_key', name: 'reports', scope: 'read', revoked_at: null },
  });
  const { key, last_used_at, ...shown } = made.body;
  expect(last_used_at).toBeNull();
  expect(key).toMatch(/^sk_test_[0-9A-Za-z]{40}$/);
  const ask = (method: string) =>
    send(`${sandbox.url}/customers`, { method, headers: basic(key), ...(method === 'POST' ? { body: {} } : {}) });
  expect((await ask('GET')).status).toBe(200);
  expect((await ask('POST')).status).toBe(403);
  expect((await sandbox.get('/api_keys')).body).toContainEqual(expect.objectContaining(shown));
  expect((await sandbox.delete(`/api_keys/${shown.id}`)).status).toBe(204);
  expect((await ask('GET')).status).toBe(401);
  const expired = await sandbox.post('/api_keys', { name: 'old', expires_at: 1_000_000_000 });
  expect((await send(`${sandbox.url}/account`, { method: 'GET', headers: basic(expired.body.key) })).status).toBe(401);
});
