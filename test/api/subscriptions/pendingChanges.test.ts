import { expect, test } from '@jest/globals';
import { refused } from '../../support/api.ts';
import { customerOfEachTest, sellOtherPlans } from '../../support/goldCustomers.ts';
import { APRIL, goldSubscriptions, HALF, JUNE } from '../../support/goldSubscriptions.ts';

/** Changes that are kept for the renewal. The test takes the steps of the process. */

const gold = goldSubscriptions(async (client) => {
  await sellOtherPlans(client);
  await client.make('/plans', { id: 'other', name: 'Other', pricing_mode: 'custom', interval: 'month' });
  await client.make('/plans', { id: 'huge', name: 'Huge', amount: 2000, interval: 'month' });
  await client.make('/plans', { id: 'seats', name: 'Seats', amount: 2, interval: 'month' });
});
const { change, expectCleanBooks } = gold;
const { begin, totals, pendingAmounts } = customerOfEachTest(gold);

test('a change with when: "renewal" is shown, and applies before the next bill', async () => {
  const id = await begin();
  gold.moveTo(HALF);
  expect((await change(id, { quantity: 5, when: 'renewal' })).body).toMatchObject({
    quantity: 1,
    mrr: 10,
    pending_change: { quantity: 5 },
  });
  await change(id, { plan: 'silver', when: 'renewal' });
  expect((await gold.read(id)).pending_change).toEqual({ plan: 'silver', quantity: 5 });
  await gold.api.sandbox.delete('/plans/silver'); // an archived plan still applies
  await gold.advanceTo(id, APRIL);
  expect(await gold.read(id)).toMatchObject({ plan: 'silver', quantity: 5, mrr: 20, pending_change: null });
  expect(await totals()).toEqual([10, 20]); // 5 x 4.00
  await gold.api.sandbox.post('/plans', { id: 'silver', name: 'Silver', amount: 4, interval: 'month' });
  await expectCleanBooks();
});

test('an immediate change drops its field from the pending change, null drops all of it', async () => {
  const id = await begin();
  await change(id, { quantity: 5, plan: 'silver', when: 'renewal' });
  expect((await change(id, { quantity: 2 })).body.pending_change).toEqual({ plan: 'silver' });
  expect((await change(id, { pending_change: null })).body.pending_change).toBeNull();
  await gold.advanceTo(id, APRIL);
  expect(await gold.read(id)).toMatchObject({ plan: 'gold', quantity: 2 });
});

test('within a contract a pending change applies with the next contract', async () => {
  const id = await begin({ cycles: 2, contract_renewal_mode: 'auto' });
  expect(await change(id, { plan: 'annual', when: 'renewal' })).toMatchObject(refused({ param: 'cycles' }));
  await change(id, { quantity: 2, cycles: 1, when: 'renewal' });
  await gold.advanceTo(id, JUNE);
  expect(await totals()).toEqual([10, 10, 20, 20]);
  expect(await gold.read(id)).toMatchObject({ cycles: 1, pending_change: null });
  await expectCleanBooks();
});

test('cycles of the next contract are kept, also as many as the present contract counts', async () => {
  const id = await begin({ cycles: 2, contract_renewal_mode: 'auto', contract_renewal_cycles: 5 });
  expect((await change(id, { cycles: 2, when: 'renewal' })).body.pending_change).toEqual({ cycles: 2 });
  expect((await change(id, { plan: 'annual', when: 'renewal' })).body.pending_change).toEqual({
    plan: 'annual',
    cycles: 2,
  });
  await gold.advanceTo(id, JUNE);
  expect(await gold.read(id)).toMatchObject({ plan: 'annual', cycles: 2, pending_change: null });
  expect(await totals()).toEqual([10, 10, 100]);
});

