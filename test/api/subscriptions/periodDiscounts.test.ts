import { expect, test } from '@jest/globals';
import { printAudit } from '../../../bin/audit.ts';
import { customerOfEachTest, sellOtherPlans } from '../../support/goldCustomers.ts';
import {
  APRIL,
  dayOf2027 as day,
  goldSubscriptions,
  HALF,
  QUARTER,
  THREE_QUARTERS,
} from '../../support/goldSubscriptions.ts';

/** Changes within a period have the discounts of its bill, whatever the subscription has since. A plan of 10.00 from 1 March. */

const gold = goldSubscriptions(async (client) => {
  await sellOtherPlans(client);
  const tiers = [{ max_qty: 2, unit_cost: 10 }, { unit_cost: 6 }];
  await client.make('/plans', { id: 'tiered', name: 'Tiered', pricing_mode: 'tiered', tiers, interval: 'month' });
  await client.make('/plans', { id: 'seats', name: 'Seats', amount: 72, interval: 'month' });
  await client.make('/plans', { id: 'sixty', name: 'Sixty', amount: 60, interval: 'month' });
  const coupons = [
    { id: 'free', value: 100, duration: 1 },
    { id: 'once', value: 50, duration: 1 },
    { id: 'thrice', value: 50, duration: 3 },
    { id: 'ten', value: 10 },
    { id: 'two', value: 2, is_percent: false, currency: 'usd' },
  ];
  for (const coupon of coupons) await client.make('/coupons', { name: coupon.id, is_percent: true, ...coupon });
});
const { change, expectCleanBooks } = gold;
const { begin, customer, invoices, totals, pendingAmounts, creditBalance } = customerOfEachTest(gold);

/** A subscription that begins on the first of a month of 2027. */
async function beginIn(month: number, body: object): Promise<number> {
  gold.moveTo(day(month));
  const { id } = await gold.api.sandbox.make('/subscriptions', { customer: customer(), ...body });
  await gold.advanceTo(id, day(month));
  return id;
}

test('a period that was free by a coupon of one cycle stays free', async () => {
  const id = await beginIn(4, { plan: 'seats', quantity: 2, discounts: ['free'] });
  gold.moveTo(day(4, 16));
  await change(id, { quantity: 1, prorate: 'now' }); // 144.00 - 100 %, 72.00 - 100 %
  expect([await totals(), await pendingAmounts(), await creditBalance()]).toEqual([[0], [], 0]);
  await change(id, { quantity: 5, prorate: 'now' });
  expect([await totals(), await pendingAmounts()]).toEqual([[0], []]);
});

test('a coupon discounts changes in the last of its cycles', async () => {
  const id = await beginIn(2, { plan: 'sixty', quantity: 3, discounts: ['thrice'] });
  await gold.advanceTo(id, APRIL);
  expect(await gold.read(id)).toMatchObject({ discounts: [] });
  gold.moveTo(day(4, 16)); // 15 of 30 days
  await change(id, { quantity: 2, prorate: 'now' });
  // 60.00 x 1 x 50 % x 15/30: 45.00 - 30.00; they pay the bill of April
  expect((await invoices()).map(({ balance }) => balance)).toEqual([90, 90, 75, 0]);
  expect(await creditBalance()).toBe(0);
  await gold.advanceTo(id, day(5));
  expect(await totals()).toEqual([90, 90, 90, 0, 120]);
  await expectCleanBooks();
});

test('a change uses no cycle of a coupon', async () => {
  const id = await begin({ discounts: ['thrice'] });
  gold.moveTo(HALF);
  await change(id, { quantity: 2, prorate: 'now' });
  for (const month of [4, 5, 6]) await gold.advanceTo(id, day(month));
  expect(await totals()).toEqual([5, 2.5, 10, 10, 20]); // (20.00 - 10.00) x 50 % x 1/2
});

test('several coupons reduce a charge in their order', async () => {
  const id = await begin({ discounts: ['once', 'two'] }); // 10.00 - 50 % - 2.00
  gold.moveTo(HALF);
  await change(id, { quantity: 2 });
  expect(await pendingAmounts()).toEqual([-1.5, 4]); // 3.00 x 1/2; (20.00 - 50 % - 2.00) x 1/2
});

test('tiers and another plan have the discounts of the bill', async () => {
  const id = await begin({ plan: 'tiered', quantity: 3, discounts: ['once'] }); // (20.00 + 6.00) - 50 %
  gold.moveTo(HALF);
  await change(id, { quantity: 5 });
  expect(await pendingAmounts()).toEqual([-6.5, 9.5]); // 13.00 x 1/2; (20.00 + 18.00) x 50 % x 1/2
  gold.moveTo(QUARTER);
  await change(id, { plan: 'silver' });
  expect((await pendingAmounts()).slice(2)).toEqual([-4.75, 2.5]); // 9.50 x 1/2; 20.00 x 50 % x 1/4
});

test.each([
  ['removed', ['ten'], [], [-4.5, 9]], // 9.00 x 1/2; 18.00 x 1/2
  ['attached', [], ['ten'], [-5, 10]],
  ['replaced', ['ten'], ['once'], [-4.5, 9]],
])('a coupon that is %s within the period counts from the next bill', async (_, discounts, since, amounts) => {
  for (const isAlone of [true, false]) {
    const id = await begin({ discounts });
    gold.moveTo(HALF);
    const known = (await pendingAmounts()).length;
    if (isAlone) await change(id, { discounts: since });
    expect((await pendingAmounts()).length).toBe(known);
    await change(id, { quantity: 2, ...(isAlone ? {} : { discounts: since }) });
    expect((await pendingAmounts()).slice(known)).toEqual(amounts);
  }
});

