import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { refused, startApi, type TestApi } from '../../support/api.ts';

let api: TestApi;
let customer: number;
let now = new Date('2027-05-10T12:00:00Z');
const seconds = (day: string) => Date.parse(day) / 1000;

beforeAll(async () => {
  api = await startApi({ systemNow: () => now });
  const { sandbox } = api;
  customer = (await sandbox.make('/customers', { name: 'Ann' })).id;
  const ends = { value: 5, expiration_date: seconds('2027-05-10T12:00:00Z') };
  for (const coupon of [
    { id: 'plain', value: 5 },
    { id: 'ending', ...ends },
    { id: 'alone', value: 5, exclusive: true },
    { id: 'single', value: 5, max_redemptions: 1 },
    { id: 'euros', value: 5, is_percent: false, currency: 'eur' },
    { id: 'percent-euros', value: 5, currency: 'eur' },
    { id: 'gone', value: 5 },
  ])
    await sandbox.post('/coupons', { name: coupon.id, ...coupon });
  await sandbox.delete('/coupons/gone');
  await sandbox.post('/tax_rates', { id: 'vat', name: 'VAT', value: 20 });
  await sandbox.post('/tax_rates', { id: 'flat-euros', name: 'Flat', value: 1, is_percent: false, currency: 'eur' });
  await sandbox.post('/plans', { id: 'gold', name: 'Gold', amount: 40, interval: 'month' });
});
afterAll(() => api.close());

const invoice = (more: object) =>
  api.sandbox.post('/invoices', { customer, items: [{ name: 'Work', unit_cost: 100 }], ...more });
const subscription = (more: object) =>
  api.sandbox.post('/subscriptions', { customer, plan: 'gold', start_date: seconds('2027-06-01T00:00:00Z'), ...more });
const makers = { 'an invoice': invoice, 'a subscription': subscription };
const of = (what: string) => (what === 'an invoice' ? invoice : subscription);

const refusal: [discounts: string[], param: string, message: string][] = [
  [['nothing'], 'discounts[0]', 'Coupon was not found: nothing'],
  [['plain', 'gone'], 'discounts[1]', 'Coupon was deleted and can no longer be used: gone'],
  [['euros'], 'discounts[0]', 'Coupon euros is for eur, not usd'],
  [['plain', 'percent-euros'], 'discounts[1]', 'Coupon percent-euros is for eur, not usd'],
  [['alone', 'plain'], 'discounts[1]', 'Coupon alone cannot be used together with others'],
  [['plain', 'alone'], 'discounts[0]', 'Coupon alone cannot be used together with others'],
];

test.each(Object.keys(makers).flatMap((what) => refusal.map((one) => [what, ...one] as const)))(
  '%s with %j is refused for %s',
  async (what, discounts, param, message) => {
    const answer = await of(what)({ discounts });
    expect(answer).toMatchObject(refused({ type: 'invalid_request', param, message }));
  },
);

test.each(Object.keys(makers))('%s can take a coupon until it expires, and then keeps it', async (what) => {
  now = new Date('2027-05-10T12:00:00Z');
  const { status, body } = await of(what)({ discounts: ['ending'] });
  expect(status).toBe(201);
  now = new Date('2027-05-10T12:00:01Z');
  const late = refused({ param: 'discounts[0]', message: 'Coupon ending expired on 2027-05-10' });
  expect(await of(what)({ discounts: ['ending'] })).toMatchObject(late);
  const path = `/${what === 'an invoice' ? 'invoices' : 'subscriptions'}/${body.id}`;
  const kept = body.discounts;
  expect((await api.sandbox.get(path)).body.discounts).toEqual(kept);
});

test.each(Object.keys(makers))('%s cannot take a coupon that has reached its redemption limit', async (what) => {
  await api.sandbox.post('/coupons', { id: `one-${what.length}`, name: 'One', value: 5, max_redemptions: 1 });
  const discounts = ['plain', `one-${what.length}`];
  expect((await of(what)({ discounts })).status).toBe(201);
  const message = expect.stringContaining('has been redeemed 1 times, its maximum');
  expect(await of(what)({ discounts })).toMatchObject(refused({ param: 'discounts[1]', message }));
});

