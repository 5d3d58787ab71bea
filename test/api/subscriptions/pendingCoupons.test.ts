import { beforeEach, expect, test } from '@jest/globals';
import { refused } from '../../support/api.ts';
import { customerOfEachTest } from '../../support/goldCustomers.ts';
import { APRIL, goldSubscriptions } from '../../support/goldSubscriptions.ts';

/** Coupons of a change that waits for the renewal: it redeems them at the request, and gives them back when it is dropped. */

const gold = goldSubscriptions();
const { change, cancel } = gold;
const { customer, begin } = customerOfEachTest(gold);

let tests = 0;
/** Codes of coupons that can be redeemed once, of each test its own. */
let one: string;
let other: string;
beforeEach(async () => {
  tests += 1;
  [one, other] = [`one-${tests}`, `other-${tests}`];
  for (const id of [one, other])
    await gold.api.sandbox.make('/coupons', { id, name: id, value: 50, is_percent: true, max_redemptions: 1 });
});

/** Begins a subscription with the coupon `one` from its renewal on. */
const beginWithCoupon = async (body: object = {}) => {
  const id = await begin(body);
  expect((await change(id, { when: 'renewal', discounts: [one] })).status).toBe(200);
  return id;
};
const redeem = (code: string) =>
  gold.api.sandbox.post('/invoices', { customer: customer(), items: [{ unit_cost: 10 }], discounts: [code] });
const isFree = async (code: string) => expect(await redeem(code)).toMatchObject({ status: 201, body: { total: 5 } });
const isTaken = async (code: string) =>
  expect(await redeem(code)).toMatchObject(
    refused({ param: 'discounts[0]', message: `Coupon ${code} has been redeemed 1 times, its maximum` }),
  );

test('it redeems its coupon at once, and keeps it when it applies', async () => {
  const id = await beginWithCoupon();
  await isTaken(one);
  await gold.advanceTo(id, APRIL);
  expect(await gold.read(id)).toMatchObject({ pending_change: null, discounts: [{ id: one }] });
  await change(id, { discounts: [] });
  await isTaken(one);
});

test('a change that is dropped gives it back', async () => {
  const id = await beginWithCoupon();
  await change(id, { pending_change: null });
  await isFree(one);
});

test('a change of other discounts gives it back, and redeems the others', async () => {
  const id = await beginWithCoupon();
  await change(id, { when: 'renewal', discounts: [other] });
  await isFree(one);
  await isTaken(other);
});

test('the same change again keeps it, and the drop of that change gives it back', async () => {
  const id = await beginWithCoupon();
  await change(id, { when: 'renewal', discounts: [one], quantity: 2 });
  await isTaken(one);
  await change(id, { pending_change: null });
  await isFree(one);
});

test('a change at once of the discounts gives it back, unless it has the same coupon', async () => {
  const id = await beginWithCoupon();
  await change(id, { discounts: [one] });
  expect(await gold.read(id)).toMatchObject({ pending_change: null, discounts: [{ id: one }] });
  await isTaken(one);
  await change(id, { when: 'renewal', discounts: [other] });
  await change(id, { discounts: [] });
  await isFree(other);
  await isTaken(one);
});

test('a coupon that the subscription has had stays redeemed when a change that names it is dropped', async () => {
  const id = await begin({ discounts: [one] });
  await change(id, { discounts: [] });
  await change(id, { when: 'renewal', discounts: [one] });
  await change(id, { pending_change: null });
  await isTaken(one);
});

test.each([
  ['its cancellation', {}, async (id: number) => cancel(id)],
  ['the end of its contract', { cycles: 1 }, async (id: number) => gold.advanceTo(id, APRIL)],
])('%s gives it back', async (_, terms, end) => {
  const id = await beginWithCoupon(terms);
  await end(id);
  expect(['canceled', 'finished']).toContain((await gold.read(id)).status);
  await isFree(one);
});

test('ten subscriptions racing for a single-use coupon never share it', async () => {
  const { sandbox } = gold.api;
  const customers = await Promise.all(
    Array.from({ length: 10 }, (_, n) => sandbox.make('/customers', { name: `C${n}`, currency: 'usd' })),
  );
  const ids = await Promise.all(customers.map(({ id }) => gold.begin({ customer: id })));
  const answers = await Promise.all(
    ids.map(async (id) => {
      const asked = await change(id, { when: 'renewal', discounts: [one] });
      if (asked.status === 200) await change(id, { pending_change: null });
      return asked.status;
    }),
  );
  expect(answers.filter((status) => status === 200).length).toBeGreaterThanOrEqual(1);
  await isFree(one); // the last one gave it back
  await isTaken(one);
  const [row] = await gold.api.em.fork().execute<{ count: number; last: number }[]>(
    `select count(*)::int, max(ordinal) as last from coupon_redemption r join coupon c
         on (c.account_id, c.id) = (r.account_id, r.coupon_id) where c.code = ?`,
    [one],
  );
  expect(row).toEqual({ count: 1, last: 1 });
});
