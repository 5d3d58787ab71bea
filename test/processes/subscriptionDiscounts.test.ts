import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Body, Subscription } from '../../client/index.ts';
import { advanceTo, clockAt } from '../support/clock.ts';
import { type Product, startProduct } from '../support/product.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct();
  const { client } = product;
  await client.post('/tax_rates', { id: 'vat', name: 'VAT', value: 20 });
  await client.post('/tax_rates', { id: 'within', name: 'Within', value: 25, inclusive: true });
  await client.post('/tax_rates', { id: 'euros', name: 'Euros', value: 3, is_percent: false, currency: 'eur' });
  await client.post('/tax_rates', { id: 'city', name: 'City', value: 5 });
  await client.post('/tax_rules', { tax_rate: 'city', country: 'US', state: 'TX' });
  await client.post('/tax_rules', { tax_rate: 'euros' });
  await client.post('/coupons', { id: 'ten', name: 'Ten percent', value: 10 });
  await client.post('/coupons', { id: 'twice', name: 'Five, twice', value: 5, is_percent: false, duration: 2 });
  await client.post('/coupons', { id: 'once', name: 'Half, once', value: 50, duration: 1 });
  await client.post('/items', { id: 'seat', name: 'Seat', taxes: ['vat'] });
  await client.post('/items', { id: 'plain', name: 'Plain', taxable: false, discountable: false });
  const monthly = { currency: 'usd', amount: 40, interval: 'month' } as const;
  await client.post('/plans', { id: 'gold', name: 'Gold', ...monthly });
  await client.post('/plans', { id: 'seats', name: 'Seats', catalog_item: 'seat', ...monthly });
  await client.post('/plans', { id: 'bare', name: 'Bare', catalog_item: 'plain', ...monthly });
});
afterAll(() => product.close());

type Asked = Omit<Partial<Body<'post', '/subscriptions'>>, 'customer'>;
const START = '2027-01-15T10:00:00Z';

async function subscribed(asked: Asked, customer: Partial<Body<'post', '/customers'>> = {}) {
  const clock = await clockAt(product, START);
  const { id } = await product.client.post('/customers', { name: 'Ann', test_clock: clock.id, ...customer });
  const subscription = await product.client.post('/subscriptions', { plan: 'gold', ...asked, customer: id });
  return { clock, customer: id, subscription };
}

/** The invoices of a customer: discounts, taxes, total. */
async function billsOf(customer: number) {
  const invoices = await product.client.get('/invoices', { filter: { customer } });
  return invoices.map(({ discounts, taxes, items, total }) => ({
    discounts: discounts.map(({ amount, coupon }) => [coupon?.id, amount]),
    taxes: [...items.flatMap((line) => line.taxes), ...taxes].map(({ amount, tax_rate }) => [tax_rate?.id, amount]),
    total,
  }));
}

const priceOf = ({ recurring_total, mrr }: Subscription) => [recurring_total, mrr];

test('coupons reduce as many bills as they last, and recurring_total and mrr follow', async () => {
  const { client } = product;
  const { clock, customer, subscription } = await subscribed({ discounts: ['ten', 'twice', 'once'], taxes: ['vat'] });
  expect(subscription.discounts.map(({ id, object }) => [id, object])).toEqual([
    ['ten', 'coupon'],
    ['twice', 'coupon'], // the first bill has used up the third one
  ]);
  expect(subscription.taxes).toMatchObject([{ id: 'vat', object: 'tax_rate', value: 20 }]);
  // Recurring: 40 - 4 - 5 = 31, and 20 % of it: 37.20. Revenue: only the coupon without an end counts, 40 - 4 = 36.
  expect(priceOf(subscription)).toEqual([37.2, 36]);

  await client.delete('/coupons/{id}', { id: 'ten' });
  await advanceTo(product, clock, '2027-03-20T00:00:00Z');
  expect(await billsOf(customer)).toEqual([
    // 40 - 4 = 36, - 5 = 31, half of it is 15.50; 20 % of 15.50 is 3.10: 18.60
    {
      discounts: [
        ['ten', 4],
        ['twice', 5],
        ['once', 15.5],
      ],
      taxes: [['vat', 3.1]],
      total: 18.6,
    },
    // 40 - 4 - 5 = 31, and 6.20
    {
      discounts: [
        ['ten', 4],
        ['twice', 5],
      ],
      taxes: [['vat', 6.2]],
      total: 37.2,
    },
    // 40 - 4 = 36, and 7.20
    { discounts: [['ten', 4]], taxes: [['vat', 7.2]], total: 43.2 },
  ]);
  const after = await client.get('/subscriptions/{id}', { id: subscription.id });
  expect(after.discounts.map(({ id }) => id)).toEqual(['ten']);
  expect(priceOf(after)).toEqual([43.2, 36]);
  expect(await product.audit()).toEqual([]);
});

