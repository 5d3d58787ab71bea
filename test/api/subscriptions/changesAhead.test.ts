import { expect, test } from '@jest/globals';
import { refused } from '../../support/api.ts';
import { customerOfEachTest, sellOtherPlans } from '../../support/goldCustomers.ts';
import { APRIL, goldSubscriptions, QUARTER } from '../../support/goldSubscriptions.ts';

/** Changes of subscriptions that bill 10 days before their periods: the bill of April is due on 22 March. */

const gold = goldSubscriptions(async (client) => {
  await sellOtherPlans(client);
  await client.make('/coupons', { id: 'twice', name: 'Twice', value: 50, is_percent: true, duration: 2 });
});
const { cancel, change, expectCleanBooks } = gold;
const { begin, invoices, totals, pendingAmounts, creditBalance } = customerOfEachTest(gold);

test('a change is prorated to the end of a period that is billed ahead, and taken back with it', async () => {
  const id = await begin({ bill_in_advance_days: 10 });
  await gold.advanceTo(id, QUARTER);
  await change(id, { quantity: 2 });
  expect(await pendingAmounts()).toEqual([-2.5, -10, 5, 20]); // a quarter of March, and all of April
  await cancel(id);
  expect(await totals()).toEqual([10, 2.5]); // the bill of April is voided, its changes are gone
  await expectCleanBooks();
});

test('a bill ahead of the next contract is taken back by a change kept for that contract', async () => {
  const id = await begin({ cycles: 1, contract_renewal_mode: 'auto', bill_in_advance_days: 10 });
  await gold.advanceTo(id, QUARTER);
  expect(await totals()).toEqual([10, 10]);
  await change(id, { quantity: 5, when: 'renewal' });
  expect(await totals()).toEqual([10]);
  await gold.advanceTo(id, APRIL);
  expect(await totals()).toEqual([10, 50]);
  await expectCleanBooks();
});

test('a kept change of a subscription that bills ahead applies when the period starts, not days before', async () => {
  const id = await begin({ bill_in_advance_days: 10 });
  await change(id, { plan: 'silver', when: 'renewal' });
  await gold.advanceTo(id, QUARTER);
  expect(await gold.read(id)).toMatchObject({ plan: 'gold' });
  await gold.advanceTo(id, APRIL);
  expect(await gold.read(id)).toMatchObject({ plan: 'silver', period_start: APRIL });
  expect(await totals()).toEqual([10, 4]);
  await expectCleanBooks();
});

test('the line of a voided invoice is not taken back a second time', async () => {
  const id = await begin({ bill_in_advance_days: 10 });
  await gold.advanceTo(id, QUARTER);
  await change(id, { quantity: 2, prorate: 'now' });
  const [, , now] = await invoices();
  await gold.api.sandbox.post(`/invoices/${now.id}/void`);
  await cancel(id);
  expect(await totals()).toEqual([10]);
  await expectCleanBooks();
});

test('changes of a period billed ahead that were billed at once are given back with it', async () => {
  const id = await begin({ bill_in_advance_days: 10 });
  await gold.advanceTo(id, QUARTER);
  await change(id, { quantity: 2, prorate: 'now' }); // -2.50 + 5.00 for March, -10.00 + 20.00 for April
  await cancel(id);
  expect(await totals()).toEqual([10, 12.5, 0]);
  // the credit of 10.00 for April pays the bill of the changes: 12.50 - 10.00
  expect((await invoices()).map(({ balance }) => balance)).toEqual([10, 0, 2.5, 0]);
  expect(await creditBalance()).toBe(0);
  expect(await pendingAmounts()).toEqual([]);
  await expectCleanBooks();
});

test('bill_remaining keeps no bill of the next contract, and counts the bill ahead against a coupon', async () => {
  const ahead = { bill_in_advance_days: 10 };
  const id = await begin({ ...ahead, cycles: 1, contract_renewal_mode: 'auto' });
  await gold.advanceTo(id, QUARTER);
  await cancel(id, '?bill_remaining=true');
  expect(await totals()).toEqual([10]);
  const reduced = await begin({ ...ahead, cycles: 3, discounts: ['twice'] });
  await gold.advanceTo(reduced, QUARTER);
  await cancel(reduced, '?bill_remaining=true');
  expect(await totals()).toEqual([10, 5, 5, 10]);
  await expectCleanBooks();
});

test('a contract that is shortened after its next period was billed ahead bills that period with the kept change', async () => {
  const id = await begin({ bill_in_advance_days: 10, cycles: 5, contract_renewal_mode: 'auto' });
  await change(id, { quantity: 5, when: 'renewal' });
  await gold.advanceTo(id, QUARTER);
  await change(id, { cycles: 1 });
  await gold.advanceTo(id, APRIL);
  expect(await totals()).toEqual([10, 50]);
  expect(await change(id, { when: 'renewal', pending_change: null })).toMatchObject(
    refused({ param: 'pending_change' }),
  );
  await expectCleanBooks();
});

test('an interval that is shorter than the days of billing ahead is refused', async () => {
  const id = await begin({ plan: 'annual', bill_in_advance_days: 60 });
  for (const when of [null, 'renewal'])
    expect(await change(id, { plan: 'gold', when })).toMatchObject(refused({ param: 'plan' }));
});
