import { expect, test } from '@jest/globals';
import { refused } from '../../support/api.ts';
import { APRIL, dayOf2027 as day, goldSubscriptions, MARCH, MAY } from '../../support/goldSubscriptions.ts';

/** Usage of metered plans: how it is reported, billed and corrected. The test takes the steps as their processes would. */

const gold = goldSubscriptions(async (client) => {
  const month = { interval: 'month', quantity_type: 'usage' };
  await client.make('/plans', { id: 'calls', name: 'Calls', amount: 0.25, ...month });
  const tiers = [
    { max_qty: 100, unit_cost: 0 },
    { min_qty: 101, unit_cost: 0.02 },
  ];
  await client.make('/plans', { id: 'data', name: 'Data', pricing_mode: 'tiered', tiers, ...month });
});
const { advanceTo, begin, expectCleanBooks, invoices, read } = gold;

let keys = 0;
const report = (id: number, quantity: number, timestamp: number, more: object = {}) => {
  keys += 1;
  return gold.api.sandbox.post(`/subscriptions/${id}/usage`, {
    quantity,
    timestamp,
    idempotency_key: `key-${keys}`,
    ...more,
  });
};
const usageOf = async (id: number, query = '') =>
  (await gold.api.sandbox.get(`/subscriptions/${id}/usage${query}`)).body;
const lines = ({ items }: { items: Record<string, unknown>[] }) =>
  items.map(({ plan, quantity, unit_cost, amount, period_start, description }) => [
    plan,
    quantity,
    unit_cost,
    amount,
    period_start,
    description,
  ]);

test('usage is billed after its period, beside the plan that is billed in advance', async () => {
  const id = await begin({ addons: [{ plan: 'calls' }, { plan: 'data' }] });
  const subscription = await read(id);
  const [calls, data] = subscription.addons.map((addon: { id: number }) => addon.id);
  expect(subscription).toMatchObject({ recurring_total: 10, mrr: 10 });
  gold.moveTo(day(3, 20));
  const { status, body } = await report(id, 12.5, day(3, 10), { addon: calls });
  expect({ status, body }).toMatchObject({
    status: 201,
    body: { object: 'usage', subscription: id, addon: calls, quantity: 12.5, billed: false, invoice: null },
  });
  await report(id, 150, day(3, 15), { addon: data });
  await advanceTo(id, APRIL);
  await report(id, 2, day(3, 31), { addon: calls }); // late
  await report(id, 4, APRIL, { addon: calls });
  await advanceTo(id, MAY);
  const [march, april, may] = await invoices(id);
  expect(lines(march)).toEqual([['gold', 1, 10, 10, MARCH, null]]);
  expect(lines(april)).toEqual([
    ['gold', 1, 10, 10, APRIL, null],
    ['calls', 12.5, 0.25, 3.13, MARCH, null], // 12.5 x 0.25 = 3.125
    ['data', 100, 0, 0, MARCH, 'Up to 100'],
    ['data', 50, 0.02, 1, MARCH, 'From 101'],
  ]);
  expect(lines(may)).toEqual([
    ['gold', 1, 10, 10, MAY, null],
    ['calls', 1, 0.5, 0.5, MARCH, 'Late usage, Quantity: 2'], // 14.5 x 0.25 = 3.63 less 3.13
    ['calls', 4, 0.25, 1, APRIL, null],
    ['data', 0, 0, 0, APRIL, 'Up to 100'],
  ]);
  expect((await usageOf(id, `?filter[addon]=${calls}`)).map((row: { invoice: number }) => row.invoice)).toEqual([
    may.id,
    may.id,
    april.id,
  ]);
  await expectCleanBooks();
});

test('a key counts for good: the same report changes nothing, another one is refused', async () => {
  const id = await begin({ plan: 'calls', bill_in: 'arrears' });
  gold.moveTo(day(3, 20));
  const sent = { idempotency_key: 'once', timestamp: day(3, 10) };
  const first = await report(id, 3, 0, sent);
  const again = await report(id, 3, 0, sent);
  expect([first.status, again.status]).toEqual([201, 200]);
  expect(again.body).toEqual(first.body);
  expect(await report(id, 4, 0, sent)).toMatchObject(
    refused({ param: 'idempotency_key', message: expect.stringContaining('other usage') }),
  );
  await advanceTo(id, APRIL);
  expect(await report(id, 3, 0, sent)).toMatchObject({ status: 200, body: { billed: true } });
  expect((await invoices(id)).map(lines)).toEqual([[['calls', 3, 0.25, 0.75, MARCH, null]]]);
});

test('the final invoice takes usage to the end; later reports of it become pending lines and a problem', async () => {
  const id = await begin({ plan: 'calls', customer: await gold.customerWith() });
  gold.moveTo(day(3, 20));
  await report(id, 8, day(3, 10));
  expect((await gold.cancel(id)).status).toBe(200);
  expect((await invoices(id)).map(lines)).toEqual([[['calls', 8, 0.25, 2, MARCH, null]]]);
  gold.moveTo(day(3, 21));
  expect(await report(id, 1, day(3, 20))).toMatchObject(
    refused({ param: 'timestamp', message: expect.stringContaining('did not bill usage') }),
  );
  expect((await report(id, 4, day(3, 12))).body).toMatchObject({ billed: true, invoice: null });
  const { customer } = await read(id);
  const pending = (await gold.api.sandbox.get(`/customers/${customer}/line_items`)).body;
  expect(pending).toMatchObject([{ amount: 1, plan: 'calls' }]);
  await expectCleanBooks();
});
