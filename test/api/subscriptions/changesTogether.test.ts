import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { auditDatabase } from '../../../bin/audit.ts';
import { refused } from '../../support/api.ts';
import { dayOf2027 as day, type GoldSubscriptions, startGoldSubscriptions } from '../../support/goldSubscriptions.ts';

/** Changes that meet other changes: pauses, cancellations, bills ahead, arrears, pending changes. */

const [MARCH, APRIL, MAY] = [day(3), day(4), day(5)];
/** Half of March is left: 15.5 of 31 days. */
const HALF = day(3, 16) + 43_200;
/** A quarter of March is left: 7.75 of 31 days. */
const QUARTER = day(3, 24) + 21_600;

let gold: GoldSubscriptions;
let customer: number;
beforeAll(async () => {
  gold = await startGoldSubscriptions();
  const { sandbox } = gold.api;
  await sandbox.post('/plans', { id: 'silver', name: 'Silver', amount: 4, interval: 'month' });
  await sandbox.post('/plans', { id: 'annual', name: 'Annual', amount: 100, interval: 'year' });
  await sandbox.post('/plans', { id: 'custom', name: 'Custom', pricing_mode: 'custom', interval: 'month' });
  await sandbox.post('/plans', { id: 'other', name: 'Other', pricing_mode: 'custom', interval: 'month' });
  await sandbox.post('/plans', { id: 'huge', name: 'Huge', amount: 2000, interval: 'month' });
  await sandbox.post('/plans', { id: 'seats', name: 'Seats', amount: 2, interval: 'month' });
});
afterAll(() => gold.api.close());
beforeEach(async () => {
  gold.moveTo(MARCH);
  customer = (await gold.api.sandbox.make('/customers', { name: 'Together', currency: 'usd' })).id;
});

const begin = (body: object = {}) => gold.begin({ customer, ...body });
const change = (id: number, body: object) => gold.api.sandbox.patch(`/subscriptions/${id}`, body);
const pending = async () =>
  (await gold.api.sandbox.get(`/customers/${customer}/line_items?sort=id asc`)).body.map(
    ({ amount }: { amount: number }) => amount,
  );
const invoices = async () => (await gold.api.sandbox.get(`/invoices?filter[customer]=${customer}&sort=id asc`)).body;
const totals = async () =>
  (await invoices())
    .filter(({ status }: { status: string }) => status !== 'voided')
    .map(({ total }: { total: number }) => total);
const clean = async () => expect(await auditDatabase(gold.api.databaseUrl)).toEqual([]);

test('another interval while the subscription is to be canceled is billed, and ends with its period', async () => {
  const id = await begin({ cancel_at_period_end: true });
  gold.moveTo(HALF);
  const nextYear = Date.UTC(2028, 2, 16, 12) / 1000;
  expect((await change(id, { plan: 'annual' })).body).toMatchObject({ period_start: HALF, period_end: nextYear });
  expect(await totals()).toEqual([10, 95]);
  await gold.advanceTo(id, nextYear);
  expect(await gold.read(id)).toMatchObject({ status: 'canceled', canceled_at: nextYear });
  await clean();
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
  expect(await pending()).toEqual([-30, 40]); // all of the new period, nothing of the old one
});

test('another interval counts from now: it takes no proration_date', async () => {
  const id = await begin();
  gold.moveTo(HALF);
  const body = { plan: 'annual', proration_date: MARCH + 86_400 };
  expect(await change(id, body)).toMatchObject(refused({ param: 'proration_date' }));
});

test('an interval that is shorter than the days of billing ahead is refused', async () => {
  const id = await begin({ plan: 'annual', bill_in_advance_days: 60 });
  for (const when of [null, 'renewal'])
    expect(await change(id, { plan: 'gold', when })).toMatchObject(refused({ param: 'plan' }));
});

test('a change is prorated to the end of a period that is billed ahead, and taken back with it', async () => {
  const id = await begin({ bill_in_advance_days: 10 });
  await gold.advanceTo(id, QUARTER); // the bill of April was due on 22 March
  await change(id, { quantity: 2 });
  expect(await pending()).toEqual([-2.5, -10, 5, 20]); // a quarter of March, and all of April
  await gold.api.sandbox.delete(`/subscriptions/${id}`);
  expect(await totals()).toEqual([10, 2.5]); // the bill of April is voided, its changes are gone
  await clean();
});

test('a bill ahead of the next contract is taken back by a change kept for that contract', async () => {
  const id = await begin({ cycles: 1, contract_renewal_mode: 'auto', bill_in_advance_days: 10 });
  await gold.advanceTo(id, QUARTER);
  expect(await totals()).toEqual([10, 10]);
  await change(id, { quantity: 5, when: 'renewal' });
  expect(await totals()).toEqual([10]);
  await gold.advanceTo(id, APRIL);
  expect(await totals()).toEqual([10, 50]);
  await clean();
});

test('a kept change of a subscription that bills ahead applies when the period starts, not days before', async () => {
  const id = await begin({ bill_in_advance_days: 10 });
  await change(id, { plan: 'silver', when: 'renewal' });
  await gold.advanceTo(id, QUARTER);
  expect(await gold.read(id)).toMatchObject({ plan: 'gold' });
  await gold.advanceTo(id, APRIL);
  expect(await gold.read(id)).toMatchObject({ plan: 'silver', period_start: APRIL });
  expect(await totals()).toEqual([10, 4]);
  await clean();
});

