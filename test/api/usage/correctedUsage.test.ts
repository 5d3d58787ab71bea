import { expect, test } from '@jest/globals';
import type { Answer } from '../../support/api.ts';
import { APRIL, dayOf2027 as day, JULY, JUNE, MARCH, MAY } from '../../support/goldSubscriptions.ts';
import { meteredSubscriptions } from '../../support/meteredSubscriptions.ts';

/** Usage that is corrected or late is priced by the invoice that took its period. The plan `unit` costs 1.00 for each unit. */

const metered = meteredSubscriptions();
const { advanceTo, begin, change, expectCleanBooks, invoices, moveTo, read, report, totals } = metered;

const make = (path: string, body: object) => metered.api.sandbox.make(path, body);
const get = async (path: string) => (await metered.api.sandbox.get(path)).body;

let sold: Promise<unknown> | null = null;
/** Sells the plan, coupons and tax rates of these tests. */
function sell(): Promise<unknown> {
  const month = { interval: 'month', amount: 1 };
  sold ??= (async () => {
    await make('/plans', { id: 'unit', name: 'Unit', quantity_type: 'usage', ...month });
    await make('/plans', { id: 'base', name: 'Base', ...month, amount: 100 });
    await make('/coupons', { id: 'once', name: 'Once', value: 50, duration: 1 });
    await make('/coupons', { id: 'half', name: 'Half', value: 50 });
    await make('/coupons', { id: 'fifty', name: 'Fifty', value: 50, is_percent: false, currency: 'usd' });
    await make('/coupons', { id: 'tenth', name: 'Tenth', value: 10 });
    await make('/tax_rates', { id: 'vat', name: 'VAT', value: 20 });
    await make('/tax_rates', { id: 'gst', name: 'GST', value: 7, inclusive: true });
  })();
  return sold;
}

/** A subscription to `unit` in arrears, whose 100 units of March are billed on 1 April. */
async function billedMarch(body: object, used = 100): Promise<number> {
  await sell();
  const id = await begin({ plan: 'unit', bill_in: 'arrears', ...body });
  moveTo(day(3, 20));
  if (used > 0) await report(id, used, MARCH);
  await advanceTo(id, APRIL);
  return id;
}

/** Credit that negative bills gave a customer. */
const creditOf = async (customer: number) => (await get(`/customers/${customer}/balance`)).available_credits;
const owed = async (id: number) => (await invoices(id)).map(({ balance }: Answer['body']) => balance);
const customerOf = async (id: number) => (await read(id)).customer;
/** The lines of the last invoice of a subscription: amount, taxes, and description. */
async function lastLines(id: number) {
  const last = (await invoices(id)).at(-1);
  return last.items.map(({ amount, taxes, description }: Answer['body']) => [
    amount,
    ...taxes.map((tax: { amount: number }) => tax.amount),
    description,
  ]);
}

test('a correction is credited at the discount of its period', async () => {
  const id = await billedMarch({ discounts: ['once'] });
  await report(id, -100, day(3, 20));
  await advanceTo(id, MAY);
  expect(await totals(id)).toEqual([50, 0]); // 100 x 50 %; the credit of 50.00 pays the bill
  expect(await owed(id)).toEqual([0, 0]);
  expect(await creditOf(await customerOf(id))).toBe(0);
  await expectCleanBooks();
});

test.each([
  ['was removed', ['vat'], []],
  ['was added', [], ['vat']],
])('a correction has the tax of its period, which %s between', async (_, before, after) => {
  await sell();
  const customer = await metered.customerWith({ taxes: before });
  const id = await billedMarch({ customer, discounts: ['once'] });
  await metered.api.sandbox.patch(`/customers/${customer}`, { taxes: after });
  await report(id, -100, day(3, 20));
  await advanceTo(id, MAY);
  const billed = before.length > 0 ? 60 : 50; // 100 x 50 %, and 20 %
  expect(await totals(id)).toEqual([billed, 0]);
  expect(await owed(id)).toEqual([0, 0]); // the credit pays the bill: net 0.00
  expect(await creditOf(customer)).toBe(0);
  await expectCleanBooks();
});

test('late usage after the end has the discounts and taxes of its period, whatever bill sweeps it', async () => {
  await sell();
  const customer = await metered.customerWith();
  const ended = await billedMarch({ customer, discounts: ['half'] }, 200);
  const other = await begin({ plan: 'gold', customer, discounts: ['tenth'], taxes: ['vat'] });
  moveTo(day(4, 10));
  expect((await metered.cancel(ended)).status).toBe(200);
  await report(ended, 100, day(3, 15));
  expect(await get(`/customers/${customer}/line_items`)).toMatchObject([{ amount: 50, discountable: false }]);
  await advanceTo(other, MAY);
  // 10 less 10 %, and 20 %: 10.80; 100 x 50 % without tax
  expect(await totals(other)).toEqual([10.8, 60.8, 10.8]);
  expect((await read(other)).mrr).toBe(9);
  await expectCleanBooks();
});

test('cancellation in arrears makes one invoice, with all usage that was reported before, whatever its time', async () => {
  await sell();
  const id = await begin({ plan: 'unit', bill_in: 'arrears', discounts: ['once'] });
  moveTo(day(3, 20));
  await report(id, 100, day(3, 10));
  await report(id, 40, day(3, 20));
  await report(id, 10, day(3, 20) + 50); // the clock of the client is ahead
  expect((await metered.cancel(id)).status).toBe(200);
  expect(await totals(id)).toEqual([75]); // 150 x 50 %
  const end = await begin({ plan: 'unit', bill_in: 'arrears', discounts: ['once'], cancel_at_period_end: true });
  moveTo(APRIL + 30);
  await report(end, 100, day(3, 10));
  await report(end, 40, APRIL);
  await advanceTo(end, APRIL + 30);
  expect(await totals(end)).toEqual([70]);
  await expectCleanBooks();
});

