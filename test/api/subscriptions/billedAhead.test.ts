import { expect, test } from '@jest/globals';
import { advanceInvoice } from '../../../commands/collection/invoiceSteps.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { refused } from '../../support/api.ts';
import { APRIL, dayOf2027 as day, goldSubscriptions, JULY, JUNE, MARCH, MAY } from '../../support/goldSubscriptions.ts';

/** Subscriptions that bill some days before their periods. The test takes the steps as their processes would. */

const gold = goldSubscriptions(async ({ make }) => {
  await make('/plans', { id: 'weekly', name: 'Weekly', amount: 10, interval: 'week' });
  await make('/plans', { id: 'daily', name: 'Daily', amount: 10, interval: 'day' });
});
const { bills, change, expectCleanBooks, invoices, totals } = gold;

const N = { bill_in_advance_days: 5 };

test('a period is billed N days before it starts, and the current period changes when it starts', async () => {
  const id = await gold.begin(N);
  const current = { ...N, bill_in: 'advance', status: 'active', period_start: MARCH, period_end: APRIL };
  expect(await gold.read(id)).toMatchObject(current);
  await gold.advanceTo(id, day(3, 27) - 1);
  expect(await gold.billed(id)).toEqual([MARCH]);
  await gold.advanceTo(id, day(3, 27)); // 1 April less 5 days
  expect(await bills(id)).toEqual([
    [MARCH, MARCH, APRIL, 'not_sent'],
    [day(3, 27), APRIL, MAY, 'not_sent'],
  ]);
  const { body } = await gold.api.sandbox.get(`/subscriptions/${id}?include=latest_invoice`);
  expect(body).toMatchObject({ ...current, latest_invoice: { date: day(3, 27) } });
  await gold.advanceTo(id, APRIL);
  expect(await gold.read(id)).toMatchObject({ period_start: APRIL, period_end: MAY });
  await gold.advanceTo(id, MAY);
  expect(await gold.billed(id)).toEqual([MARCH, day(3, 27), day(4, 26)]);
  await expectCleanBooks();
});

test('a start that is less than N days ahead is billed at once, one further ahead N days before', async () => {
  const soon = await gold.begin({ ...N, start_date: day(3, 4) });
  const waiting = { status: 'not_started', period_start: null, period_end: null };
  expect(await gold.read(soon)).toMatchObject(waiting);
  expect(await bills(soon)).toEqual([[MARCH, day(3, 4), day(4, 4), 'not_sent']]);
  await gold.advanceTo(soon, day(3, 4));
  expect(await gold.read(soon)).toMatchObject({ status: 'active', period_start: day(3, 4), period_end: day(4, 4) });

  const later = await gold.begin({ ...N, start_date: APRIL });
  expect(await bills(later)).toEqual([]);
  await gold.advanceTo(later, day(3, 27));
  expect(await bills(later)).toEqual([[day(3, 27), APRIL, MAY, 'not_sent']]);
  expect(await gold.read(later)).toMatchObject(waiting);
  await gold.advanceTo(later, APRIL);
  expect(await gold.read(later)).toMatchObject({ status: 'active', period_start: APRIL });
});

test('a subscription whose first invoice is past due when it starts is past due', async () => {
  const { api } = gold;
  const customer = await gold.customerWith({ payment_terms: 'NET 1' });
  const id = await gold.begin({ ...N, customer, start_date: day(3, 4) });
  const [first] = await invoices(id);
  const key = { accountId: api.sandbox.account.id, id: first.id, lookUpDelay: 60_000 };
  await inTransaction(api.em, (em) => advanceInvoice(em, key, new Date(day(3, 3) * 1000))); // the due date is 2 March
  expect(await gold.read(id)).toMatchObject({ status: 'not_started' });
  await gold.advanceTo(id, day(3, 4));
  expect(await gold.read(id)).toMatchObject({ status: 'past_due' });
  await expectCleanBooks();
});

