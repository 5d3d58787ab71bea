import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startApi, type TestApi } from '../../support/api.ts';
import { cardTokens, payOn, sendForm, visitPage } from '../../support/payPage.ts';

/** The addresses of an invoice after they were revoked. */

let api: TestApi;
let customer: number;
beforeAll(async () => {
  api = await startApi();
  customer = (await api.sandbox.make('/customers', { name: 'Ann' })).id;
});
afterAll(() => api.close());

const invoice = () => api.sandbox.make('/invoices', { customer, items: [{ name: 'Support', unit_cost: 40 }] });
const statusOf = async (url: string) => (await visitPage(api, url)).status;

test('revoked addresses of an invoice show and pay nothing, and its new ones pay', async () => {
  const old = await invoice();
  const { id, url, pdf_url, payment_url } = old;
  const { location } = await payOn(api, payment_url, { card: cardTokens.soft });
  const answer = await api.sandbox.post(`/invoices/${id}/revoke_links`);
  expect(answer).toMatchObject({ status: 200, body: { id, paid: false } });
  for (const address of [url, pdf_url, payment_url, location ?? ''])
    expect([address, await statusOf(address)]).toEqual([address, 404]);
  expect((await sendForm(api, payment_url, { form: 'a'.repeat(32) })).status).toBe(404);
  const renewed = (await api.sandbox.get(`/invoices/${id}`)).body;
  expect(new Set([url, renewed.url]).size).toBe(2);
  expect(renewed.payment_url).toBe(`${renewed.url}/pay`);
  expect(await statusOf(renewed.pdf_url)).toBe(200);
  await payOn(api, renewed.payment_url, { card: cardTokens.good });
  expect((await api.sandbox.get(`/invoices/${id}`)).body).toMatchObject({ paid: true });
});

test('a payment that is under way when the address is revoked is told at the new one', async () => {
  const { id, payment_url } = await invoice();
  const { location } = await payOn(api, payment_url, { card: cardTokens.authentication });
  await api.sandbox.post(`/invoices/${id}/revoke_links`);
  const { url } = (await api.sandbox.get(`/invoices/${id}`)).body;
  const key = location?.split('/').at(-1);
  expect(await statusOf(location ?? '')).toBe(404);
  expect((await visitPage(api, `${url}/payments/${key}`)).html).toContain('Your bank wants you to confirm the payment');
  expect((await visitPage(api, `${url}/pay`)).html).toContain('Another payment of this invoice is in progress');
});