test('each period that is billed ahead has the discounts of its own bill', async () => {
  const id = await begin({ bill_in_advance_days: 10, discounts: ['once'] });
  await gold.advanceTo(id, QUARTER);
  expect(await totals()).toEqual([5, 10]);
  await change(id, { quantity: 2 });
  expect(await pendingAmounts()).toEqual([-1.25, -10, 2.5, 20]); // March: 5.00 and 10.00 x 1/4; April: 10.00 and 20.00
});

test('another interval has only the discounts that then run', async () => {
  const once = await begin({ discounts: ['once'] });
  gold.moveTo(HALF);
  await change(once, { plan: 'annual' });
  expect((await invoices()).at(-1)).toMatchObject({ total: 97.5 }); // 100.00 - 5.00 x 1/2
  const ten = await begin({ discounts: ['ten'] });
  gold.moveTo(HALF);
  await change(ten, { plan: 'annual' });
  expect((await invoices()).at(-1)).toMatchObject({ total: 85.5 }); // 90.00 - 9.00 x 1/2
});

test('where the bill is voided, nothing is credited, and a charge has its discounts', async () => {
  const id = await begin({ discounts: ['once'] });
  const [first] = await invoices();
  await gold.api.sandbox.post(`/invoices/${first.id}/void`);
  gold.moveTo(HALF);
  await change(id, { quantity: 2 });
  await change(id, { quantity: 1 });
  expect(await pendingAmounts()).toEqual([5, -5]); // 20.00 x 50 % x 1/2, and back
});

test('discounts that a person gave on the bill count, those of its lines too', async () => {
  const id = await begin();
  const [bill] = await invoices();
  const [line] = bill.items;
  await gold.api.sandbox.patch(`/invoices/${bill.id}`, {
    items: [{ id: line.id, discounts: ['ten'] }],
    discounts: [{ amount: 3 }],
  });
  expect(await totals()).toEqual([6]); // 10.00 - 10 % - 3.00
  gold.moveTo(HALF);
  await change(id, { quantity: 2 });
  expect(await pendingAmounts()).toEqual([-3, 7.5]); // 6.00 x 1/2; (20.00 - 10 % - 3.00) x 1/2
});

test('the discounts of a consolidated bill count', async () => {
  await gold.api.sandbox.patch(`/customers/${customer()}`, { consolidated: true });
  const id = await begin({ discounts: ['once'] });
  await gold.api.sandbox.post('/invoices', { customer: customer(), items: [{ unit_cost: 7 }] });
  expect((await gold.api.sandbox.post(`/customers/${customer()}/consolidate_invoices`)).status).toBe(201);
  gold.moveTo(HALF);
  await change(id, { quantity: 2 });
  expect(await pendingAmounts()).toEqual([-2.5, 5]);
});

test('a change and its reversal at one instant cancel, also after a credit note and a change without proration', async () => {
  const id = await begin({ discounts: ['once'] });
  const [bill] = await invoices();
  const note = { customer: customer(), invoice: bill.id, items: [{ unit_cost: 2 }] };
  await gold.api.sandbox.make('/credit_notes', note);
  gold.moveTo(THREE_QUARTERS);
  await change(id, { quantity: 3, prorate: false });
  gold.moveTo(HALF);
  await change(id, { quantity: 4 });
  expect(await pendingAmounts()).toEqual([-1.5, 10]); // (5.00 - 2.00) x 1/2; 40.00 x 50 % x 1/2
  await change(id, { quantity: 3 });
  expect(await pendingAmounts()).toEqual([-1.5, 10, -10, 1.5]);
});

test('a change of a period that an earlier version changed credits what that change charged', async () => {
  const id = await begin({ discounts: ['once'] });
  gold.moveTo(THREE_QUARTERS);
  await change(id, { quantity: 2 });
  await gold.api.em.execute(
    `update subscription set prorated_prices = null,
       prorations = (select jsonb_agg(one - 'from' - 'undone') from jsonb_array_elements(prorations) one) where id = ?`,
    [id],
  );
  gold.moveTo(HALF);
  await change(id, { quantity: 1 });
  expect(await pendingAmounts()).toEqual([-3.75, 7.5, -5, 2.5]); // 7.50 x 2/3; 10.00 x 50 % x 1/2
});

test('the audit notes bills of changes that an earlier version priced, where its rule had another result', async () => {
  const notes = async () => {
    const lines: string[] = [];
    expect(await printAudit(gold.api.databaseUrl, [], (line) => lines.push(line))).toBe(0);
    return lines.filter((line) => line.startsWith('note: '));
  };
  for (const discounts of [['once'], ['ten'], []]) {
    const id = await begin({ discounts });
    gold.moveTo(HALF);
    await change(id, { quantity: 2, prorate: 'now' });
  }
  expect(await notes()).toEqual([]);
  const lines = 'update line_item set created_at = ? where prorated and invoice_id = any(?::int[])';
  const ids = (await invoices()).map(({ id }) => id);
  await gold.api.em.fork().execute(lines, [new Date(0), `{${ids.join()}}`]);
  const { number } = (await invoices())[1];
  expect(await notes()).toEqual([
    expect.stringMatching(
      new RegExp(`^note: account \\d+, invoice ${number}: its change .* earlier versions.*; 2.5000$`),
    ),
  ]);
});
