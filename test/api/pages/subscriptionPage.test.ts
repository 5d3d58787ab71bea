import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type Client, startApi, type TestApi } from '../../support/api.ts';

let api: TestApi;
let client: Client;
let customer: number;

beforeAll(async () => {
  api = await startApi();
  client = api.sandbox;
  await client.make('/plans', { id: 'gold', name: 'Gold <script>alert(1)</script>', amount: 100, interval: 'month' });
  await client.make('/plans', { id: 'seat', name: 'Seat', amount: 10, interval: 'month' });
  await client.make('/tax_rates', { id: 'vat', name: 'VAT', value: 20 });
});
afterAll(() => api.close());
beforeEach(async () => {
  customer = (await client.make('/customers', { name: 'Ada', email: 'ada@example.com' })).id;
});

async function page(url: string, init: RequestInit = {}) {
  const answer = await fetch(url.replace('https://billing.example', api.origin), { redirect: 'manual', ...init });
  return { status: answer.status, headers: answer.headers, html: await answer.text() };
}

const plain = (html: string) =>
  html
    .replace(/<style>[\s\S]*<\/style>/, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/[\u2068\u2069]/g, '')
    .replace(/\s+/g, ' ');

const subscribe = (more: object = {}) => client.make('/subscriptions', { customer, plan: 'gold', ...more });

test('whoever has the URL of a subscription sees its terms and the next invoice, which is that of the dry run', async () => {
  const { id, url } = await subscribe({ quantity: 2, addons: [{ plan: 'seat', quantity: 3 }], taxes: ['vat'] });
  expect(url).toMatch(/^https:\/\/billing\.example\/subscriptions\/\d+\/\d+\/[0-9a-f]{32}$/);
  await client.make(`/customers/${customer}/line_items`, { name: 'Setup', unit_cost: 5 });
  const { status, html } = await page(url);
  expect(status).toBe(200);
  const [next] = (await client.patch(`/subscriptions/${id}?dry_run=1`, {})).body.invoices;
  expect(next.total).toBe(282); // (2 x 100 + 3 x 10 + 5) and 20 %
  const text = plain(html);
  expect(text).toContain('Active');
  expect(text).toContain('$282.00');
  expect(text).toContain('Setup $5.00');
  expect(text).toContain('Seat 3');
  expect(html).toContain('Gold &lt;script&gt;alert(1)&lt;/script&gt;');
  expect(html).not.toContain('<script');
  expect(await client.get(`/subscriptions/${id}`)).toMatchObject({ body: { url } });
});

test('looking at a subscription changes nothing', async () => {
  const { id, url } = await subscribe();
  const before = (await client.get(`/subscriptions/${id}`)).body;
  const events = (await client.get('/events')).headers.get('X-Total-Count');
  for (let visit = 0; visit < 3; visit++) await page(url);
  expect((await client.get(`/subscriptions/${id}`)).body).toEqual(before);
  expect((await client.get('/events')).headers.get('X-Total-Count')).toBe(events);
  expect((await client.get(`/invoices?filter[customer]=${customer}`)).body).toHaveLength(1);
});

const trial = { trial_days: 14 };
const table: [string, object, (id: number) => Promise<unknown>, string][] = [
  ['a trial', trial, async () => null, 'Trial until'],
  ['a pause', {}, (id) => client.patch(`/subscriptions/${id}`, { paused: true }), 'Paused'],
  ['a later start', { start_date: 4_000_000_000 }, async () => null, 'Starts on October 2, 2096'],
  ['a planned end', {}, (id) => client.patch(`/subscriptions/${id}`, { cancel_at_period_end: true }), 'Ends on'],
  ['a cancellation', {}, (id) => client.delete(`/subscriptions/${id}`), 'Canceled'],
];
test.each(table)('%s is told in words', async (_what, more, change, words) => {
  const { id, url } = await subscribe(more);
  await change(id);
  expect(plain((await page(url)).html)).toContain(words);
});