test('a fixed discount of the period is used up once, and that of the bill is not touched', async () => {
  const id = await billedMarch({ discounts: ['fifty'] }, 30);
  await report(id, 30, day(3, 15));
  moveTo(day(4, 20));
  await report(id, 60, day(4, 15));
  await advanceTo(id, MAY);
  await report(id, -60, day(3, 15));
  await advanceTo(id, JUNE);
  // 30 - 50; 60 - 50 of March and 60 - 50 of April; then March at 0 units less 10.00: a credit
  expect(await totals(id)).toEqual([0, 20, 0]);
  expect(await owed(id)).toEqual([0, 10, 0]); // the bill of March is paid: the credit of 10.00 pays the next one
  expect(await creditOf(await customerOf(id))).toBe(0);
  await expectCleanBooks();
});

test('corrections one after another add up to the invoice computed once, with all its discounts and taxes', async () => {
  await sell();
  const customer = await metered.customerWith();
  const terms = { customer, plan: 'base', bill_in: 'arrears', discounts: ['tenth', 'fifty'], taxes: ['vat', 'gst'] };
  const addons = [{ plan: 'data' }, { plan: 'storage' }, { plan: 'calls' }];
  const id = await begin({ ...terms, addons });
  const twin = await begin({ ...terms, addons });
  const addonsOf = async (one: number) => (await read(one)).addons.map((addon: { id: number }) => addon.id);
  const parts = [
    [0, 151, 0], // data: 100 free, then 0.02
    [1, 9, 0], // storage: 2 each, from 11 on 1.5
    [2, 3.3, 0], // calls: 0.25
    [0, 33, 1],
    [1, 4, 1],
    [2, -1.1, 1],
    [0, -60, 2],
    [1, -13, 2],
    [2, 7.7, 2],
    [0, 500.5, 3],
  ] as const;
  moveTo(day(3, 20));
  for (const [addon, quantity] of parts)
    await report(twin, quantity, day(3, 10), { addon: (await addonsOf(twin))[addon] });
  for (const round of [0, 1, 2, 3]) {
    const own = parts.filter(([, , when]) => when === round);
    for (const [addon, quantity] of own) await report(id, quantity, day(3, 10), { addon: (await addonsOf(id))[addon] });
    await advanceTo(id, day(4 + round));
  }
  await advanceTo(twin, JULY);
  const [own, others] = [await totals(id), await totals(twin)];
  const sumOf = (all: readonly number[]) => Math.round(all.reduce((sum, one) => sum + one, 0) * 100);
  expect(sumOf(own)).toBe(sumOf(others));
  await expectCleanBooks();
});

test('where no invoice took the period, the discounts and rates count that the subscription had in it', async () => {
  await sell();
  const customer = await metered.customerWith({ taxes: ['vat'] });
  const id = await begin({ customer, plan: 'unit', bill_in: 'arrears', discounts: ['once', 'fifty'] });
  moveTo(day(3, 20));
  expect((await metered.cancel(id)).status).toBe(200);
  expect(await invoices(id)).toEqual([]);
  await metered.api.sandbox.patch(`/customers/${customer}`, { taxes: [] });
  await report(id, 80, day(3, 10));
  await report(id, 60, day(3, 10));
  await report(id, 60, day(3, 10));
  const lines = (await get(`/customers/${customer}/line_items`)).toReversed();
  // 80 x 50 % - 50: 0; 140 x 50 % - 50: 20 and 4.00 tax; 200 x 50 % - 50: 30 more and 6.00 tax
  expect(
    lines
      .map(({ amount, taxes: [tax] }: Answer['body']) => [amount, tax.amount])
      .toSorted(([one]: number[], [other]: number[]) => (one ?? 0) - (other ?? 0)),
  ).toEqual([
    [0, 0],
    [20, 4],
    [30, 6],
  ]);
  await expectCleanBooks();
});

test('late usage uses no cycle of a coupon, and follows a change of the plan and a merged customer', async () => {
  const id = await billedMarch({ discounts: ['half'], addons: [{ plan: 'base' }] });
  await change(id, { plan: 'support', amount: 3, discounts: ['once'], addons: [] });
  const survivor = await metered.customerWith({ taxes: ['vat'] });
  const merged = await metered.api.sandbox.post(`/customers/${survivor}/merge`, { customer: await customerOf(id) });
  expect(merged.status).toBe(200);
  await report(id, 30, day(3, 15));
  await advanceTo(id, MAY);
  expect((await lastLines(id)).find(([, description]: string[]) => description?.startsWith('Late'))).toEqual([
    15, // 30 x 50 %, without tax
    'Late usage, Quantity: 30',
  ]);
  expect((await read(id)).discounts).toEqual([]);
  await expectCleanBooks();
});

test('late usage of a consolidated invoice has the discounts of the invoice that took it', async () => {
  await sell();
  const customer = await metered.customerWith({ consolidated: true });
  const id = await billedMarch({ customer, discounts: ['once'], bill_in: 'arrears' });
  await make('/invoices', { customer, items: [{ unit_cost: 5 }] });
  await make(`/customers/${customer}/consolidate_invoices`, {});
  await report(id, -40, day(3, 15));
  await advanceTo(id, MAY);
  expect(await lastLines(id)).toEqual([
    [-20, 'Usage correction, Quantity: 40'],
    [0, null],
    [20, null], // goes to the credit balance
  ]);
  await expectCleanBooks();
});