test('a short first period is billed N days before it, and the next one when it begins', async () => {
  const id = await gold.begin({ ...N, start_date: day(3, 30), snap_to_nth_day: 1, cycles: 2 });
  await gold.advanceTo(id, day(4, 26));
  expect(await bills(id)).toEqual([
    [day(3, 25), day(3, 30), APRIL, 'not_sent'],
    [day(3, 30), APRIL, MAY, 'not_sent'], // 27 March would be before the start
    [day(4, 26), MAY, JUNE, 'not_sent'],
  ]);
  expect(await totals(id)).toEqual([0.65, 10, 10]); // 10 x 2 / 31 = 0.645…
  await gold.advanceTo(id, JUNE);
  expect(await gold.read(id)).toMatchObject({ status: 'finished' }); // the short period is no cycle
  await expectCleanBooks();
});

test('a contract that renews by itself has the first period of the next one billed ahead', async () => {
  const id = await gold.begin({ ...N, cycles: 2, contract_renewal_mode: 'auto', contract_renewal_cycles: 1 });
  await gold.advanceTo(id, day(4, 28));
  expect(await gold.billed(id)).toEqual([MARCH, day(3, 27), day(4, 26)]);
  expect(await gold.read(id)).toMatchObject({ cycles: 2, contract_period_start: MARCH, contract_period_end: MAY });
  await expectCleanBooks();
  await gold.advanceTo(id, MAY);
  expect(await gold.read(id)).toMatchObject({ cycles: 1, contract_period_start: MAY, contract_period_end: JUNE });
  await gold.advanceTo(id, JUNE);
  expect(await gold.billed(id)).toEqual([MARCH, day(3, 27), day(4, 26), day(5, 27)]);
  await expectCleanBooks();
});

test('nothing is billed beyond a contract without renewal, nor before a renewal by request', async () => {
  const ended = await gold.begin({ ...N, cycles: 1 });
  const manual = await gold.begin({ ...N, cycles: 1, contract_renewal_mode: 'manual' });
  for (const id of [ended, manual]) await gold.advanceTo(id, APRIL);
  expect(await gold.read(ended)).toMatchObject({ status: 'finished' });
  expect(await gold.read(manual)).toMatchObject({ pending_renewal: true });
  for (const id of [ended, manual]) expect(await gold.billed(id)).toEqual([MARCH]);
  await gold.api.sandbox.post(`/subscriptions/${manual}/renew`, { cycles: 2 });
  await gold.advanceTo(manual, APRIL);
  expect(await bills(manual)).toEqual([
    [MARCH, MARCH, APRIL, 'not_sent'],
    [day(3, 27), APRIL, MAY, 'not_sent'],
  ]);
  expect(await gold.read(manual)).toMatchObject({ contract_period_start: APRIL, contract_period_end: JUNE });
  await expectCleanBooks();
});

test('resuming anew bills a period at once, which begins with its bill', async () => {
  const id = await gold.begin(N);
  await change(id, { paused: true, resume_at: day(4, 20), resume_mode: 'new' });
  await gold.advanceTo(id, day(4, 20));
  expect(await bills(id)).toEqual([
    [MARCH, MARCH, APRIL, 'not_sent'],
    [day(4, 20), day(4, 20), day(5, 20), 'not_sent'],
  ]);
  await gold.advanceTo(id, day(5, 15)); // 20 May less 5 days
  expect((await bills(id)).at(-1)).toEqual([day(5, 15), day(5, 20), day(6, 20), 'not_sent']);
  await expectCleanBooks();
});

test('missed periods are each billed once, in order, with the days on which they were due', async () => {
  const id = await gold.begin(N);
  await gold.advanceTo(id, day(5, 28));
  expect(await gold.billed(id)).toEqual([MARCH, day(3, 27), day(4, 26), day(5, 27)]);
  expect(await gold.read(id)).toMatchObject({ period_start: MAY, period_end: JUNE });
  const backfilled = await gold.begin({ ...N, start_date: day(1) });
  expect(await gold.billed(backfilled)).toEqual([day(1), day(1, 27), day(2, 24)]);
  await expectCleanBooks();
});

test('more than twelve periods that are to be billed at once are refused, the coming one included', async () => {
  gold.moveTo(MARCH);
  const { customer } = await gold.read(await gold.begin());
  const start_date = Date.UTC(2026, 3, 3) / 1000; // eleven periods have begun by 1 March, the twelfth begins on 3 March
  const body = { customer, plan: 'gold', start_date };
  expect((await gold.api.sandbox.post('/subscriptions', { ...body, ...N })).status).toBe(201);
  const earlier = { ...body, ...N, start_date: Date.UTC(2026, 2, 3) / 1000 };
  expect(await gold.api.sandbox.post('/subscriptions', earlier)).toMatchObject(refused({ param: 'start_date' }));
  expect((await gold.api.sandbox.post('/subscriptions', { ...earlier, bill_in_advance_days: 1 })).status).toBe(201);
});

