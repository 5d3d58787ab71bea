import { expect, test } from '@jest/globals';
import { dayOf2027 as day, HALF, MARCH, MAY } from '../../support/goldSubscriptions.ts';
import { meteredSubscriptions } from '../../support/meteredSubscriptions.ts';

/** The credit of a negative bill pays what is open of the bills that its lines reverse, then the oldest due date. */

const metered = meteredSubscriptions();
const { customerWith, begin, change, cancel, moveTo, advanceTo, report, expectCleanBooks } = metered;
const issue = (customer: number, amount: number, date: number) =>
  metered.api.sandbox.make('/invoices', { customer, date, due_date: date, items: [{ unit_cost: amount }] });
const balances = async (customer: number) =>
  (await metered.api.sandbox.get(`/invoices?filter[customer]=${customer}&sort=id asc`)).body.map(
    ({ balance }: { balance: number }) => balance,
  );

test('a cancellation: the bill of the subscription first, then an older invoice', async () => {
  const customer = await customerWith();
  await issue(customer, 30, MARCH - 86_400);
  await begin({ customer });
  const other = await begin({ customer, quantity: 4 });
  moveTo(HALF);
  await cancel(other, '?prorate=true');
  expect(await balances(customer)).toEqual([30, 10, 20, 0]); // 40 - 40 / 2
  await expectCleanBooks();
});

test('what is left of the credit pays the oldest due date', async () => {
  const customer = await customerWith();
  await issue(customer, 30, MARCH - 86_400);
  const id = await begin({ customer, quantity: 4 });
  const [bill] = await metered.invoices(id);
  const applied_to = [{ type: 'invoice', invoice: bill.id, amount: 35 }];
  await metered.api.sandbox.make('/payments', { customer, amount: 35, applied_to });
  moveTo(HALF);
  await cancel(id, '?prorate=true');
  expect(await balances(customer)).toEqual([15, 0, 0]); // 20 credited: 5 of the bill, 15 of the older one
  await expectCleanBooks();
});

test('usage that is corrected: the bill that took it', async () => {
  const customer = await customerWith();
  const id = await begin({ customer, plan: 'calls', bill_in: 'arrears' });
  moveTo(day(3, 10));
  expect((await report(id, 200, day(3, 10))).status).toBe(201);
  await advanceTo(id, day(4));
  const [bill] = await metered.invoices(id);
  expect(bill).toMatchObject({ balance: 50 }); // 200 x 0.25
  await issue(customer, 30, day(2));
  moveTo(day(4, 10));
  expect((await report(id, -120, day(3, 10))).status).toBe(201);
  await advanceTo(id, MAY);
  expect(await balances(customer)).toEqual([20, 30, 0]); // 50 - 120 x 0.25
  await expectCleanBooks();
});

test('the share of a coupon that moves to another component: the bill that charged it', async () => {
  const { sandbox } = metered.api;
  const customer = await customerWith();
  await issue(customer, 500, MARCH - 86_400);
  await sandbox.make('/coupons', { id: 'five', name: 'Five', value: 5, is_percent: false });
  await sandbox.make('/items', { id: 'extra', name: 'Extra', unit_cost: 10 });
  const id = await begin({ customer, discounts: ['five'], addons: [{ catalog_item: 'extra' }] });
  expect(await balances(customer)).toEqual([500, 15]); // 10 + 10 - 5
  moveTo(HALF);
  await change(id, { addons: [], prorate: 'now' });
  // before 15, after 5 for a whole month; half of the difference is credited
  expect(await balances(customer)).toEqual([500, 10, 0]);
  await expectCleanBooks();
});

test('an account that switched the setting off keeps the credit in the balance', async () => {
  const { sandbox } = metered.api;
  const customer = await customerWith();
  const id = await begin({ customer });
  await sandbox.patch('/account', { apply_credits_at_issue: false });
  moveTo(HALF);
  await cancel(id, '?prorate=true');
  await sandbox.patch('/account', { apply_credits_at_issue: null });
  expect(await balances(customer)).toEqual([10, 0]);
  expect((await sandbox.get(`/customers/${customer}/balance`)).body.available_credits).toBe(5);
  await expectCleanBooks();
});
