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

/** Changes of contracts and intervals, and cancellations with a final invoice. The test takes the steps of the process. */

const gold = goldSubscriptions(async (client) => {
  await sellOtherPlans(client);
  await client.make('/plans', { id: 'euro', name: 'Euro', amount: 4, interval: 'month', currency: 'eur' });
  await client.make('/plans', { id: 'daily', name: 'Daily', amount: 1, interval: 'day' });
  await client.make('/plans', { id: 'gone', name: 'Gone', amount: 4, interval: 'month' });
  await client.delete('/plans/gone');
  await client.make('/coupons', { id: 'twice', name: 'Twice', value: 50, is_percent: true, duration: 2 });
});
const { change, cancel, expectCleanBooks } = gold;
const { begin, invoices, totals, pendingAmounts, creditBalance } = customerOfEachTest(gold);

test('canceling bills pending changes on a final invoice', async () => {
  const id = await begin();
  gold.moveTo(HALF);
  await change(id, { quantity: 3 });
  expect((await cancel(id)).body).toMatchObject({ status: 'canceled', canceled_at: HALF, period_end: null });
  const [, final] = await invoices();
  expect(final).toMatchObject({ subscription: id, date: HALF, total: 10 }); // -5.00 + 15.00
  await expectCleanBooks();
});

test('canceling credits nothing unless asked to; prorate credits the rest, which pays the open bill of the subscription', async () => {
  const [one, other] = [await begin(), await begin()];
  gold.moveTo(HALF);
  await cancel(one);
  expect(await totals()).toEqual([10, 10]);
  await cancel(other, '?prorate=true');
  expect(await totals()).toEqual([10, 10, 0]);
  expect((await invoices()).map(({ balance }) => balance)).toEqual([10, 5, 0]); // 10.00 - 10.00 x 1/2
  expect(await creditBalance()).toBe(0);
  await expectCleanBooks();
});

test('a subscription that ends by itself bills pending changes on a final invoice', async () => {
  const ends = [await begin({ cycles: 1 }), await begin({ cancel_at_period_end: true })];
  gold.moveTo(HALF);
  for (const id of ends) await change(id, { quantity: 3 });
  for (const id of ends) await gold.advanceTo(id, APRIL);
  expect(await totals()).toEqual([10, 10, 20]); // two times -5.00 + 15.00: the first end bills all that is pending
  await expectCleanBooks();
});

test('bill_remaining bills the periods that the contract still has, with the discounts that are left', async () => {
  const id = await begin({ cycles: 4, discounts: ['twice'] });
  gold.moveTo(HALF);
  await cancel(id, '?bill_remaining=true');
  const [, final] = await invoices();
  expect(final).toMatchObject({
    total: 25,
    items: [
      { quantity: 1, unit_cost: 5, period_start: APRIL, period_end: MAY }, // 10.00 - 50 %
      { quantity: 2, unit_cost: 10, period_start: MAY, period_end: day(7) },
    ],
  });
  const open = await begin();
  expect(await cancel(open, '?bill_remaining=true')).toMatchObject(refused({ param: 'bill_remaining' }));
  const both = await begin({ cycles: 2 });
  expect(await cancel(both, '?bill_remaining=true&prorate=true')).toMatchObject(refused({ param: 'bill_remaining' }));
  expect(await gold.read(both)).toMatchObject({ status: 'active' });
  await expectCleanBooks();
});

test('the cycles of a contract can be changed, but not below those already billed', async () => {
  const id = await begin({ cycles: 3 });
  await gold.advanceTo(id, APRIL);
  expect((await change(id, { cycles: 2 })).body).toMatchObject({ cycles: 2, contract_period_end: MAY });
  expect(await change(id, { cycles: 1 })).toMatchObject(
    refused({ param: 'cycles', message: '2 cycles have already begun: 1' }),
  );
  expect(await change(id, { cycles: null })).toMatchObject(refused({ param: 'cycles' }));
  expect(await change(await begin(), { cycles: 2 })).toMatchObject(refused({ param: 'cycles' }));
  await gold.advanceTo(id, MAY);
  expect(await gold.read(id)).toMatchObject({ status: 'finished' });
  await expectCleanBooks();
});

test('a change of the interval within a contract begins another one of the given cycles', async () => {
  const id = await begin({ cycles: 3 });
  gold.moveTo(HALF);
  expect(await change(id, { plan: 'annual' })).toMatchObject(refused({ param: 'cycles' }));
  const ends = Date.UTC(2029, 2, 16, 12) / 1000;
  expect((await change(id, { plan: 'annual', cycles: 2 })).body).toMatchObject({
    cycles: 2,
    contract_period_start: HALF,
    contract_period_end: ends,
  });
  await gold.advanceTo(id, ends);
  expect(await gold.read(id)).toMatchObject({ status: 'finished' });
  expect(await totals()).toEqual([10, 95, 100]); // 100.00 - 10.00 x 1/2
  await expectCleanBooks();
});

