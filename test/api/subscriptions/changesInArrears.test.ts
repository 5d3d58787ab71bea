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
} from '../../support/goldSubscriptions.ts';

/** Changes of subscriptions that bill in arrears. */

const gold = goldSubscriptions(async (client) => {
  await sellOtherPlans(client);
  await client.make('/plans', { id: 'seats', name: 'Seats', amount: 2, interval: 'month' });
});
const { cancel, change, expectCleanBooks } = gold;
const { begin, invoices, totals, pendingAmounts } = customerOfEachTest(gold);

test('in arrears the bill has a line for each price; unchanged components have one', async () => {
  const id = await begin({ bill_in: 'arrears', addons: [{ plan: 'seats', quantity: 1 }] });
  gold.moveTo(HALF);
  await change(id, { quantity: 3 });
  gold.moveTo(QUARTER);
  await change(id, { quantity: 1 });
  expect(await pendingAmounts()).toEqual([]);
  await gold.advanceTo(id, APRIL);
  const [bill] = await invoices();
  const lines = bill.items.map((line: { name: string; amount: number; period_start: number }) => [
    line.name,
    line.amount,
    line.period_start,
  ]);
  expect(lines).toEqual([
    ['Seats', 2, MARCH],
    ['Gold', 5, MARCH], // 10.00 x 1/2
    ['Gold', 7.5, HALF], // 30.00 x 1/4
    ['Gold', 2.5, QUARTER], // 10.00 x 1/4
  ]);
  await gold.advanceTo(id, MAY);
  expect(await totals()).toEqual([17, 12]);
  await expectCleanBooks();
});

test('in arrears prorate: false counts the last price for the whole period; another interval bills what was used', async () => {
  const id = await begin({ bill_in: 'arrears' });
  gold.moveTo(HALF);
  await change(id, { quantity: 3, prorate: false });
  await gold.advanceTo(id, APRIL);
  expect(await totals()).toEqual([30]);
  gold.moveTo(day(4, 16));
  const { body } = await change(id, { plan: 'annual' });
  expect(body).toMatchObject({ period_start: day(4, 16), plan: 'annual' });
  expect(await totals()).toEqual([30, 15]); // 30.00 x 15 of 30 days
  await expectCleanBooks();
});

test('in arrears a kept change applies to the period that begins after the bill', async () => {
  const id = await begin({ bill_in: 'arrears' });
  await change(id, { quantity: 3, when: 'renewal' });
  await gold.advanceTo(id, APRIL);
  expect(await gold.read(id)).toMatchObject({ quantity: 3, pending_change: null });
  await gold.advanceTo(id, MAY);
  expect(await totals()).toEqual([10, 30]);
});

test('in arrears the cycle in progress counts as begun', async () => {
  const id = await begin({ bill_in: 'arrears', cycles: 3 });
  await gold.advanceTo(id, APRIL);
  const message = '2 cycles have already begun: 1';
  expect(await change(id, { cycles: 1 })).toMatchObject(refused({ param: 'cycles', message }));
  await change(id, { cycles: 2 });
  await gold.advanceTo(id, MAY);
  expect(await gold.read(id)).toMatchObject({ status: 'finished' });
  expect(await totals()).toEqual([10, 10]);
  await expectCleanBooks();
});

test('bill_remaining in arrears bills the period in progress to its end, a short first period its share', async () => {
  const id = await begin({ bill_in: 'arrears', cycles: 2 });
  gold.moveTo(HALF);
  await cancel(id, '?bill_remaining=true');
  expect(await totals()).toEqual([10, 10]);
  const trial = await begin({ cycles: 1, trial_end: day(3, 22), snap_to_nth_day: 1 });
  gold.moveTo(day(3, 10));
  await cancel(trial, '?bill_remaining=true');
  expect(await totals()).toEqual([10, 10, 13.23]); // 10.00 x 10 of 31 days, and 10.00
  await expectCleanBooks();
});
