import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { auditDatabase } from '../../../bin/audit.ts';
import { type Client, startApi, type TestApi } from '../../support/api.ts';
import {
  approvedEstimate,
  cardTokens,
  formOn,
  payOn,
  sendForm,
  serviceToken,
  visitPage,
} from '../../support/payPage.ts';

/** Forms that pay the deposit of an estimate: wrong ones, and the terms of account, customer and estimate. */

let api: TestApi;
let client: Client;
let customer: number;

beforeAll(async () => {
  api = await startApi({ gatewayDeadline: 2000 });
  client = api.sandbox;
  customer = (await client.make('/customers', { name: 'Ann' })).id;
});
afterAll(() => api.close());

const items = [{ name: 'Support', quantity: 1, unit_cost: 400 }];
const estimate = (more: object = {}) => approvedEstimate(api, { customer, items, deposit: 100, ...more });
const see = (url: string) => visitPage(api, url);
const read = async (id: number) => (await client.get(`/estimates/${id}`)).body;
const filled = async (url: string) => ({
  ...formOn(await see(url)),
  service_token: await serviceToken(client, cardTokens.good),
});

/** Attempts to charge the deposit of an estimate, and those of them for which the gateway took money. */
async function tried(id: number): Promise<{ attempts: number; taken: number }> {
  const [row] = await api.em.execute<{ attempts: number; taken: number }[]>(
    `select count(distinct a.id)::int as attempts, coalesce(sum(o.captured) filter (where o.status = 'succeeded'), 0)::int as taken
     from attempt_credit t join attempt a on a.account_id = t.account_id and a.id = t.attempt_id
     left join test_gateway.operation o on o.key = a.key::text
     where t.estimate_id = ?`,
    [id],
  );
  return row ?? { attempts: 0, taken: 0 };
}

const untouched = { attempts: 0, taken: 0 };

const wrong: [string, Record<string, string>, string][] = [
  ['a token that nobody made', { service_token: 'nonsense' }, 'Please enter your payment details again.'],
  ['an amount that is less', { amount: '99.99' }, 'Please enter an amount'],
  ['an amount that is more', { amount: '100.01' }, 'Please enter an amount'],
  ['the total', { amount: '400.00' }, 'Please enter an amount'],
  ['an amount of nothing', { amount: '0' }, 'Please enter an amount'],
  ['a negative amount', { amount: '-100' }, 'Please enter an amount'],
  ['an amount beyond all numbers', { amount: '9'.repeat(400) }, 'Please enter an amount'],
  ['a method that does not exist', { method: '__proto__' }, 'Please choose how you want to pay.'],
  ['an email address of a line', { email: 'a@b.example\r\nBcc: c@d.example' }, 'Please enter a valid email address.'],
  ['a name of two lines', { name: 'Bob\r\nBcc: c@d.example' }, 'Please enter a name'],
  ['another hash of the estimate', { seen: '0'.repeat(64) }, 'This estimate has changed'],
  ['a key in another form', { form: `${'0'.repeat(32)}'` }, 'The form was not complete.'],
  ['a NUL', { email: 'a\0@b.example' }, 'The form was not complete.'],
];

test.each(wrong)('a form with %s is shown again, and nothing is charged', async (_what, fields, words) => {
  const { id, payment_url } = await estimate();
  const answer = await payOn(api, payment_url, { card: cardTokens.good, fields });
  expect([answer.status, answer.html.includes(words)]).toEqual([400, true]);
  expect(await tried(id)).toEqual(untouched);
  const mended = { ...formOn(answer), name: '', email: '', service_token: await serviceToken(client, cardTokens.good) };
  expect((await sendForm(api, payment_url, mended)).status).toBe(303);
  expect(await tried(id)).toEqual({ attempts: 1, taken: 1 });
});

test('a part of the deposit is paid where partial_payments allows it', async () => {
  await client.patch('/account', { partial_payments: true });
  const { id, payment_url } = await estimate();
  for (const amount of ['0', '0.001', '100.01', '', '1,234.00']) {
    const answer = await payOn(api, payment_url, { card: cardTokens.good, fields: { amount } });
    expect([amount, answer.status, formOn(answer).amount]).toEqual([amount, 400, amount]);
  }
  const { location } = await payOn(api, payment_url, { card: cardTokens.good, fields: { amount: '40,5' } });
  expect((await see(location ?? '')).html).toContain('$40.50');
  expect(await read(id)).toMatchObject({ deposit_paid: false, payment_url });
  await client.patch('/account', { partial_payments: null });
  expect(formOn(await see(payment_url))).toMatchObject({ amount: '59.50' });
  await payOn(api, payment_url, { card: cardTokens.good });
  expect(await read(id)).toMatchObject({ deposit_paid: true, payment_url: null });
});

test('the page offers no method that account, customer or estimate disables, and takes none', async () => {
  const other = await client.make('/customers', { name: 'Bob', disabled_payment_methods: ['ach'] });
  const shut = await estimate({ customer: other.id, disabled_payment_methods: ['credit_card'] });
  expect((await see(shut.payment_url)).html).toContain('This deposit cannot be paid online');
  const open = await estimate();
  const form = await filled(open.payment_url);
  await client.patch(`/estimates/${open.id}`, { disabled_payment_methods: ['credit_card'] });
  const answer = await sendForm(api, open.payment_url, form);
  expect([answer.status, answer.html.includes('Please choose how you want to pay.')]).toEqual([400, true]);
  expect(await tried(open.id)).toEqual(untouched);
  const card = { method: 'credit_card', number: '4242424242424242' };
  const headers = { 'Content-Type': 'application/json' };
  const made = await visitPage(api, `${open.payment_url}/tokens`, {
    method: 'POST',
    body: JSON.stringify(card),
    headers,
  });
  expect(made.status).toBe(400);
  const { location } = await payOn(api, open.payment_url, { card: 'tok_110000000_123456789' });
  expect((await see(location ?? '')).html).toContain('Thank you for your payment');
});

