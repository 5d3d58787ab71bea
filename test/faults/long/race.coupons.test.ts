import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { permissions } from '../../../billing/people/permissions.ts';
import { attachCoupons } from '../../../commands/catalog/couponRedemptions.ts';
import { createInvoice } from '../../../commands/invoices/invoices.ts';
import { lockCustomer } from '../../../commands/kernel/lockedCustomer.ts';
import { updateSubscription } from '../../../commands/subscriptions/changes/changing.ts';
import type { EntityManager } from '../../../db/orm.ts';
import { inTransaction, transactionOnce } from '../../../db/transaction.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { fortyDaysAgo } from '../../support/subscriptionSteps.ts';

let api: TestApi;
const customers: number[] = [];
beforeAll(async () => {
  api = await startApi();
  for (let n = 0; n < 20; n++) customers.push((await api.sandbox.make('/customers', { name: `C${n}` })).id);
});
afterAll(() => api.close());

/** Attaches coupons to an invoice of a customer. Returns null, or the message of the refusal. */
async function attach(customerId: number, id: number, codes: string[]): Promise<string | null> {
  const caller = { account: api.sandbox.account, userId: -2, credential: null, member: null, permissions };
  const named = codes.map((code, index) => ({ code, param: `discounts[${index}]` }));
  try {
    await inTransaction(api.em, async (em) => {
      const at = await lockCustomer(em, { caller, customerId }, new Date());
      await attachCoupons(em, at, { codes: named, currency: 'usd', redeemer: { type: 'invoice', id } });
    });
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

test('when twenty customers redeem a coupon with a maximum of five at the same time, five succeed', async () => {
  await api.sandbox.post('/coupons', { id: 'five', name: 'Five', value: 5, max_redemptions: 5 });
  await api.sandbox.post('/coupons', { id: 'any', name: 'Any', value: 5 });
  const outcomes = await Promise.all(customers.map((customer, n) => attach(customer, n, ['any', 'five'])));
  expect(outcomes.filter((message) => message === null)).toHaveLength(5);
  const refusals = new Set(outcomes.filter((message) => message !== null));
  expect([...refusals]).toEqual(['Coupon five has been redeemed 5 times, its maximum']);
  const rows = await api.em.fork().execute(
    `select code, count(*)::int, max(ordinal) from coupon_redemption r join coupon c on (c.account_id, c.id) = (r.account_id, coupon_id)
     group by code order by code`,
  );
  // The refused ones left no redemptions behind.
  expect(rows).toEqual([
    { code: 'any', count: 5, max: null },
    { code: 'five', count: 5, max: 5 },
  ]);
});

test('when twenty invoices with such a coupon are issued at the same time, five succeed', async () => {
  await api.sandbox.post('/coupons', { id: 'first-five', name: 'Five', value: 5, max_redemptions: 5 });
  const discounts = ['first-five'];
  const issue = (customer: number) =>
    api.sandbox.post('/invoices', { customer, items: [{ unit_cost: 100 }], discounts });
  const answers = await Promise.all(customers.map(issue));
  // 5 % of 100 is 5.
  expect(answers.filter(({ status, body }) => status === 201 && body.total === 95)).toHaveLength(5);
  const refused = answers.filter(({ status, body }) => status === 400 && body.param === 'discounts[0]');
  expect(refused).toHaveLength(15);
  expect((await api.sandbox.get('/invoices')).body).toHaveLength(5);
  expect(api.faults).toEqual([]);
});

test('coupons in opposite orders do not deadlock', async () => {
  for (const id of ['left', 'right'])
    await api.sandbox.post('/coupons', { id, name: id, value: 5, max_redemptions: 1000 });
  const orders = [
    ['left', 'right'],
    ['right', 'left'],
  ];
  const outcomes = await Promise.all(customers.map((customer, n) => attach(customer, 100 + n, orders[n % 2] ?? [])));
  expect(outcomes.filter((message) => message !== null)).toEqual([]);
});

test('billing subscriptions, adding coupons to them and issuing invoices do not deadlock', async () => {
  const { sandbox } = api;
  const caller = { account: sandbox.account, userId: -2, credential: null, member: null, permissions };
  await sandbox.post('/coupons', { id: 'shared', name: 'Shared', value: 5, max_redemptions: 1000 });
  await sandbox.post('/plans', { id: 'gold', name: 'Gold', amount: 10, interval: 'month' });
  const content = { lines: [], discounts: [{ id: null, code: 'shared', amount: null }] };
  // Each round uses all connections of the pool.
  for (let round = 0; round < 10; round++) {
    const subscribed = await Promise.all(
      // The second bill is due, so an update of the subscription issues it first.
      customers.slice(0, 5).map(async (customer) => {
        const body = { customer, plan: 'gold', start_date: fortyDaysAgo() };
        return (await sandbox.make('/subscriptions', body)).id;
      }),
    );
    const now = new Date();
    // Without `inTransaction`, whose retries would hide a deadlock.
    const run = (work: (em: EntityManager) => Promise<unknown>) => transactionOnce(api.em, work);
    await Promise.all([
      ...subscribed.map((id) => run((em) => updateSubscription(em, { caller, id, discounts: ['shared'] }, now))),
      ...customers
        .slice(15)
        .map((customerId) => run((em) => createInvoice(em, { caller, customerId, currency: null, content }, now))),
    ]);
  }
  const [row] = await api.em.fork().execute(`select count(*)::int, max(ordinal) from coupon_redemption r join coupon c
    on (c.account_id, c.id) = (r.account_id, coupon_id) where code = 'shared'`);
  expect(row).toEqual({ count: 100, max: 100 });
});

test('the same document redeems a coupon once, even if it is exhausted meanwhile', async () => {
  await api.sandbox.post('/coupons', { id: 'single', name: 'Single', value: 5, max_redemptions: 1 });
  const [customer = 0] = customers;
  expect(await attach(customer, 200, ['single', 'single'])).toBeNull();
  expect(await attach(customer, 200, ['single'])).toBeNull();
  expect(await attach(customer, 201, ['single'])).toContain('redeemed 1 times');
});
