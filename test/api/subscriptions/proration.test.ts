import { expect, test } from '@jest/globals';
import { refused } from '../../support/api.ts';
import { customerOfEachTest, sellOtherPlans } from '../../support/goldCustomers.ts';
import {
  APRIL,
  dayOf2027 as day,
  goldSubscriptions,
  HALF,
  MARCH,
  MAY,
  QUARTER,
  THREE_QUARTERS,
} from '../../support/goldSubscriptions.ts';
import { cell, promisesOf } from '../../support/promises.ts';

/** Changes of the price within a period of 1 March to 1 April, of a plan of 10.00. The test takes the steps of the process. */

const gold = goldSubscriptions(async (client) => {
  await sellOtherPlans(client);
  const tiers = [{ max_qty: 2, unit_cost: 10 }, { unit_cost: 6 }];
  await client.make('/plans', { id: 'tiered', name: 'Tiered', pricing_mode: 'tiered', tiers, interval: 'month' });
  await client.make('/coupons', { id: 'once', name: 'Once', value: 50, is_percent: true, duration: 1 });
  await client.make('/coupons', { id: 'ten', name: 'Ten', value: 10, is_percent: true });
  await client.make('/coupons', { id: 'two', name: 'Two', value: 2, is_percent: false, currency: 'usd' });
  await client.make('/tax_rates', { id: 'vat', name: 'VAT', value: 20, is_percent: true });
  await client.make('/tax_rates', { id: 'incl', name: 'Incl', value: 25, is_percent: true, inclusive: true });
});
const { change, expectCleanBooks } = gold;
const { begin, customer, invoices, totals, pendingLines, pendingAmounts, creditBalance } = customerOfEachTest(gold);

test('a change of the quantity is a credit and a charge for the rest of the period, on the next invoice', async () => {
  const id = await begin();
  gold.moveTo(HALF);
  expect((await change(id, { quantity: 3 })).body).toMatchObject({ quantity: 3, mrr: 30, period_end: APRIL });
  const rest = { type: 'plan', plan: 'gold', prorated: true, period_start: HALF, period_end: APRIL, quantity: 1 };
  expect(await pendingLines()).toMatchObject([
    { ...rest, name: 'Gold', description: 'Unused time', amount: -5 }, // 10.00 x 1/2
    { ...rest, name: 'Gold', description: 'Remaining time, Quantity: 3', amount: 15 }, // 3 x 10.00 x 1/2
  ]);
  await gold.advanceTo(id, APRIL);
  const [, next] = await invoices();
  expect(next).toMatchObject({ subscription: id, date: APRIL, total: 40 }); // 30 - 5 + 15
  expect(next.items).toMatchObject([{ amount: 30 }, { amount: -5 }, { amount: 15 }]);
  await gold.advanceTo(id, MAY);
  expect(await totals()).toEqual([10, 40, 30]);
  await expectCleanBooks();
});

test('prorate: "now" bills the change at once, false not at all', async () => {
  const id = await begin();
  gold.moveTo(HALF);
  await change(id, { quantity: 3, prorate: 'now' });
  const [, now] = await invoices();
  expect(now).toMatchObject({ subscription: id, date: HALF, total: 10, items: [{ amount: -5 }, { amount: 15 }] });
  await change(id, { quantity: 1, prorate: false });
  expect(await pendingAmounts()).toEqual([]);
  await gold.advanceTo(id, APRIL);
  expect(await totals()).toEqual([10, 10, 10]);
  await expectCleanBooks();
});

const rows = promisesOf('proration.md').filter((row) => 'next invoice' in row);
const amountsIn = (text: string) => (text === 'none' ? [] : text.split(', ').map(Number));

test.each(rows.map((row) => [cell(row, '`prorate`').replaceAll('`', ''), row] as const))(
  'docs/proration.md: prorate %s',
  async (prorate, row) => {
    const id = await begin();
    gold.moveTo(HALF);
    await change(id, { quantity: 3, prorate: prorate === 'now' ? 'now' : prorate === 'true' });
    expect(await pendingAmounts()).toEqual(amountsIn(cell(row, 'pending lines')));
    expect(await totals()).toEqual([10, ...amountsIn(cell(row, 'at once'))]);
    await gold.advanceTo(id, APRIL);
    expect((await totals()).at(-1)).toBe(Number(cell(row, 'next invoice')));
  },
);

