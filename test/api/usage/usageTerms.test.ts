import { expect, test } from '@jest/globals';
import { refused } from '../../support/api.ts';
import { APRIL, dayOf2027 as day, JUNE, MARCH, MAY } from '../../support/goldSubscriptions.ts';
import { meteredSubscriptions } from '../../support/meteredSubscriptions.ts';

/** Usage together with the other terms of a subscription. */

const metered = meteredSubscriptions();
const { advanceTo, begin, billedUsage, change, expectCleanBooks, invoices, moveTo, read, report, totals } = metered;

const make = (path: string, body: object) => metered.api.sandbox.make(path, body);
const addonOf = async (id: number): Promise<number> => (await read(id)).addons[0].id;

test('usage in a trial stays free when a change of the interval begins new periods at its end', async () => {
  const year = { interval: 'year', quantity_type: 'usage' };
  await make('/plans', { id: 'calls-year', name: 'Calls', amount: 0.25, ...year });
  const id = await begin({ plan: 'calls', trial_end: day(3, 15), bill_in: 'arrears' });
  moveTo(day(3, 10));
  await report(id, 100, day(3, 5));
  expect((await change(id, { plan: 'calls-year', when: 'renewal' })).status).toBe(200);
  await advanceTo(id, day(3, 15));
  await report(id, 4, day(3, 15));
  await metered.cancel(id);
  expect(await billedUsage(id)).toEqual([[['calls-year', 4, 0.25, 1, day(3, 15), null]]]);
  await expectCleanBooks();
});

test('usage in a trial stays free when it ends during a pause and periods count anew', async () => {
  const id = await begin({ plan: 'calls', trial_end: day(3, 15) });
  moveTo(day(3, 10));
  await report(id, 100, day(3, 5));
  await change(id, { paused: true });
  moveTo(APRIL);
  await report(id, 8, day(3, 20));
  await change(id, { paused: false, resume_mode: 'new' });
  await advanceTo(id, MAY);
  expect((await billedUsage(id)).flat()).toEqual([
    ['calls', 8, 0.25, 2, day(3, 15), null],
    ['calls', 0, 0.25, 0, APRIL, null],
  ]);
  await expectCleanBooks();
});

test('a metered add-on that is added before the start counts from the start', async () => {
  const id = await begin({ start_date: APRIL });
  moveTo(day(3, 10));
  await change(id, { addons: [{ plan: 'calls' }] });
  const addon = await addonOf(id);
  expect(await report(id, 1, day(3, 10), { addon })).toMatchObject(refused({ param: 'timestamp' }));
  await advanceTo(id, APRIL);
  expect(await billedUsage(id)).toEqual([[['gold', 1, 10, 10, APRIL, null]]]);
  await change(id, { addons: [] });
  await advanceTo(id, MAY);
  expect(await totals(id)).toEqual([10, 10]);
  await expectCleanBooks();
});

test('discounts: percentages apply to usage, amounts once per bill of a period, and a period without a bill uses none', async () => {
  await make('/coupons', { id: 'half', name: 'Half', value: 50, duration: 1 });
  await make('/coupons', { id: 'three', name: 'Three', value: 3, is_percent: false, currency: 'usd' });
  const only = await begin({ plan: 'calls', discounts: ['half'], bill_in_advance_days: 3 });
  moveTo(day(3, 20));
  await report(only, 8, day(3, 10));
  await advanceTo(only, MAY);
  expect(await totals(only)).toEqual([1]); // half of 8 x 0.25
  const id = await begin({ addons: [{ plan: 'calls' }], discounts: ['three'], cancel_at_period_end: true });
  moveTo(day(3, 20));
  await report(id, 8, day(3, 10), { addon: await addonOf(id) });
  await advanceTo(id, APRIL);
  expect(await totals(id)).toEqual([7, 2]); // 10 - 3; 8 x 0.25
  await expectCleanBooks();
});

