import { expect, test } from '@jest/globals';
import { refused } from '../../support/api.ts';
import { APRIL, dayOf2027 as day, goldSubscriptions, JUNE, MARCH, MAY } from '../../support/goldSubscriptions.ts';

/** Subscriptions that bill at the end of their periods. The test takes the steps as their processes would. */

const gold = goldSubscriptions(async ({ make }) => {
  await make('/coupons', { id: 'tenth', name: 'A tenth', value: 10 });
  await make('/coupons', { id: 'half', name: 'Half, once', value: 50, duration: 1 });
});
const { billedLines, cancel, change, expectCleanBooks, invoices, totals } = gold;

const arrears = { bill_in: 'arrears' };

test('the first period begins at once without a bill, and each one is billed at its end', async () => {
  gold.moveTo(MARCH);
  const { customer } = await gold.read(await gold.begin());
  const body = { customer, plan: 'gold', ...arrears };
  const created = await gold.api.sandbox.post('/subscriptions?include=latest_invoice', body);
  const first = { ...arrears, status: 'active', period_start: MARCH, period_end: APRIL, recurring_total: 10, mrr: 10 };
  expect(created).toMatchObject({ status: 201, body: { ...first, bill_in_advance_days: 0, latest_invoice: null } });
  const { id } = created.body;
  await gold.advanceTo(id, APRIL - 1);
  expect(await billedLines(id)).toEqual([]);
  await gold.advanceTo(id, APRIL);
  expect(await billedLines(id)).toEqual([[APRIL, [10, MARCH, APRIL]]]);
  expect(await gold.read(id)).toMatchObject({ period_start: APRIL, period_end: MAY });
  await gold.advanceTo(id, JUNE);
  expect(await billedLines(id)).toEqual([
    [APRIL, [10, MARCH, APRIL]],
    [MAY, [10, APRIL, MAY]],
    [JUNE, [10, MAY, JUNE]],
  ]);
  expect((await invoices(id))[0].items[0]).not.toHaveProperty('prorated');
  await expectCleanBooks();
});

test('a start in the future begins then, and is billed at the end of its period', async () => {
  const id = await gold.begin({ ...arrears, start_date: APRIL });
  expect(await gold.read(id)).toMatchObject({ status: 'not_started', period_start: null });
  await gold.advanceTo(id, APRIL);
  expect(await gold.read(id)).toMatchObject({ status: 'active', period_start: APRIL, period_end: MAY });
  await gold.advanceTo(id, MAY);
  expect(await billedLines(id)).toEqual([[MAY, [10, APRIL, MAY]]]);
});

test('a start in the past bills the periods that have ended, in order', async () => {
  const id = await gold.begin({ ...arrears, start_date: day(1) });
  expect(await billedLines(id)).toEqual([
    [day(2), [10, day(1), day(2)]],
    [MARCH, [10, day(2), MARCH]],
  ]);
  expect(await gold.read(id)).toMatchObject({ period_start: MARCH, period_end: APRIL });
  const { customer } = await gold.read(id);
  const twelve = { customer, plan: 'gold', ...arrears, start_date: Date.UTC(2026, 2, 1) / 1000 };
  expect((await gold.api.sandbox.post('/subscriptions', twelve)).status).toBe(201); // March 2026 to February 2027
  const thirteen = { ...twelve, start_date: Date.UTC(2026, 1, 1) / 1000 };
  expect(await gold.api.sandbox.post('/subscriptions', thirteen)).toMatchObject(refused({ param: 'start_date' }));
  expect((await gold.api.sandbox.post('/subscriptions', { ...thirteen, backfill: true })).status).toBe(201);
  await expectCleanBooks();
});

test('a short first period is billed by its share at its end, and is no cycle', async () => {
  const start_date = day(3, 20);
  const id = await gold.begin({ ...arrears, start_date, snap_to_nth_day: 1, cycles: 1 });
  await gold.advanceTo(id, MAY);
  expect(await billedLines(id)).toEqual([
    [APRIL, [3.87, start_date, APRIL]], // 10 x 12 / 31 = 3.870…
    [MAY, [10, APRIL, MAY]],
  ]);
  expect(await gold.read(id)).toMatchObject({ status: 'finished' });
  await expectCleanBooks();
});

test('the last period of a contract is billed before it ends, is renewed, or waits for its renewal', async () => {
  const terms = { ...arrears, cycles: 2 };
  const ended = await gold.begin(terms);
  const renewed = await gold.begin({ ...terms, contract_renewal_mode: 'auto' });
  const manual = await gold.begin({ ...terms, contract_renewal_mode: 'manual' });
  for (const id of [ended, renewed, manual]) {
    await gold.advanceTo(id, day(4, 15));
    expect(await gold.read(id)).toMatchObject({ contract_period_start: MARCH, contract_period_end: MAY });
    await gold.advanceTo(id, MAY);
    expect(await gold.billed(id)).toEqual([APRIL, MAY]);
  }
  expect(await gold.read(ended)).toMatchObject({ status: 'finished' });
  expect(await gold.read(renewed)).toMatchObject({ period_start: MAY, contract_period_start: MAY });
  expect(await gold.read(manual)).toMatchObject({ pending_renewal: true, period_start: null });
  await gold.api.sandbox.post(`/subscriptions/${manual}/renew`, { cycles: 1 });
  await gold.advanceTo(manual, JUNE);
  expect((await billedLines(manual)).at(-1)).toEqual([JUNE, [10, MAY, JUNE]]);
  expect(await gold.read(manual)).toMatchObject({ pending_renewal: true });
  await expectCleanBooks();
});