test('a change that costs less, billed at once, pays what is open of the bill, else it goes to the credit balance', async () => {
  const id = await begin({ quantity: 4 });
  gold.moveTo(HALF);
  await change(id, { quantity: 2, prorate: 'now' });
  expect(await totals()).toEqual([40, 0]);
  expect((await invoices()).map(({ balance }) => balance)).toEqual([30, 0]); // 40.00 - (20.00 - 10.00)
  expect(await creditBalance()).toBe(0);
  const applied_to = [{ type: 'invoice', invoice: (await invoices())[0].id, amount: 28 }];
  await gold.api.sandbox.make('/payments', { customer: customer(), amount: 28, applied_to });
  await change(id, { quantity: 1, prorate: 'now' });
  expect((await invoices()).map(({ balance }) => balance)).toEqual([0, 0, 0]);
  expect(await creditBalance()).toBe(3); // 10.00 - 5.00 - 2.00
  await expectCleanBooks();
});

test('a change and its reversal at the same time cancel each other', async () => {
  const id = await begin();
  gold.moveTo(HALF);
  await change(id, { quantity: 2 });
  await change(id, { quantity: 1 });
  expect(await pendingAmounts()).toEqual([-5, 10, -10, 5]);
  await gold.advanceTo(id, APRIL);
  expect(await totals()).toEqual([10, 10]);
});

test('a second change credits the rest of the first one', async () => {
  const id = await begin();
  gold.moveTo(HALF);
  await change(id, { quantity: 3 });
  gold.moveTo(QUARTER);
  await change(id, { quantity: 1 });
  // 15.00 for half of the period: half of it is left. 10.00 x 1/4
  expect(await pendingAmounts()).toEqual([-5, 15, -7.5, 2.5]);
  await gold.advanceTo(id, APRIL);
  // used: 10 x 1/2 + 30 x 1/4 + 10 x 1/4 = 15, of which 10 was paid
  expect(await totals()).toEqual([10, 15]);
});

test('a change counts from its proration_date, within the period and not before the last change', async () => {
  const id = await begin();
  gold.moveTo(HALF);
  await change(id, { quantity: 2, proration_date: THREE_QUARTERS });
  expect(await pendingAmounts()).toEqual([-7.5, 15]); // 10.00 x 3/4, 20.00 x 3/4
  const dates = [
    [MARCH - 1, 'lie within the current period'],
    [THREE_QUARTERS - 1, 'not be before the last change in the period'],
    [HALF + 1, 'not be in the future'],
  ] as const;
  for (const [proration_date, why] of dates)
    expect(await change(id, { quantity: 5, proration_date })).toMatchObject(
      refused({ param: 'proration_date', message: `Proration date must ${why}` }),
    );
  expect(await gold.read(id)).toMatchObject({ quantity: 2 });
});

test('another plan of the same interval keeps the period; one tier after another is one credit', async () => {
  const id = await begin({ plan: 'tiered', quantity: 3 }); // 2 x 10.00 + 1 x 6.00
  gold.moveTo(HALF);
  const { body } = await change(id, { plan: 'silver' });
  expect(body).toMatchObject({ plan: 'silver', quantity: 3, period_start: MARCH, period_end: APRIL });
  expect(await pendingLines()).toMatchObject([
    { name: 'Tiered', amount: -13 }, // 26.00 x 1/2
    { name: 'Silver', amount: 6 }, // 3 x 4.00 x 1/2
  ]);
});

test('another interval credits the rest and begins a period at once', async () => {
  const id = await begin();
  gold.moveTo(HALF);
  const { body } = await change(id, { plan: 'annual' });
  const nextYear = Date.UTC(2028, 2, 16, 12) / 1000;
  expect(body).toMatchObject({ plan: 'annual', period_start: HALF, period_end: nextYear, start_date: MARCH });
  const [, first] = await invoices();
  expect(first).toMatchObject({ subscription: id, date: HALF, total: 95 }); // 100 - 5
  expect(first.items).toMatchObject([
    { name: 'Annual', amount: 100 },
    { name: 'Gold', amount: -5 },
  ]);
  await gold.advanceTo(id, nextYear);
  expect(await totals()).toEqual([10, 95, 100]);
  await expectCleanBooks();
});