test('a metered add-on that is removed is billed until then, whatever the proration date', async () => {
  const id = await begin();
  moveTo(day(3, 10));
  await change(id, { addons: [{ plan: 'calls' }] });
  const addon = await addonOf(id);
  await report(id, 8, day(3, 10), { addon });
  await report(id, 4, day(3, 10) + 30, { addon });
  expect(await report(id, -1, day(3, 10) + 30, { addon })).toMatchObject(refused({ param: 'timestamp' }));
  moveTo(day(3, 20));
  expect((await change(id, { addons: [], proration_date: day(3, 5) })).status).toBe(200);
  await advanceTo(id, APRIL);
  expect((await billedUsage(id)).at(-1)).toEqual([
    ['gold', 1, 10, 10, APRIL, null],
    ['calls', 12, 0.25, 3, day(3, 10), null],
  ]);
  await expectCleanBooks();
});

test('a plan that is metered, constant and metered again within seconds loses no usage', async () => {
  const id = await begin({ plan: 'calls', bill_in: 'arrears' });
  moveTo(day(3, 10));
  await report(id, 8, day(3, 10) + 20);
  await change(id, { plan: 'gold' });
  moveTo(day(3, 10) + 50);
  await change(id, { plan: 'calls' });
  await advanceTo(id, APRIL);
  const usage = (await billedUsage(id)).flat().filter(([plan]) => plan === 'calls');
  expect(usage).toEqual([
    ['calls', 8, 0.25, 2, MARCH, null],
    ['calls', 0, 0.25, 0, day(3, 10) + 50, null],
  ]);
  expect(await metered.usageOf(id, '?filter[billed]=false')).toEqual([]);
  await expectCleanBooks();
});

test('a change of metered plans with the renewal bills each period at its price', async () => {
  const id = await begin({ plan: 'calls', bill_in: 'arrears' });
  moveTo(day(3, 20));
  await change(id, { plan: 'support', amount: 2, when: 'renewal' });
  await report(id, 8, day(3, 10));
  await advanceTo(id, APRIL);
  await report(id, 3, APRIL);
  await advanceTo(id, MAY);
  expect((await billedUsage(id)).flat()).toEqual([
    ['calls', 8, 0.25, 2, MARCH, null],
    ['support', 3, 2, 6, APRIL, null],
  ]);
  await expectCleanBooks();
});

test('usage during a pause is on the first bill after it', async () => {
  const id = await begin({ addons: [{ plan: 'data' }] });
  const addon = await addonOf(id);
  moveTo(day(3, 10));
  await change(id, { paused: true });
  moveTo(day(5, 10));
  await report(id, 150, day(3, 15), { addon });
  await report(id, 150, day(4, 15), { addon });
  await change(id, { paused: false });
  await advanceTo(id, JUNE);
  const bill = (await billedUsage(id)).at(-1) ?? [];
  expect(
    bill.filter(([plan]) => plan === 'data').map(([, quantity, , amount, from]) => [quantity, amount, from]),
  ).toEqual([
    [100, 0, MARCH], // each period has 100 free
    [50, 1, MARCH],
    [100, 0, APRIL],
    [50, 1, APRIL],
    [0, 0, MAY],
  ]);
  await expectCleanBooks();
});

test('very many lines of usage become one for each component', async () => {
  const tiers = Array.from({ length: 100 }, (_, index) =>
    index < 99 ? { max_qty: index + 1, unit_cost: 1 } : { unit_cost: 1 },
  );
  const month = { interval: 'month', quantity_type: 'usage' };
  await make('/plans', { id: 'steep', name: 'Steep', pricing_mode: 'tiered', tiers, ...month });
  const id = await begin({ addons: Array.from({ length: 4 }, () => ({ plan: 'steep' })) });
  moveTo(day(3, 20));
  for (const { id: addon } of (await read(id)).addons) await report(id, 100, day(3, 10), { addon });
  await advanceTo(id, APRIL);
  const bill = (await billedUsage(id)).at(-1) ?? [];
  expect(bill.slice(1)).toEqual(Array.from({ length: 4 }, () => ['steep', 1, 100, 100, MARCH, 'Quantity: 100']));
  await expectCleanBooks();
});

