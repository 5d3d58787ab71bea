import { expect, test } from '@jest/globals';
import type { Answer } from '../../support/api.ts';
import { customerOfEachTest } from '../../support/goldCustomers.ts';
import { APRIL, goldSubscriptions, HALF, QUARTER } from '../../support/goldSubscriptions.ts';
import { cell, promisesOf } from '../../support/promises.ts';

/** A coupon of an amount is spread anew over the components of a billed period when one of them changes. A plan and an add-on of 100.00 each. */

const gold = goldSubscriptions(async (client) => {
  for (const [currency, amount, off] of [
    ['usd', 100, 50],
    ['jpy', 100, 50],
    ['kwd', 1, 0.5],
  ] as const) {
    await client.make('/plans', { id: currency, name: 'Hundred', amount, currency, interval: 'month' });
    await client.make('/items', { id: `extra-${currency}`, name: 'Extra', unit_cost: amount, currency });
    await client.make('/coupons', { id: `off-${currency}`, name: 'Off', value: off, is_percent: false, currency });
  }
  await client.make('/items', { id: 'fixed', name: 'Fixed', unit_cost: 20, discountable: false });
  await client.make('/coupons', { id: 'large', name: 'Large', value: 100, is_percent: false, currency: 'usd' });
  await client.make('/tax_rates', { id: 'vat', name: 'VAT', value: 20, is_percent: true });
});
const { change, cancel, expectCleanBooks } = gold;
const { begin, customer, invoices, totals, pendingLines, pendingAmounts, creditBalance } = customerOfEachTest(gold);

const extra = { catalog_item: 'extra-usd' };
const both = { plan: 'usd', addons: [extra], discounts: ['off-usd'] };

/** The sums of the pending lines, by name. */
async function pendingSums(): Promise<Record<string, number>> {
  const sums: Record<string, number> = {};
  for (const { name, amount } of await pendingLines())
    sums[name] = Math.round(((sums[name] ?? 0) + amount) * 100) / 100;
  return sums;
}

const rows = promisesOf('proration.md').filter((row) => 'coupon' in row);

test.each(rows.map((row) => [cell(row, 'coupon'), cell(row, 'request').replaceAll('`', ''), row] as const))(
  'docs/proration.md: %s, %s',
  async (coupon, request, row) => {
    const [, value, isPercent, bills] = /^(\d+)(?:\.00)?( %)? off( one bill)?$/.exec(coupon) ?? [];
    const kind = isPercent ? { is_percent: true, duration: bills ? 1 : 0 } : { is_percent: false, currency: 'usd' };
    const { id: code } = await gold.api.sandbox.make('/coupons', { name: coupon, value: Number(value), ...kind });
    const id = await begin({ ...both, discounts: [code] });
    gold.moveTo(HALF);
    expect((await change(id, JSON.parse(request))).status).toBe(200);
    const { Hundred = 0, Extra = 0 } = await pendingSums();
    const told = ['plan', 'add-on', 'sum'].map((head) => Number(cell(row, head)));
    expect([Hundred, Extra, Math.round((Hundred + Extra) * 100) / 100]).toEqual(told);
  },
);

const addonsOf = async (id: number): Promise<Answer['body'][]> => (await gold.read(id)).addons;

test('an add-on that goes leaves its part to the plan, and a cancellation then credits what is left', async () => {
  const id = await begin({ ...both, taxes: ['vat'] }); // 75.00 + 75.00
  gold.moveTo(HALF);
  await change(id, { addons: [] }); // (150.00 - 50.00) x 1/2
  const rest = { prorated: true, period_start: HALF, period_end: APRIL, taxes: [{ tax_rate: { id: 'vat' } }] };
  expect(await pendingLines()).toMatchObject([
    { ...rest, name: 'Extra', description: 'Unused time', amount: -37.5 }, // 75.00 x 1/2
    { ...rest, name: 'Hundred', description: 'Remaining time, Discount', amount: -12.5 }, // (75.00 - 50.00) x 1/2
  ]);
  await cancel(id, '?prorate=true');
  const [, final] = await invoices();
  expect(final.items.map(({ amount }: Answer['body']) => amount)).toEqual([-37.5, -12.5, -25, 90]); // 50.00 x 1/2
  expect((await invoices()).map(({ balance }: Answer['body']) => balance)).toEqual([90, 0]); // 180.00 - 75.00 - 20 %
  expect(await creditBalance()).toBe(0);
  await expectCleanBooks();
});

test('more of an add-on costs its whole price, of which the other components take their parts of the coupon', async () => {
  const id = await begin(both);
  gold.moveTo(HALF);
  const [addon] = await addonsOf(id);
  const change = { addons: [{ id: addon.id, quantity: 2 }], prorate: 'now' };
  const { body: foreseen } = await gold.api.sandbox.patch(`/subscriptions/${id}?dry_run=1`, change);
  expect(foreseen.invoices).toMatchObject([{ total: 50 }]);
  expect(await pendingAmounts()).toEqual([]);
  await gold.change(id, change);
  const [, now] = await invoices();
  // 75.00 x 1/2; (100.00 - 16.67 - 75.00) x 1/2 = 4.165; (200.00 - 33.33) x 1/2 = 83.335; all: 100.00 x 1/2
  expect(now).toMatchObject({ total: 50, items: [{ amount: -37.5 }, { amount: 4.16 }, { amount: 83.34 }] });
  expect(now.items).toMatchObject(
    foreseen.invoices[0].items.map(({ amount, name }: Answer['body']) => ({ amount, name })),
  );
});

