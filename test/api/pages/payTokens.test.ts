import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startApi, type TestApi } from '../../support/api.ts';
import { cardTokens, formOn, sendForm, serviceToken, visitPage } from '../../support/payPage.ts';

/** The fields of a gateway on the pay page: its script, its policy, and the tokens that it makes. */

let api: TestApi;
let pay: string;

beforeAll(async () => {
  api = await startApi();
  const { id } = await api.sandbox.make('/customers', { name: 'Ann' });
  const items = [{ name: 'Support', quantity: 1, unit_cost: 100 }];
  pay = (await api.sandbox.make('/invoices', { customer: id, items })).payment_url;
});
afterAll(() => api.close());

const post = (body: unknown, headers: Record<string, string> = { 'Content-Type': 'application/json' }) =>
  visitPage(api, `${pay}/tokens`, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers,
  });

const card = { method: 'credit_card', number: '4242424242424242', exp_month: 12, exp_year: 2034, cvc: '123' };

const wrong: [string, unknown, string][] = [
  ['no body', '', 'method'],
  ['no JSON', '{', ''],
  ['a list', [], 'method'],
  ['no method', { ...card, method: undefined }, 'method'],
  ['a method by hand', { ...card, method: 'check' }, 'method'],
  ['no number', { ...card, number: undefined }, 'gateway_token'],
  ['a number that is no text', { ...card, number: 4242424242424242 }, 'number'],
  ['a script in place of a number', { ...card, number: 'script_decline' }, 'number'],
  ['a number of no test card', { ...card, number: '4111111111111112' }, 'number'],
  ['a number that is too long', { ...card, number: '4'.repeat(5000) }, ''],
  ['a bank account without its number', { method: 'ach', routing_number: '110000000' }, 'gateway_token'],
  [
    'a bank account of nobody',
    { method: 'ach', routing_number: '110000001', account_number: '1234' },
    'account_number',
  ],
];

test.each(wrong)('the page makes no token of %s', async (_what, body, param) => {
  const { status, html } = await post(body);
  expect([status, JSON.parse(html).param ?? '']).toEqual([400, param]);
  expect(html).not.toMatch(/4111111111111112|4{100}/);
});

test('a token of the page pays its invoice once, and no other page takes it', async () => {
  const { status, html } = await post(card);
  expect([status, JSON.parse(html)]).toEqual([201, { id: expect.stringMatching(/^svt_/) }]);
  const service_token = JSON.parse(html).id;
  const other = (await api.open('Other')).sandbox;
  const { id } = await other.make('/customers', { name: 'Bob' });
  const foreign = await other.make('/invoices', { customer: id, items: [{ name: 'A', quantity: 1, unit_cost: 1 }] });
  const refused = await sendForm(api, foreign.payment_url, {
    ...formOn(await visitPage(api, foreign.payment_url)),
    service_token,
  });
  expect([refused.status, refused.html.includes('Please enter your payment details again.')]).toEqual([400, true]);
  const paid = await sendForm(api, pay, { ...formOn(await visitPage(api, pay)), service_token });
  expect(paid.status).toBe(303);
  const [kept] = await api.em.execute<{ count: number }[]>(
    "select count(*)::int as count from attempt where attempt::text like '%4242424242424242%'",
  );
  expect(kept?.count).toBe(0);
});

test('nobody makes tokens by another method or at a wrong address', async () => {
  expect((await visitPage(api, `${pay}/tokens`)).status).toBe(404);
  const wrongToken = pay.replace(/[0-9a-f]{32}\/pay$/, `${'0'.repeat(32)}/pay/tokens`);
  expect((await visitPage(api, wrongToken, { method: 'POST', body: '{}' })).status).toBe(404);
  expect((await post('a=b', { 'Content-Type': 'application/x-www-form-urlencoded' })).status).toBe(400);
});

test('the page runs one script, which its policy names, and is small with it', async () => {
  const { sandbox } = await api.open('Small');
  const { id } = await sandbox.make('/customers', { name: 'Ann' });
  const items = [{ name: 'Support', quantity: 1, unit_cost: 100 }];
  const { payment_url } = await sandbox.make('/invoices', { customer: id, items });
  const { html, headers } = await visitPage(api, payment_url);
  const scripts = [...html.matchAll(/<script[^>]*src="([^"]*)"/g)].map(([, src = '']) => src);
  expect([scripts.length, html.match(/<script/g)?.length]).toEqual([1, 1]);
  const policy = headers.get('Content-Security-Policy') ?? '';
  expect(policy).toContain(`script-src ${scripts[0]};`);
  expect(policy).toContain("connect-src 'self';");
  expect(policy).not.toContain('stripe');
  const script = await visitPage(api, new URL(scripts[0] ?? '').pathname);
  expect(script.status).toBe(200);
  expect(html.length + script.html.length).toBeLessThan(100_000);
  expect(gzipSync(html + script.html).length).toBeLessThan(20_000);
});

test("the policy names Stripe's origins only where Stripe takes the card", async () => {
  const { sandbox } = await api.open('Striped');
  const secrets = { secret_key: 'sk_test_Rome2027', publishable_key: 'pk_test_Rome2027' };
  await sandbox.make('/merchant_accounts', { gateway: 'stripe', name: 'Stripe', ...secrets });
  const { id } = await sandbox.make('/customers', { name: 'Ann' });
  const items = [{ name: 'Support', quantity: 1, unit_cost: 100 }];
  const { payment_url } = await sandbox.make('/invoices', { customer: id, items });
  const { html, headers } = await visitPage(api, payment_url);
  const policy = headers.get('Content-Security-Policy') ?? '';
  for (const part of [
    'https://*.js.stripe.com;',
    'frame-src https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com',
    'https://api.stripe.com',
  ])
    expect(policy).toContain(part);
  expect(html).toContain('pk_test_Rome2027');
  expect(html).not.toContain('sk_test_');
});

test('the key of a form that paid one invoice pays another one, too', async () => {
  const { id: customer } = await api.sandbox.make('/customers', { name: 'Twice' });
  const items = [{ name: 'Support', quantity: 1, unit_cost: 100 }];
  const places: string[] = [];
  for (const name of ['first', 'second']) {
    const invoice = await api.sandbox.make('/invoices', { customer, name, items });
    const form = formOn(await visitPage(api, invoice.payment_url));
    const service_token = await serviceToken(api.sandbox, cardTokens.good);
    const sent = await sendForm(api, invoice.payment_url, { ...form, form: 'a'.repeat(32), service_token });
    places.push(sent.location ?? '');
    expect((await api.sandbox.get(`/invoices/${invoice.id}`)).body).toMatchObject({ paid: true });
  }
  const keys = places.map((place) => place.split('/').at(-1));
  expect(new Set(keys).size).toBe(2);
});
