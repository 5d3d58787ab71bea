import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type Client, startApi, type TestApi } from '../../support/api.ts';
import { cardTokens, formOn, payOn, sendForm, serviceToken, visitPage } from '../../support/payPage.ts';
import { steppedTime } from '../../support/steppedTime.ts';

/** The link of an invoice in the hands of somebody who tries stolen cards. Each visit comes from another address. */

const START = '2027-03-01T09:00:00Z';
const time = steppedTime(START);
let api: TestApi;
let client: Client;
let customer: number;

beforeAll(async () => {
  api = await startApi({ systemNow: time.systemNow });
  client = api.sandbox;
  customer = (await client.make('/customers', { name: 'Ann' })).id;
});
afterAll(() => api.close());
beforeEach(() => time.moveTo(START));

const invoice = () => client.make('/invoices', { customer, items: [{ name: 'Support', quantity: 1, unit_cost: 100 }] });
const attempts = async (): Promise<number> =>
  (await api.em.execute<{ count: number }[]>('select count(*)::int as count from attempt'))[0]?.count ?? 0;

async function decline(url: string, times: number): Promise<void> {
  for (let tries = 0; tries < times; tries += 1)
    expect((await payOn(api, url, { card: tries % 2 ? cardTokens.soft : cardTokens.hard })).status).toBe(303);
}

const TOO_MANY = 'Too many cards or accounts were tried. Please wait an hour, or contact';

test('ten declines in an hour end the payments of an invoice, and nothing more is charged', async () => {
  const { id, payment_url: url } = await invoice();
  await decline(url, 10);
  const before = await attempts();
  const service_token = await serviceToken(client, cardTokens.good);
  const sent = await sendForm(api, url, { ...formOn(await visitPage(api, url)), service_token });
  expect([sent.status, sent.html.includes(TOO_MANY), await attempts()]).toEqual([400, true, before]);
  expect((await client.get(`/invoices/${id}`)).body).toMatchObject({ paid: false, balance: 100 });
  // Other invoices can be paid, and this one after an hour, by the same token.
  expect((await payOn(api, (await invoice()).payment_url, { card: cardTokens.good })).status).toBe(303);
  time.moveTo('2027-03-01T10:00:01Z');
  await sendForm(api, url, { ...formOn(await visitPage(api, url)), service_token });
  expect((await client.get(`/invoices/${id}`)).body).toMatchObject({ paid: true });
});

test('a challenge that its visitor gives up counts as a decline, a payment of a part does not', async () => {
  await client.patch('/account', { partial_payments: true });
  const { id, payment_url: url } = await invoice();
  for (let parts = 0; parts < 3; parts += 1) await payOn(api, url, { card: cardTokens.good, fields: { amount: '1' } });
  await decline(url, 9);
  const asked = await payOn(api, url, { card: cardTokens.authentication, fields: { amount: '1' } });
  const challenge = await visitPage(api, asked.location ?? '');
  expect(challenge.html).not.toContain(TOO_MANY);
  await visitPage(api, asked.location ?? '', { method: 'POST', body: new URLSearchParams({ leave: 'yes' }) });
  const refused = await payOn(api, url, { card: cardTokens.good, fields: { amount: '1' } });
  expect([refused.status, refused.html.includes(TOO_MANY)]).toEqual([400, true]);
  expect((await client.get(`/invoices/${id}`)).body).toMatchObject({ balance: 97 });
});

test('the company itself can charge an invoice whose page takes no more cards', async () => {
  const { id, payment_url: url } = await invoice();
  await decline(url, 10);
  const { status } = await client.post('/charges', {
    customer,
    method: 'credit_card',
    amount: 100,
    gateway_token: cardTokens.good,
    applied_to: [{ type: 'invoice', invoice: id, amount: 100 }],
  });
  expect(status).toBe(201);
  expect((await client.get(`/invoices/${id}`)).body).toMatchObject({ paid: true });
});