test('usage on a held draft that is deleted counts as billed, and the rest of its period is not charged', async () => {
  const customer = await metered.customerWith();
  const id = await begin({ addons: [{ plan: 'calls' }], customer });
  await metered.api.sandbox.patch(`/customers/${customer}`, { credit_hold: true });
  moveTo(day(3, 20));
  await report(id, 8, day(3, 10), { addon: await addonOf(id) });
  await advanceTo(id, APRIL);
  const draft = (await invoices(id)).at(-1);
  expect(draft).toMatchObject({ draft: true, total: 12 });
  expect((await metered.api.sandbox.delete(`/invoices/${draft?.id}`)).status).toBe(204);
  expect(await metered.usageOf(id)).toMatchObject([{ billed: true, invoice: draft?.id }]);
  moveTo(day(4, 10));
  await change(id, { quantity: 3 });
  expect((await metered.api.sandbox.get(`/customers/${customer}/line_items`)).body).toEqual([]);
  await expectCleanBooks();
});

test('pages say the period, the units and the tiers of usage, in the language of the customer', async () => {
  const customer = await metered.customerWith({ language: 'de', country: 'DE' });
  const id = await begin({ customer, plan: 'data', bill_in: 'arrears' });
  moveTo(day(3, 20));
  await report(id, 150, day(3, 10));
  await advanceTo(id, APRIL);
  const [invoice] = await invoices(id);
  const page = await (await fetch(invoice.url.replace('https://billing.example', metered.api.origin))).text();
  const words = page
    .slice(page.indexOf('</style>'))
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ');
  // 100 units are free, 50 cost 0.02 each
  expect(words).toContain(
    'Data Bis 100 01.–31.03.2027 100 0,00 $ 0,00 $ Data Ab 101 01.–31.03.2027 50 0,02 $ 1,00 $ Gesamtbetrag 1,00 $',
  );
});

test('the mail that confirms a subscription says the tiers of its usage and the current period', async () => {
  const customer = await metered.customerWith({ email: 'ada@example.com' });
  await begin({ customer, addons: [{ plan: 'data' }, { plan: 'calls' }] });
  const [mail] = await metered.api.em.fork().execute('select text from email where customer_id = ?', [customer]);
  for (const line of [
    /^Usage +Data · Up to 100: \$0\.00 per unit · From 101: \$0\.02 per unit$/m,
    /^Usage +Calls: \$0\.25 per unit$/m,
    /^Price per period +\$10\.00$/m,
    /^Current period +Mar 1\s–\s31, 2027$/m,
  ])
    expect(mail?.text).toMatch(line);
});

test('the lines of metered add-ons are in the order of the add-ons, which a change can reverse', async () => {
  const id = await begin({ addons: [{ plan: 'storage' }, { plan: 'calls' }] });
  const [storage, calls] = (await read(id)).addons.map((addon: { id: number }) => addon.id);
  moveTo(day(3, 16));
  expect((await change(id, { addons: [{ plan: 'data' }, { id: calls }, { id: storage }] })).status).toBe(200);
  const [data] = (await read(id)).addons.map((addon: { id: number }) => addon.id);
  await report(id, 3, day(3, 16), { addon: storage });
  await report(id, 4, day(3, 16), { addon: calls });
  await report(id, 110, day(3, 16), { addon: data });
  await advanceTo(id, APRIL);
  const [, april] = await billedUsage(id);
  // 110 - 100 = 10 units at 0.02, 4 x 0.25, 3 x 2
  expect(april?.map(([plan, , , amount]) => [plan, amount])).toEqual([
    ['gold', 10],
    ['data', 0],
    ['data', 0.2],
    ['calls', 1],
    ['storage', 6],
  ]);
});
