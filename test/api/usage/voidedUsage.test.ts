import { expect, test } from '@jest/globals';
import { type Answer, refused } from '../../support/api.ts';
import { APRIL, dayOf2027 as day, JULY, JUNE, MARCH, MAY } from '../../support/goldSubscriptions.ts';
import { meteredSubscriptions } from '../../support/meteredSubscriptions.ts';
import { takenOf } from '../../support/usageWalk.ts';

/** Usage of a voided invoice is billed again, at the discounts and rates of that invoice. The plan `unit` costs 1.00 for each unit. */

const metered = meteredSubscriptions();
const { advanceTo, begin, expectCleanBooks, invoices, moveTo, read, report, totals, usageOf } = metered;

const post = (path: string, body: object = {}) => metered.api.sandbox.post(path, body);
const get = async (path: string) => (await metered.api.sandbox.get(path)).body;
const make = (path: string, body: object) => metered.api.sandbox.make(path, body);

let sold: Promise<unknown> | null = null;
function sell(): Promise<unknown> {
  sold ??= (async () => {
    await make('/plans', { id: 'unit', name: 'Unit', quantity_type: 'usage', interval: 'month', amount: 1 });
    await make('/coupons', { id: 'once', name: 'Once', value: 50, duration: 1 });
    await make('/coupons', { id: 'fifty', name: 'Fifty', value: 50, is_percent: false, currency: 'usd', duration: 1 });
    await make('/tax_rates', { id: 'vat', name: 'VAT', value: 20 });
  })();
  return sold;
}

/** A subscription in arrears with billed usage of March, on 1 April, and its invoice. */
async function billedMarch(body: object, used: number) {
  await sell();
  const id: number = await begin({ plan: 'unit', bill_in: 'arrears', ...body });
  moveTo(day(3, 20));
  await report(id, used, day(3, 10));
  await advanceTo(id, APRIL);
  return { id, invoice: (await invoices(id))[0].id as number };
}

const voided = async (invoice: number, body: object = {}) => (await post(`/invoices/${invoice}/void`, body)).status;
/** Takes back the credit that pays an invoice. */
async function release({ id, customer }: Answer['body']): Promise<void> {
  const payments: Answer['body'][] = await get(`/payments?filter[customer]=${customer}&include=applied_to`);
  const paying = payments.filter(({ applied_to }) => applied_to.some(({ invoice }: Answer['body']) => invoice === id));
  expect(paying.length).toBe(1);
  expect((await metered.api.sandbox.delete(`/payments/${paying[0].id}`)).status).toBe(200);
}
const linesOf = ({ items }: Answer['body']) =>
  items.map(({ amount, description }: Answer['body']) => [amount, description]);

test('the next bill has the usage again, with discounts and tax of the voided invoice', async () => {
  const { id, invoice } = await billedMarch({ discounts: ['once'], taxes: ['vat'] }, 100);
  await metered.change(id, { taxes: [] });
  expect(await voided(invoice)).toBe(200);
  expect(await usageOf(id)).toMatchObject([{ billed: false, invoice: null }]);
  await advanceTo(id, MAY);
  const [, may] = await invoices(id);
  expect(may.total).toBe(60); // 100 x 50 %, and 20 %
  expect(linesOf(may)).toEqual([
    [50, 'Quantity: 100'],
    [0, null],
  ]);
  expect(await usageOf(id)).toMatchObject([{ billed: true, invoice: may.id }]);
  await report(id, -100, day(3, 11)); // corrected after it was billed again
  await advanceTo(id, JUNE);
  expect((await invoices(id))[1].balance).toBe(0); // the credit of 60.00 pays the bill of May
  expect(await get(`/customers/${(await read(id)).customer}/balance`)).toMatchObject({ available_credits: 0 });
  await expectCleanBooks();
});

test('rebill_usage false: the usage counts as billed; a second void is refused and changes nothing', async () => {
  const { id, invoice } = await billedMarch({ discounts: ['once'] }, 100);
  expect(await post(`/invoices/${invoice}/void`, { rebill_usage: 'maybe' })).toMatchObject(
    refused({ param: 'rebill_usage' }),
  );
  expect(await voided(invoice, { rebill_usage: false })).toBe(200);
  expect(await usageOf(id)).toMatchObject([{ billed: true, invoice }]);
  expect(await voided(invoice)).toBe(400);
  await report(id, 20, day(3, 11)); // late: 20 x 50 %
  await advanceTo(id, MAY);
  expect(await totals(id)).toEqual([100 / 2, 10]);
  await expectCleanBooks();
});

test('the bill that has the usage again can be voided, too; corrections and late usage between count', async () => {
  const { id, invoice } = await billedMarch({ discounts: ['fifty'] }, 60);
  await report(id, 30, day(3, 11));
  await advanceTo(id, MAY);
  expect(await totals(id)).toEqual([10, 30]); // 60 - 50; 90 - 50 - 10
  expect(await voided(invoice)).toBe(200);
  await report(id, -20, day(3, 12)); // 40 of 60 are left
  await advanceTo(id, JUNE);
  const bills = await invoices(id);
  expect(bills.map(({ total, status }) => [total, status])).toEqual([
    [10, 'voided'],
    [30, 'not_sent'],
    [0, 'paid'], // 70 - 50, less the 30 that May has: -10, a credit
  ]);
  expect(await voided(bills[1].id)).toBe(400); // the credit pays it
  await release(bills[1]);
  expect(await voided(bills[1].id)).toBe(200);
  await advanceTo(id, JULY);
  expect((await invoices(id)).at(-1).total).toBe(30); // 20 less the credit of 10
  await expectCleanBooks();
});