test('another interval while the subscription is to be canceled is billed, and ends with its period', async () => {
  const id = await begin({ cancel_at_period_end: true });
  gold.moveTo(HALF);
  const nextYear = Date.UTC(2028, 2, 16, 12) / 1000;
  expect((await change(id, { plan: 'annual' })).body).toMatchObject({ period_start: HALF, period_end: nextYear });
  expect(await totals()).toEqual([10, 95]);
  await gold.advanceTo(id, nextYear);
  expect(await gold.read(id)).toMatchObject({ status: 'canceled', canceled_at: nextYear });
  await expectCleanBooks();
});

test('after periods are counted anew, no charge of the time before is credited', async () => {
  const id = await begin();
  gold.moveTo(HALF);
  await change(id, { quantity: 3 }); // -5.00, 15.00
  await change(id, { paused: true });
  gold.moveTo(QUARTER);
  await change(id, { paused: false, resume_mode: 'new' });
  await gold.advanceTo(id, QUARTER); // a period of 30.00 from 24 March, with the pending lines
  expect(await totals()).toEqual([10, 40]);
  await change(id, { quantity: 4 });
  expect(await pendingAmounts()).toEqual([-30, 40]); // all of the new period, nothing of the old one
});

test('another interval counts from now: it takes no proration_date', async () => {
  const id = await begin();
  gold.moveTo(HALF);
  const body = { plan: 'annual', proration_date: MARCH + 86_400 };
  expect(await change(id, body)).toMatchObject(refused({ param: 'proration_date' }));
});

test.each([
  [{ plan: 'unknown' }, 'plan'],
  [{ plan: 'gone' }, 'plan'],
  [{ plan: 'euro' }, 'plan'],
  [{ plan: null }, 'plan'],
  [{ plan: 'custom' }, 'amount'],
  [{ amount: 5 }, 'amount'],
  [{ quantity: -1 }, 'quantity'],
  [{ quantity: 1.5 }, 'quantity'],
  [{ quantity: 1_000_000_001 }, 'quantity'],
  [{ prorate: 'later' }, 'prorate'],
  [{ quantity: 2, proration_date: 'today' }, 'proration_date'],
  [{ when: 'tomorrow' }, 'when'],
  [{ plan: 'custom', when: 'renewal' }, 'amount'],
  [{ cycles: 0 }, 'cycles'],
])('the change %j is refused, naming %s', async (body, param) => {
  const id = await begin();
  const before = await gold.read(id);
  expect(await change(id, body)).toMatchObject(refused({ param }));
  expect(await gold.read(id)).toEqual(before);
});

test('a plan by the day is refused for a subscription with a snap day', async () => {
  const id = await begin({ snap_to_nth_day: 15 });
  expect(await change(id, { plan: 'daily' })).toMatchObject(refused({ param: 'plan' }));
});

test('a subscription that has ended cannot be changed', async () => {
  const id = await begin();
  await cancel(id);
  for (const body of [{ quantity: 2 }, { quantity: 2, when: 'renewal' }])
    expect(await change(id, body)).toMatchObject(
      refused({ message: 'Subscription is canceled and can no longer be changed' }),
    );
  expect((await gold.api.live.patch(`/subscriptions/${id}`, { quantity: 2 })).status).toBe(404);
});

test('a subscription that has finished can be neither changed, canceled nor renewed, nor in a dry run', async () => {
  const id = await begin({ cycles: 1 });
  await gold.advanceTo(id, APRIL);
  const before = await gold.read(id);
  expect(before).toMatchObject({ status: 'finished' });
  const { sandbox } = gold.api;
  const changed = refused({ message: 'Subscription is finished and can no longer be changed' });
  const changes = [
    { quantity: 2 },
    { cycles: 2 },
    { paused: true },
    { contract_renewal_mode: 'auto' },
    { metadata: { a: 'b' } },
  ];
  const over = refused({ message: 'Subscription is already finished' });
  for (const dry of ['', '?dry_run=1']) {
    for (const body of changes) expect(await sandbox.patch(`/subscriptions/${id}${dry}`, body)).toMatchObject(changed);
    expect(await cancel(id, dry)).toMatchObject(over);
    expect(await sandbox.post(`/subscriptions/${id}/renew${dry}`, { cycles: 1 })).toMatchObject(over);
  }
  for (const terms of ['prorate=true', 'bill_remaining=true'])
    expect(await cancel(id, `?${terms}`)).toMatchObject(over);
  expect(await gold.read(id)).toEqual(before);
  expect(await totals()).toEqual([10]);
});

test('simultaneous changes are taken one after another, each crediting what the other charged', async () => {
  const id = await begin();
  gold.moveTo(HALF);
  await Promise.all([2, 3, 4, 5].map((quantity) => change(id, { quantity })));
  await gold.advanceTo(id, APRIL);
  const { quantity } = await gold.read(id);
  const [, next] = await invoices();
  expect(next.total).toBe(quantity * 10 + quantity * 5 - 5); // the next period, and the rest of this one
  await expectCleanBooks();
});
