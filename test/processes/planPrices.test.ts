import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Invoice } from '../../client/index.ts';
import { advanceTo, clockAt, subscriberOn } from '../support/clock.ts';
import { type Product, startProduct } from '../support/product.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct();
  const { client } = product;
  const tiers = [{ max_qty: 10, unit_cost: 5 }, { min_qty: 11, max_qty: 20, unit_cost: 4 }, { unit_cost: 2.5 }];
  const monthly = { currency: 'usd', interval: 'month' } as const;
  await client.post('/items', { id: 'seat', name: 'Seat', gl_account: '4100' });
  await client.post('/plans', { id: 'tiered', name: 'Tiered', pricing_mode: 'tiered', tiers, ...monthly });
  await client.post('/plans', { id: 'volume', name: 'Volume', pricing_mode: 'volume', tiers, ...monthly });
  await client.post('/plans', { id: 'custom', name: 'Custom', pricing_mode: 'custom', ...monthly });
});
afterAll(() => product.close());

/** Creates a subscription. Returns its first invoice and the price fields of the subscription. */
async function billed(plan: string, quantity: number, amount?: number) {
  const { client } = product;
  const clock = await clockAt(product, '2027-03-01T09:00:00Z');
  const customer = await client.post('/customers', { name: plan, test_clock: clock });
  const agreed = amount === undefined ? {} : { amount };
  const { recurring_total, mrr } = await client.post('/subscriptions', {
    customer: customer.id,
    plan,
    quantity,
    ...agreed,
  });
  await advanceTo(product, clock, '2027-03-01T10:00:00Z');
  const [invoice] = await client.get('/invoices', { filter: { customer: customer.id } });
  return { recurring_total, mrr, total: invoice?.total, lines: linesOf(invoice) };
}

const linesOf = (invoice?: Invoice) =>
  invoice?.items.map(({ quantity, unit_cost, amount, description }) => [quantity, unit_cost, amount, description]);

test('a tiered plan bills a line for each tier that the quantity reaches', async () => {
  // 10 x 5 + 10 x 4 + 5 x 2.50 = 50 + 40 + 12.50 = 102.50
  expect(await billed('tiered', 25)).toEqual({
    recurring_total: 102.5,
    mrr: 102.5,
    total: 102.5,
    lines: [
      [10, 5, 50, 'Up to 10'],
      [10, 4, 40, 'From 11 to 20'],
      [5, 2.5, 12.5, 'From 21'],
    ],
  });
  // The tenth unit is in the first tier, the eleventh in the second: 10 x 5 + 1 x 4 = 54.
  expect((await billed('tiered', 10)).lines).toEqual([[10, 5, 50, 'Up to 10']]);
  expect(await billed('tiered', 11)).toMatchObject({
    total: 54,
    lines: [
      [10, 5, 50, 'Up to 10'],
      [1, 4, 4, expect.any(String)],
    ],
  });
});

test('a volume plan bills the whole quantity at the price of its tier', async () => {
  // 20 lies in (10, 20]: 20 x 4 = 80. 21 lies above it: 21 x 2.50 = 52.50.
  expect(await billed('volume', 20)).toMatchObject({ total: 80, recurring_total: 80, lines: [[20, 4, 80, null]] });
  expect(await billed('volume', 21)).toMatchObject({ total: 52.5, mrr: 52.5, lines: [[21, 2.5, 52.5, null]] });
});

test('a custom plan bills the amount of the subscription', async () => {
  // 3 x 7.25 = 21.75
  expect(await billed('custom', 3, 7.25)).toMatchObject({
    total: 21.75,
    recurring_total: 21.75,
    lines: [[3, 7.25, 21.75, null]],
  });
});

test('a subscription renews at the old price of a plan that was archived and created again at another', async () => {
  const { client } = product;
  const plan = { id: 'gold', name: 'Gold', catalog_item: 'seat', interval: 'month' } as const;
  await client.post('/plans', { ...plan, amount: 10 });
  const clock = await clockAt(product, '2027-01-31T10:00:00Z');
  const old = await subscriberOn(product, clock, { token: 'tok_4242424242424242', plan: 'gold' });
  await advanceTo(product, clock, '2027-02-01T00:00:00Z');

  await client.delete('/plans/{id}', { id: 'gold' });
  await client.delete('/items/{id}', { id: 'seat' });
  await client.post('/items', { id: 'seat', name: 'Other seat', gl_account: '4200' });
  await client.post('/plans', { ...plan, amount: 99, interval: 'year' });
  const anew = await subscriberOn(product, clock, { token: 'tok_4242424242424242', plan: 'gold' });
  await advanceTo(product, clock, '2027-05-01T00:00:00Z');

  const invoicesOf = (customer: number) => client.get('/invoices', { filter: { customer } });
  // 31 January, 28 February, 31 March, 30 April.
  expect((await invoicesOf(old.id)).map(({ total, balance }) => [total, balance])).toEqual(Array(4).fill([10, 0]));
  expect((await invoicesOf(anew.id)).map(({ total }) => total)).toEqual([99]);
  const [subscription] = await client.get('/subscriptions', { filter: { customer: old.id }, expand: ['plan'] });
  expect(subscription).toMatchObject({ plan: { id: 'gold', amount: 10, catalog_item: 'seat' }, recurring_total: 10 });
  // The revenue account is the one of the archived item: 4 x 10 = 40.
  const revenue = `select ledger_account, sum(amount)::float8 as sum from ledger_entry where ledger_account in ('revenue:4100', 'revenue:4200') group by 1 order by 1`;
  expect(await product.rows(revenue)).toEqual([
    { ledger_account: 'revenue:4100', sum: -40 },
    { ledger_account: 'revenue:4200', sum: -99 },
  ]);
  expect(await product.audit()).toEqual([]);
});