test('changes at one instant are one change, and cancel if they end as they began', async () => {
  const id = await begin(both);
  gold.moveTo(HALF);
  const [addon] = await addonsOf(id);
  for (const quantity of [2, 7, 3]) await change(id, { addons: [{ id: addon.id, quantity }] });
  // 350.00 less 150.00, x 1/2: (100.00 - 12.50 - 75.00) x 1/2 and (300.00 - 37.50 - 75.00) x 1/2
  expect(await pendingSums()).toEqual({ Hundred: 6.25, Extra: 93.75 });
  await change(id, { quantity: 3 });
  await change(id, { addons: [{ id: addon.id, quantity: 1 }] });
  await change(id, { quantity: 1 });
  expect(await pendingSums()).toEqual({ Hundred: 0, Extra: 0 });
  await change(id, { addons: [] });
  await change(id, { addons: [extra] });
  expect(await pendingSums()).toEqual({ Hundred: 0, Extra: 0 });
  await gold.advanceTo(id, APRIL);
  expect(await totals()).toEqual([150, 150]);
  await expectCleanBooks();
});

test('credit notes for the bill lessen credits, but nothing that the coupon leaves', async () => {
  const id = await begin(both);
  const [bill] = await invoices();
  const credit = (unit_cost: number) =>
    gold.api.sandbox.make('/credit_notes', { customer: customer(), invoice: bill.id, items: [{ unit_cost }] });
  await credit(60); // 45.00 and 45.00 are left
  gold.moveTo(HALF);
  await change(id, { addons: [] });
  expect(await pendingAmounts()).toEqual([-22.5, -12.5]); // 45.00 x 1/2; (75.00 - 50.00) x 1/2
  await change(id, { addons: [extra] });
  expect(await pendingSums()).toEqual({ Hundred: 0, Extra: 0 });
  const other = await begin(both);
  const [, , next] = [null, ...(await invoices())];
  const rest = { customer: customer(), invoice: next.id, items: [{ unit_cost: 150 }] };
  await gold.api.sandbox.make('/credit_notes', rest);
  gold.moveTo(HALF);
  const known = (await pendingAmounts()).length;
  await change(other, { addons: [] });
  expect(await pendingAmounts()).toHaveLength(known); // everything is credited already
});

test('later changes and a cancellation use what each component costs after the changes before', async () => {
  const id = await begin(both);
  gold.moveTo(HALF);
  await change(id, { addons: [] });
  gold.moveTo(QUARTER);
  await change(id, { addons: [extra] });
  expect((await pendingAmounts()).slice(2)).toEqual([6.25, 18.75]); // (75.00 - 50.00) x 1/4; 75.00 x 1/4
  await cancel(id, '?prorate=true');
  const [, final] = await invoices();
  // 75.00 x 1/4 - 12.50 x 1/2 + 6.25 = 18.75, and 18.75
  expect(final.items.map(({ amount }: Answer['body']) => amount)).toEqual([
    -37.5, -12.5, 6.25, 18.75, -18.75, -18.75, 62.5,
  ]);
});

test('a coupon that is larger than the price discounts what comes', async () => {
  const id = await begin({ plan: 'usd', discounts: ['large'] }); // 100.00 - 100.00
  gold.moveTo(HALF);
  await change(id, { quantity: 2, addons: [{ catalog_item: 'fixed' }] });
  expect(await pendingAmounts()).toEqual([50, 10]); // (200.00 - 100.00) x 1/2, nothing off 20.00 x 1/2
  const small = await begin({ plan: 'gold', discounts: ['large'] }); // 10.00 - 10.00
  gold.moveTo(HALF);
  await change(small, { quantity: 2 }); // 20.00 - 20.00
  await change(small, { addons: [extra] }); // 120.00 - 100.00
  expect(await pendingAmounts()).toEqual([1.67, 8.34]); // 3.33 and 16.67 x 1/2: both begin, so each is rounded once
});

test('a line that the bill took keeps its part of the coupon', async () => {
  await gold.api.sandbox.make(`/customers/${customer()}/line_items`, {
    name: 'Set-up',
    unit_cost: 100,
    currency: 'usd',
  });
  const id = await begin(both); // 300.00 - 50.00: 16.67, 16.67 and 16.66
  gold.moveTo(HALF);
  await change(id, { addons: [] });
  expect(await pendingAmounts()).toEqual([-41.67, -8.33]); // 83.33 x 1/2; (83.33 - 66.66) x 1/2; all: 100.00 x 1/2
});

test('an add-on that was removed without proration keeps a line of the period', async () => {
  const id = await begin(both);
  gold.moveTo(HALF);
  await change(id, { addons: [], prorate: false });
  await change(id, { quantity: 2 });
  // 75.00 x 1/2; (100.00 - 16.67 - 75.00) x 1/2; (200.00 - 33.33) x 1/2
  expect(await pendingAmounts()).toEqual([-37.5, 4.16, 83.34]);
});

test.each([
  ['jpy', [-38, -12]], // 37.5, 12.5: all 50
  ['kwd', [-0.375, -0.125]],
])('the lines in %s add up to the whole', async (currency, amounts) => {
  const own = await gold.customerWith({ currency });
  const addons = [{ catalog_item: `extra-${currency}` }];
  const id = await begin({ customer: own, plan: currency, addons, discounts: [`off-${currency}`] });
  gold.moveTo(HALF);
  await change(id, { addons: [] });
  const { body } = await gold.api.sandbox.get(`/customers/${own}/line_items?sort=id asc`);
  expect(body.map(({ amount }: Answer['body']) => amount)).toEqual(amounts);
});
