import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import pg from 'pg';
import { type Client, refused, startApi, type TestApi } from '../../support/api.ts';
import { storeWithConsent, VISITOR } from '../../support/consents.ts';

let api: TestApi;
let client: Client;
let customer: number;

beforeAll(async () => {
  api = await startApi();
  client = api.sandbox;
});
afterAll(() => api.close());
beforeEach(async () => {
  customer = (await client.make('/customers', { name: 'Ada' })).id;
});

const consentsOf = async (id: number) => (await client.get(`/customers/${id}/payment_consents`)).body;

test('a consent is listed with the text that was shown, its time, the visitor, and the source that may be charged', async () => {
  const text = await storeWithConsent(api, client, customer);
  const [source] = (await client.get(`/customers/${customer}/payment_sources`)).body;
  expect(await consentsOf(customer)).toEqual([
    {
      id: expect.any(Number),
      object: 'payment_consent',
      customer,
      payment_source: source.id,
      text,
      language: 'en',
      page: 'update_source',
      email: null,
      ip: VISITOR.ip,
      user_agent: VISITOR.userAgent,
      given_at: expect.any(Number),
      created_at: expect.any(Number),
    },
  ]);
  expect(text).toContain(client.account.name);
});

test('a consent stays without a source when the gateway does not store the card', async () => {
  await storeWithConsent(api, client, customer, 'tok_4000000000000127');
  expect(await consentsOf(customer)).toMatchObject([{ payment_source: null }]);
  expect((await client.get(`/customers/${customer}/payment_sources`)).body).toEqual([]);
});

test("a consent has the time of the customer's clock, and real time", async () => {
  const clock = (await client.make('/test_clocks', { name: 'Later', frozen_time: 1_900_000_000 })).id;
  const later = (await client.make('/customers', { name: 'Later', test_clock: clock })).id;
  await storeWithConsent(api, client, later);
  const [consent] = await consentsOf(later);
  expect(consent.given_at).toBe(1_900_000_000);
  expect(Math.abs(consent.created_at - Date.now() / 1000)).toBeLessThan(3600);
  await client.delete(`/test_clocks/${clock}`);
  const left = await api.em
    .fork()
    .execute('select count(*)::int as count from payment_consent where customer_id = ?', [later]);
  expect(left).toEqual([{ count: 0 }]);
});

test('consents move with a merged customer', async () => {
  await storeWithConsent(api, client, customer);
  const into = (await client.make('/customers', { name: 'Into' })).id;
  await client.post(`/customers/${into}/merge`, { customer });
  expect(await consentsOf(into)).toMatchObject([{ customer: into, page: 'update_source' }]);
});

test('anonymizing erases address and browser of a consent, and keeps its text', async () => {
  const text = await storeWithConsent(api, client, customer);
  const [{ id }] = (await client.get(`/customers/${customer}/payment_sources`)).body;
  await client.delete(`/customers/${customer}/cards/${id}`);
  expect(await client.post(`/customers/${customer}/anonymize`)).toMatchObject({ status: 200 });
  expect(await consentsOf(customer)).toMatchObject([{ ip: null, user_agent: null, text }]);
});

test('no login of API and workers can change the text or the time of a consent', async () => {
  await storeWithConsent(api, client, customer);
  const app = new pg.Client({ connectionString: api.databaseUrls.app });
  await app.connect();
  try {
    await app.query(`select set_config('app.account_id', '${client.account.id}', false)`);
    for (const change of ["text = 'other'", 'given_at = now()', 'attempt_id = 1', "language = 'de'"])
      await expect(app.query(`update payment_consent set ${change}`)).rejects.toThrow('permission denied');
  } finally {
    await app.end();
  }
});

test('consents of a customer that does not exist, and of another account, are not found', async () => {
  await storeWithConsent(api, client, customer);
  const other = await api.open('Other');
  for (const [who, id] of [
    [client, 999_999],
    [other.sandbox, customer],
    [api.live, customer],
  ] as const)
    expect(await who.get(`/customers/${id}/payment_consents`)).toMatchObject(refused({ type: 'invalid_request' }, 404));
});

test('a consent switches AutoPay on for further invoices, and the event tells it', async () => {
  const before = await client.make('/invoices', { customer, items: [{ unit_cost: 5 }] });
  await storeWithConsent(api, client, customer);
  expect((await client.get(`/customers/${customer}`)).body).toMatchObject({ autopay: true });
  const [event] = (await client.get(`/events?filter[type]=customer.updated&related_to=customer,${customer}`)).body;
  expect(event.data).toMatchObject({ object: { autopay: true }, previous: { autopay: false, payment_source: null } });
  expect((await client.get(`/invoices/${before.id}`)).body).toMatchObject({ autopay: false });
  const after = await client.make('/invoices', { customer, items: [{ unit_cost: 5 }] });
  expect(after).toMatchObject({ autopay: true, payment_terms: 'AutoPay' });
});

test('a source that a request of the account stores, and a card that is not stored, leave AutoPay as it is', async () => {
  const card = { method: 'credit_card', gateway_token: 'tok_4242424242424242', make_default: true };
  await client.make(`/customers/${customer}/payment_sources`, card);
  await storeWithConsent(api, client, customer, 'tok_4000000000000127');
  expect((await client.get(`/customers/${customer}`)).body).toMatchObject({ autopay: false });
});