test.each(Object.keys(makers))('%s cannot take a tax rate of another currency', async (what) => {
  const message = 'Tax rate flat-euros is for eur, not usd';
  const answer = await of(what)({ taxes: ['vat', 'flat-euros'] });
  expect(answer).toMatchObject(refused({ param: 'taxes[1]', message }));
  const unknown = await of(what)({ taxes: ['vat', 'nothing'] });
  expect(unknown).toMatchObject(refused({ param: 'taxes[1]' }));
});

test('a refused request redeems nothing', async () => {
  const refusedLater = await invoice({ discounts: ['single'], taxes: ['nothing'] });
  expect(refusedLater.status).toBe(400);
  expect((await invoice({ discounts: ['single'] })).status).toBe(201);
});

test('a subscription is refused coupons or rates that are repeated, too many, or of a customer without taxes', async () => {
  expect(await subscription({ discounts: ['plain', 'plain'] })).toMatchObject({ body: { param: 'discounts[1]' } });
  expect(await subscription({ taxes: ['vat', 'vat'] })).toMatchObject({ body: { param: 'taxes[1]' } });
  expect(await subscription({ discounts: Array(21).fill('plain') })).toMatchObject({ body: { param: 'discounts' } });
  const untaxed = (await api.sandbox.make('/customers', { name: 'Free', taxable: false })).id;
  const answer = await subscription({ customer: untaxed, taxes: ['vat'] });
  expect(answer).toMatchObject(refused({ param: 'taxes[0]' }));
});

test('a changed subscription keeps its coupons, even deleted ones, and is refused unusable new ones', async () => {
  await api.sandbox.post('/coupons', { id: 'kept', name: 'Kept', value: 10 });
  await api.sandbox.post('/tax_rates', { id: 'kept', name: 'Kept', value: 10 });
  const { body } = await subscription({ discounts: ['kept'], taxes: ['kept'] });
  for (const path of ['/coupons/kept', '/tax_rates/kept']) expect((await api.sandbox.delete(path)).status).toBe(204);
  const change = (more: object) => api.sandbox.patch(`/subscriptions/${body.id}`, more);
  // 40 - 4 = 36; 10 % and 20 % of it: 3.60 + 7.20
  const changed = await change({ discounts: ['kept'], taxes: ['kept', 'vat'] });
  expect(changed).toMatchObject({ status: 200, body: { discounts: body.discounts, recurring_total: 46.8, mrr: 36 } });
  expect(await change({ discounts: ['kept', 'alone'] })).toMatchObject(refused({ param: 'discounts[1]' }));
  expect((await change({ discounts: ['plain'] })).status).toBe(200);
  expect(await change({ discounts: ['kept'] })).toMatchObject(refused({ param: 'discounts[0]' }));
});

test('a change first issues the due bills with the old coupons; a coupon that runs out in them is removed', async () => {
  await api.sandbox.post('/coupons', { id: 'twice', name: 'Twice', value: 5, duration: 2 });
  const asked = { discounts: ['twice'], start_date: seconds('2027-03-01T00:00:00Z') };
  const { id } = (await subscription(asked)).body;
  const { status, body } = await api.sandbox.patch(`/subscriptions/${id}`, { discounts: ['twice', 'plain'] });
  expect(status).toBe(200);
  expect(body.discounts.map((coupon: { id: string }) => coupon.id)).toEqual(['plain']);
  const invoices: { subscription: number; total: number }[] = (await api.sandbox.get('/invoices?sort=date')).body;
  // March and April: 40 - 5 % = 38; May: 40.
  expect(invoices.filter((one) => one.subscription === id).map(({ total }) => total)).toEqual([38, 38, 40]);
});