test('a pending change of the interval counts periods from the end of what is billed', async () => {
  const [open, renewed] = [await begin(), await begin({ cycles: 1, contract_renewal_mode: 'auto' })];
  await change(open, { plan: 'annual', when: 'renewal' });
  await change(renewed, { plan: 'annual', cycles: 3, when: 'renewal' });
  const nextApril = Date.UTC(2028, 3, 1) / 1000;
  for (const id of [open, renewed]) {
    await gold.advanceTo(id, APRIL);
    expect(await gold.read(id)).toMatchObject({ plan: 'annual', period_start: APRIL, period_end: nextApril });
  }
  expect(await gold.read(renewed)).toMatchObject({ cycles: 3, contract_period_start: APRIL });
  expect(await totals()).toEqual([10, 10, 100, 100]);
  await expectCleanBooks();
});

test('a kept field that is set to its present value is dropped from the pending change', async () => {
  const id = await begin();
  await change(id, { plan: 'silver', quantity: 5, when: 'renewal' });
  expect((await change(id, { plan: 'gold', when: 'renewal' })).body.pending_change).toEqual({ quantity: 5 });
  expect((await change(id, { quantity: 1, when: 'renewal' })).body.pending_change).toBeNull();
  expect((await change(id, { when: 'renewal' })).body.pending_change).toBeNull();
});

test('a request at the time of the renewal is compared with the subscription after its kept change', async () => {
  const id = await begin();
  await change(id, { plan: 'silver', when: 'renewal' });
  gold.moveTo(APRIL); // the process is late
  expect((await change(id, { plan: 'gold' })).body).toMatchObject({ plan: 'gold', pending_change: null });
  expect(await totals()).toEqual([10, 4]);
  expect(await pendingAmounts()).toEqual([-4, 10]);
});

test('an amount agreed for a kept plan is not lost by another amount now', async () => {
  const id = await begin({ plan: 'custom', amount: 10 });
  await change(id, { plan: 'other', amount: 50, when: 'renewal' });
  expect(await change(id, { amount: 30 })).toMatchObject(refused({ param: 'pending_change' }));
  await gold.advanceTo(id, APRIL);
  expect(await totals()).toEqual([10, 50]);
});

test.each([
  ['add-ons of another interval', { plan: 'annual' }, { addons: [{ plan: 'seats' }] }],
  ['another contract', { plan: 'annual', cycles: 1 }, { cycles: 24 }],
])('a change that the pending one would no longer fit is refused: %s', async (_, kept, body) => {
  const id = await begin({ cycles: 'cycles' in kept ? 2 : null });
  await change(id, { ...kept, when: 'renewal' });
  expect(await change(id, body)).toMatchObject(refused({ param: 'pending_change' }));
  expect((await change(id, { ...body, pending_change: null })).status).toBe(200);
});

test('a kept change with amounts that are too large, or with changes that cannot wait, is refused', async () => {
  const id = await begin({ plan: 'huge' });
  expect(await change(id, { quantity: 1_000_000_000, when: 'renewal' })).toMatchObject(refused({ param: 'quantity' }));
  expect(await change(id, { quantity: 2, paused: true, when: 'renewal' })).toMatchObject(refused({ param: 'when' }));
  expect(await gold.read(id)).toMatchObject({ pending_change: null, paused: false });
});

test.each(['advance', 'arrears'])(
  'a kept quantity waits for the renewal in %s, also when a change of now restarts the periods',
  async (bill_in) => {
    const id = await begin({ bill_in });
    await change(id, { quantity: 5, when: 'renewal' });
    gold.moveTo(HALF);
    expect(await change(id, { plan: 'annual', prorate: false })).toMatchObject({
      status: 200,
      body: { plan: 'annual', quantity: 1, pending_change: { quantity: 5 } },
    });
    await gold.advanceTo(id, HALF + 366 * 86_400);
    expect(await gold.read(id)).toMatchObject({ plan: 'annual', quantity: 5, pending_change: null });
    // In advance: March, the year from 16 March for one, the next year for five. In arrears: half of March, then the year for one.
    expect(await totals()).toEqual(bill_in === 'advance' ? [10, 100, 500] : [5, 100]);
    await expectCleanBooks();
  },
);