test('a subscription that is canceled at the end of its period bills the period first', async () => {
  const id = await gold.begin({ ...arrears, cancel_at_period_end: true });
  await gold.advanceTo(id, APRIL);
  expect(await billedLines(id)).toEqual([[APRIL, [10, MARCH, APRIL]]]);
  expect(await gold.read(id)).toMatchObject({ status: 'canceled', canceled_at: APRIL });
  await expectCleanBooks();
});

test('canceling at once bills the used part of the period, net of discounts, before the end', async () => {
  const id = await gold.begin({ ...arrears, quantity: 3, discounts: ['tenth'] });
  await gold.advanceTo(id, day(3, 11));
  expect((await cancel(id)).body).toMatchObject({ status: 'canceled', canceled_at: day(3, 11) });
  // 3 x 10 x 10 days of 31 = 9.677…, rounded 9.68, less 10 % of it, 0.97
  expect(await billedLines(id)).toEqual([[day(3, 11), [9.68, MARCH, day(3, 11)]]]);
  const [final] = await invoices(id);
  expect(final).toMatchObject({ total: 8.71, number: expect.any(String), items: [{ prorated: true, quantity: 1 }] });
  const { body } = await gold.api.sandbox.get(`/subscriptions/${id}/timeline?filter[upcoming]=true`);
  expect(body.filter(({ subject }: { subject: { object: string } }) => subject.object === 'subscription')).toEqual([]);
  await expectCleanBooks();
});

test('canceling as the period begins bills nothing', async () => {
  const id = await gold.begin(arrears);
  await cancel(id);
  expect(await billedLines(id)).toEqual([]);
  await expectCleanBooks();
});

test('discounts are those of the time of the bill, and a bill uses up one of a coupon', async () => {
  const id = await gold.begin(arrears);
  await gold.advanceTo(id, day(3, 20));
  await change(id, { discounts: ['half'] });
  await gold.advanceTo(id, MAY);
  expect(await totals(id)).toEqual([5, 10]);
  expect(await gold.read(id)).toMatchObject({ discounts: [] });
});

test('the bill takes the pending lines of its time', async () => {
  const id = await gold.begin(arrears);
  const { customer } = await gold.read(id);
  await gold.api.sandbox.make(`/customers/${customer}/line_items`, { name: 'Setup', unit_cost: 7 });
  await gold.advanceTo(id, APRIL);
  expect((await invoices(id))[0]).toMatchObject({ total: 17, items: [{ plan: 'gold' }, { name: 'Setup' }] });
});

test('the final action of AutoPay bills the used part before it cancels', async () => {
  const { sandbox } = gold.api;
  await sandbox.patch('/account', { autopay_final_action: 'cancel' });
  const customer = await gold.customerWith({ autopay: true });
  const source = { method: 'credit_card', gateway_token: 'tok_4000000000000002', make_default: true };
  await sandbox.make(`/customers/${customer}/payment_sources`, source);
  const id = await gold.begin({ ...arrears, customer });
  await gold.advanceTo(id, day(4, 11));
  const [first] = await invoices(id);
  expect((await sandbox.post(`/invoices/${first.id}/pay`)).status).toBeGreaterThanOrEqual(400);
  expect(await gold.read(id)).toMatchObject({ status: 'canceled', canceled_at: day(4, 11) });
  expect((await billedLines(id)).at(-1)).toEqual([day(4, 11), [3.33, APRIL, day(4, 11)]]); // 10 x 10 / 30
  await sandbox.patch('/account', { autopay_final_action: 'leave' });
  await expectCleanBooks();
});

test('the timeline says that the period is billed when it ends', async () => {
  const id = await gold.begin(arrears);
  const [upcoming] = (await gold.api.sandbox.get(`/subscriptions/${id}/timeline?filter[upcoming]=true`)).body;
  const why = 'the period ends, and it bills in arrears';
  expect(upcoming).toMatchObject({ timestamp: APRIL, rule: 'bill', what: 'first bill', why });
  await gold.advanceTo(id, APRIL);
  const past = (await gold.api.sandbox.get(`/subscriptions/${id}/timeline?filter[upcoming]=false`)).body;
  const whats = past.map(({ what }: { what: string }) => what);
  expect(whats).toContain('period 1 March 2027 to 1 April 2027 began');
  expect(whats).toContain('billed 1 March 2027 to 1 April 2027');
});

test('bill_in is advance or arrears', async () => {
  const { customer } = await gold.read(await gold.begin());
  const answer = await gold.api.sandbox.post('/subscriptions', { customer, plan: 'gold', bill_in: 'later' });
  const message = 'Bill in must be one of advance, arrears: later';
  expect(answer).toMatchObject(refused({ param: 'bill_in', message }));
});

test('the example of docs/subscriptions.md', async () => {
  const id = await gold.begin({ ...arrears, start_date: day(3, 20), snap_to_nth_day: 1 });
  await gold.advanceTo(id, day(5, 11));
  await change(id, { paused: true, resume_at: day(5, 21) });
  await gold.advanceTo(id, day(6, 10));
  await cancel(id);
  expect(await billedLines(id)).toEqual([
    [APRIL, [3.87, day(3, 20), APRIL]],
    [MAY, [10, APRIL, MAY]],
    [JUNE, [3.23, MAY, day(5, 11)], [3.55, day(5, 21), JUNE]], // 10 x 10 / 31, 10 x 11 / 31 = 3.548…
    [day(6, 10), [3, JUNE, day(6, 10)]], // 10 x 9 / 30
  ]);
  await expectCleanBooks();
});
