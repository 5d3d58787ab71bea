import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Client, startApi, type TestApi } from '../../support/api.ts';
import { formOn, sendForm, visitPage } from '../../support/payPage.ts';
import type { Person } from '../../support/person.ts';
import { createPerson } from '../../support/person.ts';
import { portalLink, signInToPortal } from '../../support/portal.ts';

/** The pay page of a visitor who signed in to the portal. */

let api: TestApi;
let client: Client;
let accountId: number;
let count = 0;

beforeAll(async () => {
  api = await startApi();
  client = api.sandbox;
  accountId = (await client.get('/account')).body.id;
});
afterAll(() => api.close());

/** A customer with stored cards, the default one last, its invoice, and somebody who signed in with its address. */
async function payer() {
  count += 1;
  const email = `ann${count}@example.com`;
  const customer = (await client.make('/customers', { name: 'Ann', email })).id;
  const stored: { id: number }[] = [];
  for (const gateway_token of ['tok_4000000000000069', 'tok_5454545454545454'])
    stored.push(
      await client.make(`/customers/${customer}/payment_sources`, {
        method: 'credit_card',
        gateway_token,
        make_default: true,
      }),
    );
  const items = [{ name: 'Support', unit_cost: 100 }];
  const { id, payment_url } = await client.make('/invoices', { customer, items });
  const { person } = await signInToPortal(api, { accountId, email });
  return { customer, cards: stored.map((one) => one.id), id, path: new URL(payment_url).pathname, person };
}

const read = async (id: number) => (await client.get(`/invoices/${id}`)).body;
const open = async (person: Person, path: string) => {
  const { status, text: html } = await person.open(path);
  return { status, html, form: formOn({ html }) };
};

test('the stored sources come first, and one pays without being entered again', async () => {
  const { cards, id, path, person } = await payer();
  const page = await open(person, path);
  expect(page.html).toMatch(
    /source=\d+" aria-current="true">Mastercard 5454<[\s\S]*Visa 0069<[\s\S]*method=credit_card/,
  );
  expect(page.html).not.toContain('data-perennial');
  expect(page.form).toMatchObject({ source: String(cards[1]), shown_amount: '100.00' });
  const outcome = await person.post(path, page.form);
  expect(outcome.text).toContain('Mastercard 5454');
  expect(await read(id)).toMatchObject({ paid: true });
});

test('a declined stored source leads to the form again, where the other one pays', async () => {
  const { cards, id, path, person } = await payer();
  const { form } = await open(person, path);
  const told = await person.post(path, { ...form, source: String(cards[0]) });
  expect(told.text).toContain('Your payment was declined');
  expect(await read(id)).toMatchObject({ paid: false });
  const link = new RegExp(`href="([^"]*source=${cards[1]}&[^"]*)">Mastercard 5454<`).exec(told.text)?.[1] ?? '';
  await person.post(path, (await open(person, link.replaceAll('&amp;', '&'))).form);
  expect(await read(id)).toMatchObject({ paid: true });
});

test('nobody else sees a stored source, or pays with one', async () => {
  const { customer, cards, id, path } = await payer();
  const other = await payer();
  const page = await visitPage(api, path);
  expect(page.html).not.toContain('5454');
  const form = { ...formOn(page), source: String(cards[1]) };
  const stranger = await sendForm(api, path, form);
  expect([stranger.status, stranger.html.includes('Please choose how you want to pay.')]).toEqual([400, true]);
  const viewer = createPerson(api);
  const link = await portalLink(client, customer, { read_only: true });
  await viewer.send(await viewer.open(link), link);
  for (const person of [other.person, viewer]) {
    expect((await open(person, path)).html).not.toContain('5454');
    expect((await person.post(path, form)).status).toBe(400);
    expect((await person.post(path, { ...form, source: String(other.cards[1]) })).status).toBe(400);
  }
  await client.patch('/account', { portal_pay: false });
  expect((await open(other.person, other.path)).html).not.toContain('5454');
  await client.patch('/account', { portal_pay: true });
  expect((await open(other.person, other.path)).html).toContain('5454');
  expect(await read(id)).toMatchObject({ paid: false });
});