test('an invoice whose usage was taken back in part can be voided', async () => {
  const { id, invoice } = await billedMarch({ discounts: ['once'] }, 96);
  await report(id, -72, day(3, 11));
  await advanceTo(id, MAY);
  await release((await invoices(id))[0]);
  expect(await voided(invoice)).toBe(200);
  await advanceTo(id, JUNE);
  // 24 x 50 %, less the credit of 36 for -72: 48 for the usage that is billed again
  expect(linesOf((await invoices(id)).at(-1))[0]).toEqual([48, 'Quantity: 96']);
  const sums = (await get(`/subscriptions/${id}/usage_totals`)).map((total: Answer['body']) => total.amount);
  expect(sums.reduce((sum: number, one: number) => sum + one, 0)).toBe(24);
  await expectCleanBooks();
});

test('after the end of the subscription pending lines have the usage at once, and the bill that took them can be voided', async () => {
  await sell();
  const customer = await metered.customerWith();
  const { id, invoice } = await billedMarch({ customer, discounts: ['once'] }, 100);
  moveTo(day(4, 10));
  await metered.cancel(id);
  const other = await make('/customers', { name: 'Other' });
  expect(await voided(invoice)).toBe(200);
  const pending = async () =>
    (await get(`/customers/${customer}/line_items`)).map((line: Answer['body']) => line.amount);
  expect(await pending()).toEqual([50]);
  const swept = await make(`/customers/${customer}/invoices`, {});
  expect([swept.total, await pending()]).toEqual([50, []]);
  expect(await voided(swept.id)).toBe(200);
  expect(await pending()).toEqual([50]);
  expect(await takenOf(metered, id)).toEqual({ billed: 100, unbilled: 0 });
  expect(await get(`/customers/${other.id}/line_items`)).toEqual([]);
  await expectCleanBooks();
});

test('consolidation frees no usage; voiding the consolidated invoice does', async () => {
  await sell();
  const customer = await metered.customerWith({ consolidated: true });
  const { id } = await billedMarch({ customer, discounts: ['once'] }, 100);
  await make('/invoices', { customer, items: [{ unit_cost: 5 }] });
  const whole = await make(`/customers/${customer}/consolidate_invoices`, {});
  expect(await usageOf(id)).toMatchObject([{ billed: true }]);
  expect(await voided(whole.id)).toBe(200);
  expect(await usageOf(id)).toMatchObject([{ billed: false }]);
  await advanceTo(id, MAY);
  expect((await invoices(id)).at(-1).total).toBe(50);
  await expectCleanBooks();
});

test('of a plan with other lines, the usage is what the voided invoice has with it less without it', async () => {
  await sell();
  const addons = [{ plan: 'unit' }];
  const id = await begin({ addons, bill_in: 'arrears', discounts: ['fifty'] });
  const [{ id: addon }] = (await read(id)).addons;
  moveTo(day(3, 20));
  await report(id, 60, MARCH, { addon });
  await advanceTo(id, APRIL);
  expect(await totals(id)).toEqual([20]); // 10 + 60 - 50
  expect(await voided((await invoices(id))[0].id)).toBe(200);
  await advanceTo(id, MAY);
  expect((await invoices(id)).at(-1).total).toBe(30); // 20 - max(0, 10 - 50) for March; 10 for May
  await expectCleanBooks();
});

test.each(Array.from({ length: 12 }, (_, round) => round))(
  'a void and a bill at the same time bill usage once (%i)',
  async (round) => {
    const { id, invoice } = await billedMarch({ discounts: ['once'] }, 100);
    moveTo(MAY);
    const acts = [
      () => voided(invoice),
      () => advanceTo(id, MAY),
      () => report(id, 20, day(3, 12)),
      () => report(id, -10, day(3, 13)),
      () => voided(invoice),
    ];
    const order = acts.toSorted(
      (one, other) => ((acts.indexOf(one) * (round + 3)) % 5) - ((acts.indexOf(other) * (round + 3)) % 5),
    );
    const answers = await Promise.all(order.map((act) => act()));
    expect(answers.filter((answer) => answer === 200 || answer === 400).toSorted()).toEqual([200, 400]); // of two voids
    await advanceTo(id, JUNE);
    const counted = (await invoices(id)).filter(({ status }) => status !== 'voided');
    const notes: { total: number }[] = await get(`/credit_notes?filter[customer]=${(await read(id)).customer}`);
    const credit = notes.reduce((sum, { total }) => sum + total, 0);
    expect(counted.reduce((sum, { total }) => sum + total, -credit)).toBe(55); // (100 + 20 - 10) x 50 %
    expect(await takenOf(metered, id)).toEqual({ billed: 110, unbilled: 0 });
    await expectCleanBooks();
  },
);
