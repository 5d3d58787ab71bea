import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { PaymentSource } from '../../../db/schema/customer.ts';
import { type Client, startApi, type TestApi } from '../../support/api.ts';
import { formOn, sendForm, visitPage } from '../../support/payPage.ts';

/** The pay page of a visitor who signed in. A header of the tests stands for its session: it names the customer. */

const AS = 'X-Signed-In';
let api: TestApi;
let client: Client;

beforeAll(async () => {
  api = await startApi({
    sourcesOfVisitor: async (ctx, { accountId, id }) => {
      if (ctx.get(AS) !== String(id)) return [];
      const of = { accountId, customer: [accountId, id] as [number, number], deletedAt: null };
      return api.deps.em.fork().find(PaymentSource, of, { orderBy: { id: 'desc' } });
    },
  });
  client = api.sandbox;
});
afterAll(() => api.close());

/** A customer with stored cards, the default one last, and its invoice. */
async function payer() {
  const customer = (await client.make('/customers', { name: 'Ann', email: 'ann@example.com' })).id;
  const stored: { id: number }[] = [];
  for (const gateway_token of ['tok_4000000000000069', 'tok_5454545454545454'])
    stored.push(await client.make(`/customers/${customer}/payment_sources`, { method: 'credit_card', gateway_token }));
  const items = [{ name: 'Support', unit_cost: 100 }];
  const { id, payment_url } = await client.make('/invoices', { customer, items });
  return { customer, cards: stored.map((one) => one.id), id, payment_url };
}

const as = (customer: number) => ({ headers: { [AS]: String(customer) } });
const read = async (id: number) => (await client.get(`/invoices/${id}`)).body;

test('the stored sources come first, and one pays without being entered again', async () => {
  const { customer, cards, id, payment_url } = await payer();
  const page = await visitPage(api, payment_url, as(customer));
  expect(page.html).toMatch(
    /source=\d+" aria-current="true">Mastercard 5454<[\s\S]*Visa 0069<[\s\S]*method=credit_card/,
  );
  expect(page.html).not.toContain('data-perennial');
  const form = formOn(page);
  expect(form).toMatchObject({ source: String(cards[1]), shown_amount: '100.00' });
  const body = new URLSearchParams(form);
  const { status, location } = await visitPage(api, payment_url, { method: 'POST', body, ...as(customer) });
  expect(status).toBe(303);
  expect((await visitPage(api, location ?? '')).html).toContain('Mastercard 5454');
  expect(await read(id)).toMatchObject({ paid: true });
});

test('a declined stored source leads to the form again, where the other one pays', async () => {
  const { customer, cards, id, payment_url } = await payer();
  const form = { ...formOn(await visitPage(api, payment_url, as(customer))), source: String(cards[0]) };
  const body = new URLSearchParams(form);
  const sent = await visitPage(api, payment_url, { method: 'POST', body, ...as(customer) });
  const told = await visitPage(api, sent.location ?? '', as(customer));
  expect(told.html).toContain('Your payment was declined');
  expect(told.html).toContain('Mastercard 5454');
  expect(await read(id)).toMatchObject({ paid: false });
});

test('nobody else sees a stored source, or pays with one', async () => {
  const { cards, id, payment_url } = await payer();
  const other = await payer();
  const page = await visitPage(api, payment_url);
  expect(page.html).not.toContain('5454');
  const form = { ...formOn(page), source: String(cards[1]) };
  for (const headers of [{}, { [AS]: String(other.customer) }]) {
    const body = new URLSearchParams(form);
    const { status, html } = await visitPage(api, payment_url, { method: 'POST', body, headers });
    expect([status, html.includes('Please choose how you want to pay.')]).toEqual([400, true]);
  }
  const foreign = { ...form, source: String(other.cards[1]) };
  expect((await sendForm(api, payment_url, foreign)).status).toBe(400);
  expect(await read(id)).toMatchObject({ paid: false });
});