test('the page of a canceled subscription promises no invoice and asks for no payment source', async () => {
  const { id, url } = await subscribe();
  await client.delete(`/subscriptions/${id}`);
  const { html } = await page(url);
  expect(plain(html)).not.toContain('Next invoice');
  expect(html).not.toContain('/sources/');
});

test('other tokens, objects, accounts and paths are not found', async () => {
  const { url } = await subscribe();
  const other = await subscribe();
  const { pathname } = new URL(url);
  const [, , account = '', id = '', token = ''] = pathname.split('/');
  const guessed = [
    `/subscriptions/${account}/${id}/${'0'.repeat(32)}`,
    `/subscriptions/${account}/${other.id}/${token}`,
    `/subscriptions/${Number(account) + 1}/${id}/${token}`,
    `/subscriptions/${account}/9999999999/${token}`,
    `/subscriptions/${account}/${id}/${token.toUpperCase()}`,
    `/subscriptions/${account}/${id}`,
    `${pathname}/x`,
    `/sources/${account}/${id}/${token}`,
  ];
  for (const path of guessed) expect([path, (await page(api.origin + path)).status]).toEqual([path, 404]);
  expect((await page(url, { method: 'POST', body: 'x=1' })).status).toBe(404);
  const row = [account, id];
  await api.em.fork().execute('update subscription set token = null where account_id = ? and id = ?', row);
  expect((await page(url)).status).toBe(404);
});

test('the subscription of an anonymized customer is not found', async () => {
  const { id, url } = await subscribe(trial);
  await client.delete(`/subscriptions/${id}`);
  expect(await client.post(`/customers/${customer}/anonymize`)).toMatchObject({ status: 200 });
  expect((await page(url)).status).toBe(404);
});

test('a customer from before such pages gets the link to add a payment source', async () => {
  const { url } = await subscribe();
  await api.em.fork().execute('update customer set token = null where id = ?', [customer]);
  const [first] = (await page(url)).html.match(/\/sources\/\d+\/\d+\/[0-9a-f]{32}/) ?? [];
  const [second] = (await page(url)).html.match(/\/sources\/\d+\/\d+\/[0-9a-f]{32}/) ?? [];
  expect(first).toMatch(/[0-9a-f]{32}/);
  expect(second).toBe(first);
});

test('the page is hidden from search engines, cannot be framed, sends no referrer, and is in the language of the customer', async () => {
  await client.patch(`/customers/${customer}`, { language: 'he' });
  const { headers, html } = await page((await subscribe()).url);
  expect(html).toContain('<html lang="he" dir="rtl">');
  expect(headers.get('X-Robots-Tag')).toBe('noindex, nofollow');
  expect(headers.get('Referrer-Policy')).toBe('no-referrer');
  expect(headers.get('Content-Security-Policy')).toContain("frame-ancestors 'none'");
  expect(headers.get('Content-Security-Policy')).toContain("default-src 'none'");
});

test('revoked links lead nowhere, and the customer and its subscriptions get new ones', async () => {
  const [first, second] = [await subscribe(), await subscribe()];
  const source = /\/sources\/\d+\/\d+\/[0-9a-f]{32}/;
  const [old = ''] = (await page(first.url)).html.match(source) ?? [];
  expect(await client.post(`/customers/${customer}/revoke_links`)).toMatchObject({
    status: 200,
    body: { id: customer },
  });
  for (const { url } of [first, second]) expect((await page(url)).status).toBe(404);
  expect((await page(`${api.origin}${old}`)).status).toBe(404);
  const { url } = (await client.get(`/subscriptions/${first.id}`)).body;
  const seen = await page(url);
  expect(seen.status).toBe(200);
  const [current = ''] = seen.html.match(source) ?? [];
  expect((await page(`${api.origin}${current}`)).status).toBe(200);
});

test('a foreseen subscription has no URL', async () => {
  const { body } = await client.post('/subscriptions?dry_run=1', { customer, plan: 'gold' });
  expect(body.subscription.url).toBeNull();
});