test('a credit is net of the discounts of its bill; a charge has them, too; the next bill discounts neither', async () => {
  const id = await begin({ discounts: ['once', 'ten'] }); // 10.00 - 50 % - 10 % = 4.50
  gold.moveTo(HALF);
  await change(id, { quantity: 2 });
  expect(await pendingAmounts()).toEqual([-2.25, 4.5]); // 4.50 x 1/2; (20.00 - 50 % - 10 %) x 1/2
  await gold.advanceTo(id, APRIL);
  expect(await totals()).toEqual([4.5, 20.25]); // 18.00 - 2.25 + 4.50
  await expectCleanBooks();
});

test('a fixed discount is prorated with what it reduced', async () => {
  const id = await begin({ discounts: ['two'] }); // 10.00 - 2.00
  gold.moveTo(HALF);
  await change(id, { quantity: 2 });
  expect(await pendingAmounts()).toEqual([-4, 9]); // 8.00 x 1/2; (20.00 - 2.00) x 1/2
});

test('credit and charge carry their own tax rates: those of the bill, and those of now', async () => {
  const id = await begin({ taxes: ['vat'] }); // 10.00 + 20 % = 12.00
  gold.moveTo(HALF);
  await change(id, { quantity: 2, taxes: ['incl'] });
  expect(await pendingLines()).toMatchObject([
    { amount: -5, taxes: [{ tax_rate: { id: 'vat' } }] },
    { amount: 10, taxes: [{ tax_rate: { id: 'incl' } }] },
  ]);
  await gold.advanceTo(id, APRIL);
  // 20.00 and 10.00 with 25 % in them; -5.00 with 20 % more: 30.00 - 6.00
  expect(await totals()).toEqual([12, 24]);
  await expectCleanBooks();
});

test('a price with tax in it is credited with the tax in it', async () => {
  const id = await begin({ taxes: ['incl'] });
  gold.moveTo(HALF);
  await change(id, { quantity: 1, plan: 'silver' });
  await gold.advanceTo(id, APRIL);
  expect(await totals()).toEqual([10, 1]); // 4.00 - 5.00 + 2.00
});

test('nothing is credited for a voided invoice', async () => {
  const id = await begin();
  const [first] = await invoices();
  await gold.api.sandbox.post(`/invoices/${first.id}/void`);
  gold.moveTo(HALF);
  await change(id, { quantity: 2 });
  expect(await pendingAmounts()).toEqual([10]); // 20.00 x 1/2
});

test('after the invoice of a change was voided, the next change credits what was billed before it', async () => {
  const id = await begin();
  gold.moveTo(HALF);
  await change(id, { quantity: 3, prorate: 'now' });
  const [, now] = await invoices();
  await gold.api.sandbox.post(`/invoices/${now.id}/void`);
  gold.moveTo(QUARTER);
  await change(id, { quantity: 2 });
  expect(await pendingAmounts()).toEqual([-2.5, 5]); // 10.00 x 1/4; 20.00 x 1/4
});

test('lines of a consolidated invoice are still credited', async () => {
  await gold.api.sandbox.patch(`/customers/${customer()}`, { consolidated: true });
  const id = await begin();
  await gold.api.sandbox.post('/invoices', { customer: customer(), items: [{ unit_cost: 7 }] });
  expect((await gold.api.sandbox.post(`/customers/${customer()}/consolidate_invoices`)).status).toBe(201);
  gold.moveTo(HALF);
  await change(id, { quantity: 2 });
  expect(await pendingAmounts()).toEqual([-5, 10]);
});

test('a short first period is prorated by the length of a whole one', async () => {
  gold.moveTo(MARCH);
  const id = await begin({ start_date: day(3, 16), snap_to_nth_day: 1 });
  await gold.advanceTo(id, day(3, 16)); // 10.00 x 16 of 31 days = 5.16
  gold.moveTo(day(3, 24));
  await change(id, { quantity: 2 });
  expect(await pendingAmounts()).toEqual([-2.58, 5.16]); // 5.16 x 8 of 16 days; 20.00 x 8 of 31 days
});

test('nothing is prorated before the first bill, and while a pause has billed nothing', async () => {
  const later = await begin({ start_date: APRIL });
  await change(later, { quantity: 2 });
  const paused = await begin();
  await change(paused, { paused: true });
  await gold.advanceTo(paused, day(4, 10));
  await change(paused, { quantity: 2 });
  expect(await pendingAmounts()).toEqual([]);
});