test("a plan's item supplies tax rates, and excludes its lines from discounts and taxes", async () => {
  const seats = await subscribed({ plan: 'seats', quantity: 2, discounts: ['twice'] });
  // 80 - 5 = 75, and 15; the coupon ends, so revenue is 80
  expect(priceOf(seats.subscription)).toEqual([90, 80]);
  const bare = await subscribed({ plan: 'bare', discounts: ['twice'], taxes: ['vat'] });
  expect(priceOf(bare.subscription)).toEqual([40, 40]);
  for (const { clock } of [seats, bare]) await advanceTo(product, clock, '2027-01-15T11:00:00Z');
  expect(await billsOf(seats.customer)).toEqual([{ discounts: [['twice', 5]], taxes: [['vat', 15]], total: 90 }]);
  expect(await billsOf(bare.customer)).toMatchObject([{ discounts: [['twice', 0]], total: 40 }]);
});

test("a subscription without its own rates uses the customer's, else those of the place; an untaxed customer has none", async () => {
  const texan = { country: 'US', state: 'tx' };
  for (const [asked, customer, taxes, total, mrr] of [
    [{}, texan, [['city', 2]], 42, 40], // 5 % of 40
    [{}, { ...texan, taxes: ['vat'] }, [['vat', 8]], 48, 40], // 20 % of 40
    [{ taxes: ['within'] }, { ...texan, taxes: ['vat'] }, [['within', 8]], 40, 32], // 40 x 0.25 / 1.25 = 8
    [{}, { ...texan, taxable: false }, [], 40, 40],
    [{}, {}, [], 40, 40],
  ] as const) {
    const { taxes: rates = [], ...where } = { taxes: [], ...customer };
    const made = await subscribed(
      { ...asked, taxes: [...('taxes' in asked ? asked.taxes : [])] },
      { ...where, taxes: [...rates] },
    );
    expect(priceOf(made.subscription)).toEqual([total, mrr]);
    await advanceTo(product, made.clock, '2027-01-15T11:00:00Z');
    expect(await billsOf(made.customer)).toEqual([{ discounts: [], taxes, total }]);
    expect(priceOf(await product.client.get('/subscriptions/{id}', { id: made.subscription.id }))).toEqual([
      total,
      mrr,
    ]);
  }
});

test('changed discounts and taxes apply from the next bill on; those named again stay unchanged', async () => {
  const { client } = product;
  const { clock, customer, subscription } = await subscribed({ discounts: ['twice'] });
  await advanceTo(product, clock, '2027-01-20T00:00:00Z');
  const { id } = subscription;
  const change = { discounts: ['twice', 'once'], taxes: ['vat'] };
  // 40 - 5 = 35, and 7; the coupon for a single bill does not recur. Both coupons end, so revenue is 40.
  expect(await client.patch('/subscriptions/{id}', change, { id })).toMatchObject({ recurring_total: 42, mrr: 40 });
  await advanceTo(product, clock, '2027-03-20T00:00:00Z');
  expect(await billsOf(customer)).toEqual([
    { discounts: [['twice', 5]], taxes: [], total: 35 },
    // The second time of two; half of 35 is 17.50; 20 % of 17.50 is 3.50
    {
      discounts: [
        ['twice', 5],
        ['once', 17.5],
      ],
      taxes: [['vat', 3.5]],
      total: 21,
    },
    { discounts: [], taxes: [['vat', 8]], total: 48 },
  ]);
  expect(await client.patch('/subscriptions/{id}', { discounts: [], taxes: null }, { id })).toMatchObject({
    discounts: [],
    taxes: [],
    recurring_total: 40,
    mrr: 40,
  });
  const events = await client.get('/events', { related_to: `subscription,${id}` });
  expect(events[0]).toMatchObject({ type: 'subscription.updated', data: { previous: { recurring_total: 48 } } });
  expect(await product.audit()).toEqual([]);
});