test('the timeline says when a period is billed ahead and when it begins', async () => {
  const id = await gold.begin(N);
  const upcoming = async () =>
    (await gold.api.sandbox.get(`/subscriptions/${id}/timeline?filter[upcoming]=true`)).body.filter(
      ({ subject }: { subject: { object: string } }) => subject.object === 'subscription',
    );
  const why = 'it bills 5 days before its periods';
  expect(await upcoming()).toMatchObject([{ timestamp: day(3, 27), rule: 'bill', what: 'renewal 1', why }]);
  await gold.advanceTo(id, day(3, 27));
  const begin = { timestamp: APRIL, rule: 'begin', what: 'begin period 1', why: 'the period starts' };
  expect(await upcoming()).toMatchObject([begin]);
  await gold.advanceTo(id, APRIL);
  const past = (await gold.api.sandbox.get(`/subscriptions/${id}/timeline?filter[upcoming]=false`)).body;
  expect(past).toContainEqual(
    expect.objectContaining({ what: 'period 1 April 2027 to 1 May 2027 began', why: 'it is billed already' }),
  );
});

test.each([
  [{ bill_in_advance_days: 28 }, 'Bill in advance days must be below 28, the days of a short period of its plan'],
  [
    { bill_in_advance_days: 7, plan: 'weekly' },
    'Bill in advance days must be below 7, the days of a short period of its plan',
  ],
  [
    { bill_in_advance_days: 1, plan: 'daily' },
    'Bill in advance days must be below 1, the days of a short period of its plan',
  ],
  [{ bill_in_advance_days: -1 }, 'Bill in advance days must be a whole number from 0 to 133225'],
  [{ bill_in_advance_days: 1.5 }, 'Bill in advance days must be a whole number from 0 to 133225'],
  [{ bill_in_advance_days: 'soon' }, expect.stringContaining('Bill in advance days must be')],
  [{ bill_in: 'arrears', bill_in_advance_days: 1 }, 'Bill in advance days must be 0 with bill_in arrears'],
])('%j is refused, naming bill_in_advance_days', async (body, message) => {
  const { customer } = await gold.read(await gold.begin());
  const answer = await gold.api.sandbox.post('/subscriptions', { customer, plan: 'gold', ...body });
  expect(answer).toMatchObject(refused({ param: 'bill_in_advance_days', message }));
});

test('the terms of billing are fixed: their current values are accepted, others refused', async () => {
  const id = await gold.begin(N);
  expect((await change(id, { bill_in: 'advance', ...N, metadata: { a: 'b' } })).status).toBe(200);
  const fixed = (param: string) => refused({ param, message: expect.stringContaining('cannot be changed') });
  expect(await change(id, { bill_in: 'arrears' })).toMatchObject(fixed('bill_in'));
  expect(await change(id, { bill_in_advance_days: 6 })).toMatchObject(fixed('bill_in_advance_days'));
});

test('the example of docs/subscriptions.md', async () => {
  const id = await gold.begin({ ...N, start_date: day(3, 4), cycles: 3, contract_renewal_mode: 'auto' });
  await gold.advanceTo(id, day(6, 1));
  expect(await bills(id)).toEqual([
    [MARCH, day(3, 4), day(4, 4), 'not_sent'],
    [day(3, 30), day(4, 4), day(5, 4), 'not_sent'],
    [day(4, 29), day(5, 4), day(6, 4), 'not_sent'],
    [day(5, 30), day(6, 4), day(7, 4), 'not_sent'],
  ]);
  const { contract_period_end } = await gold.read(id);
  await change(id, { cancel_at_period_end: true });
  expect([contract_period_end, (await bills(id)).at(-1)]).toEqual([
    day(6, 4),
    [day(5, 30), day(6, 4), day(7, 4), 'voided'],
  ]);
  await gold.advanceTo(id, JULY);
  expect(await gold.read(id)).toMatchObject({ status: 'canceled', canceled_at: day(6, 4) });
});