test('in arrears the bill has a line for each price; unchanged components have one', async () => {
  const id = await begin({ bill_in: 'arrears', addons: [{ plan: 'seats', quantity: 1 }] });
  gold.moveTo(HALF);
  await change(id, { quantity: 3 });
  gold.moveTo(QUARTER);
  await change(id, { quantity: 1 });
  expect(await pending()).toEqual([]);
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
  await clean();
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
  await clean();
});

test('in arrears a kept change applies to the period that begins after the bill', async () => {
  const id = await begin({ bill_in: 'arrears' });
  await change(id, { quantity: 3, when: 'renewal' });
  await gold.advanceTo(id, APRIL);
  expect(await gold.read(id)).toMatchObject({ quantity: 3, pending_change: null });
  await gold.advanceTo(id, MAY);
  expect(await totals()).toEqual([10, 30]);
});

test('bill_remaining in arrears bills the period in progress to its end, a short first period its share', async () => {
  const id = await begin({ bill_in: 'arrears', cycles: 2 });
  gold.moveTo(HALF);
  await gold.api.sandbox.delete(`/subscriptions/${id}?bill_remaining=true`);
  expect(await totals()).toEqual([10, 10]);
  const trial = await begin({ cycles: 1, trial_end: day(3, 22), snap_to_nth_day: 1 });
  gold.moveTo(day(3, 10));
  await gold.api.sandbox.delete(`/subscriptions/${trial}?bill_remaining=true`);
  expect(await totals()).toEqual([10, 10, 13.23]); // 10.00 x 10 of 31 days, and 10.00
  await clean();
});

test('the line of a voided invoice is not taken back a second time', async () => {
  const id = await begin({ bill_in_advance_days: 10 });
  await gold.advanceTo(id, QUARTER);
  await change(id, { quantity: 2, prorate: 'now' });
  const [, , now] = await invoices();
  await gold.api.sandbox.post(`/invoices/${now.id}/void`);
  await gold.api.sandbox.delete(`/subscriptions/${id}`);
  expect(await totals()).toEqual([10]);
  await clean();
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

test('an amount agreed for a kept plan is not lost by another amount now', async () => {
  const id = await begin({ plan: 'custom', amount: 10 });
  await change(id, { plan: 'other', amount: 50, when: 'renewal' });
  expect(await change(id, { amount: 30 })).toMatchObject(refused({ param: 'pending_change' }));
  await gold.advanceTo(id, APRIL);
  expect(await totals()).toEqual([10, 50]);
});

test('a kept change with amounts that are too large, or with changes that cannot wait, is refused', async () => {
  const id = await begin({ plan: 'huge' });
  expect(await change(id, { quantity: 1_000_000_000, when: 'renewal' })).toMatchObject(refused({ param: 'quantity' }));
  expect(await change(id, { quantity: 2, paused: true, when: 'renewal' })).toMatchObject(refused({ param: 'when' }));
  expect(await gold.read(id)).toMatchObject({ pending_change: null, paused: false });
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
  expect(await pending()).toEqual([-4, 10]);
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
  await clean();
});

test('changes of a period billed ahead that were billed at once are given back with it', async () => {
  const id = await begin({ bill_in_advance_days: 10 });
  await gold.advanceTo(id, QUARTER);
  await change(id, { quantity: 2, prorate: 'now' }); // -2.50 + 5.00 for March, -10.00 + 20.00 for April
  await gold.api.sandbox.delete(`/subscriptions/${id}`);
  expect(await totals()).toEqual([10, 12.5, 0]);
  const { body } = await gold.api.sandbox.get(`/customers/${customer}/balance`);
  expect(body.available_credits).toBe(10);
  expect(await pending()).toEqual([]);
  await clean();
});

test('bill_remaining keeps no bill of the next contract, and counts the bill ahead against a coupon', async () => {
  const ahead = { bill_in_advance_days: 10 };
  const id = await begin({ ...ahead, cycles: 1, contract_renewal_mode: 'auto' });
  await gold.advanceTo(id, QUARTER);
  await gold.api.sandbox.delete(`/subscriptions/${id}?bill_remaining=true`);
  expect(await totals()).toEqual([10]);
  await gold.api.sandbox.post('/coupons', { id: 'twice', name: 'Twice', value: 50, is_percent: true, duration: 2 });
  const reduced = await begin({ ...ahead, cycles: 3, discounts: ['twice'] });
  await gold.advanceTo(reduced, QUARTER);
  await gold.api.sandbox.delete(`/subscriptions/${reduced}?bill_remaining=true`);
  expect(await totals()).toEqual([10, 5, 5, 10]);
  await clean();
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
  await clean();
});

test('another custom plan with the renewal keeps its amount, also if that is the present one', async () => {
  const id = await begin({ plan: 'custom', amount: 25 });
  const pending_change = { plan: 'other', amount: 25 };
  const kept = await change(id, { ...pending_change, when: 'renewal' });
  expect(kept).toMatchObject({ status: 200, body: { pending_change } });
  expect(await change(id, { amount: 25, when: 'renewal' })).toMatchObject({ status: 200, body: { pending_change } });
  await gold.advanceTo(id, APRIL);
  expect(await totals()).toEqual([25, 25]);
});