test('the fields of the page make a token that pays the deposit', async () => {
  const { id, payment_url } = await estimate();
  const body = JSON.stringify({ method: 'credit_card', number: '4242424242424242' });
  const headers = { 'Content-Type': 'application/json' };
  const made = await visitPage(api, `${payment_url}/tokens`, { method: 'POST', body, headers });
  expect(made.status).toBe(201);
  const form = { ...formOn(await see(payment_url)), service_token: JSON.parse(made.html).id };
  expect((await sendForm(api, payment_url, form)).status).toBe(303);
  expect(await read(id)).toMatchObject({ deposit_paid: true });
});

const bounds: [object, string][] = [
  [{ min: 100.01 }, 'From $100.01'],
  [{ max: 99.99 }, 'Up to $99.99'],
];

test.each(bounds)('a deposit outside the bounds %j of its method is refused', async (terms, words) => {
  const { id, payment_url } = await estimate();
  const form = await filled(payment_url);
  await client.patch('/payment_methods/credit_card', terms);
  const answer = await sendForm(api, payment_url, form);
  expect([answer.status, answer.html.includes('Please enter an amount')]).toEqual([400, true]);
  expect((await see(payment_url)).html).toContain(words);
  expect(await tried(id)).toEqual(untouched);
  await client.patch('/payment_methods/credit_card', { min: null, max: null });
});

test('consent stores the card for automatic payments, with the text that was shown', async () => {
  const { id: payer } = await client.make('/customers', { name: 'Cleo' });
  const { payment_url } = await estimate({ customer: payer });
  const page = await see(payment_url);
  const changed = { consent: 'yes', consent_seen: '0'.repeat(32) };
  expect((await payOn(api, payment_url, { card: cardTokens.good, fields: changed })).status).toBe(400);
  await payOn(api, payment_url, { card: cardTokens.good, fields: { consent: 'yes' } });
  expect((await client.get(`/customers/${payer}`)).body).toMatchObject({
    autopay: true,
    payment_source: { object: 'card', last4: '4242' },
  });
  const [consent] = (await client.get(`/customers/${payer}/payment_consents`)).body;
  expect(consent).toMatchObject({ page: 'pay', ip: expect.stringMatching(/^10\./) });
  expect(page.html).toContain(consent.text);
});

test('a convenience fee is shown with the total, and charged only after it was confirmed', async () => {
  await client.patch('/account', { convenience_fee_percent: 3, convenience_fee_places: ['US-TX'] });
  const { id: payer } = await client.make('/customers', { name: 'Dora', country: 'US', state: 'TX' });
  const { id, payment_url } = await estimate({ customer: payer });
  const asked = await payOn(api, payment_url, { card: cardTokens.good });
  expect(asked.status).toBe(200);
  for (const text of ['Please confirm the total', 'a fee of 3%', '$3.00', '$103.00'])
    expect(asked.html).toContain(text);
  expect(await tried(id)).toEqual(untouched);
  const again = await sendForm(api, payment_url, { ...formOn(asked), fee: '2.99' });
  expect([again.status, again.html.includes('Please confirm the total')]).toEqual([200, true]);
  const { location } = await sendForm(api, payment_url, formOn(asked));
  expect((await see(location ?? '')).html).toContain('$103.00');
  const [charge] = (await client.get(`/charges?filter[customer]=${payer}`)).body;
  expect(charge).toMatchObject({ amount: 103, convenience_fee: 3 });
  expect(await read(id)).toMatchObject({ deposit_paid: true });
  await client.patch('/account', { convenience_fee_percent: null, convenience_fee_places: null });
});

test('ten declines in an hour end the payments of a deposit, and of no other one', async () => {
  const { id, payment_url } = await estimate();
  for (let tries = 0; tries < 10; tries += 1)
    expect((await payOn(api, payment_url, { card: tries % 2 ? cardTokens.soft : cardTokens.hard })).status).toBe(303);
  const sent = await sendForm(api, payment_url, await filled(payment_url));
  expect([sent.status, sent.html.includes('Too many cards or accounts were tried')]).toEqual([400, true]);
  expect(await tried(id)).toEqual({ attempts: 10, taken: 0 });
  expect((await payOn(api, (await estimate()).payment_url, { card: cardTokens.good })).status).toBe(303);
});

test('text of people is shown as text on every page', async () => {
  const evil = `"><script>alert(1)</script><img src=x onerror='a'>`;
  const { sandbox: by } = await api.open(`Shop ${evil}`);
  const { id } = await by.make('/customers', { name: evil });
  const of = { customer: id, number: `N${evil}`, notes: evil, deposit: 5, items: [{ name: evil, unit_cost: 9 }] };
  const { url, payment_url } = await approvedEstimate(api, of, by);
  const shown = [await see(url), await see(payment_url)];
  shown.push(await payOn(api, payment_url, { card: cardTokens.good, by, fields: { email: evil } }));
  const { location } = await payOn(api, payment_url, { card: cardTokens.good, by });
  shown.push(await see(location ?? ''), await see(payment_url), await see(url));
  for (const { html } of shown) {
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(html).not.toMatch(/<script>|<img src=x/);
  }
});

test('the books are right after all of this', async () => {
  expect(await auditDatabase(api.databaseUrl)).toEqual([]);
});
