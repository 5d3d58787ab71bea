import { expect, test } from '@jest/globals';
import { refused } from '../../support/api.ts';
import { APRIL, dayOf2027 as day, goldSubscriptions, MARCH, MAY } from '../../support/goldSubscriptions.ts';

/** Starts that move before they come. The test takes the steps as their processes would. */

const gold = goldSubscriptions();
const { change, expectCleanBooks, invoices, totals } = gold;

test('the start can be moved until it has come: to another time ahead, or to now', async () => {
  const id = await gold.begin({ start_date: APRIL, snap_to_nth_day: 1, cycles: 2 });
  const later = { status: 'not_started', start_date: day(4, 10), contract_period_end: day(7) };
  expect((await change(id, { start_date: day(4, 10) })).body).toMatchObject(later); // a short April, May and June
  gold.moveTo(day(3, 20));
  const started = await change(id, { start_date: day(3, 20) });
  const first = { period_start: day(3, 20), period_end: APRIL };
  expect(started.body).toMatchObject({ status: 'active', start_date: day(3, 20), ...first });
  expect(await totals(id)).toEqual([3.87]); // 10 x 12 / 31
  await gold.advanceTo(id, APRIL);
  expect(await gold.billed(id)).toEqual([day(3, 20), APRIL]);
  const message = 'Subscription has started: its start date cannot be changed';
  expect(await change(id, { start_date: MAY })).toMatchObject(refused({ param: 'start_date', message }));
  expect((await change(id, { start_date: day(3, 20), metadata: { a: 'b' } })).status).toBe(200);
  await expectCleanBooks();
});

test('a start that moves into the past bills the missed periods, more than twelve with backfill', async () => {
  const id = await gold.begin({ start_date: APRIL });
  const start_date = Date.UTC(2026, 0, 1) / 1000; // 15 periods have begun by 1 March 2027
  expect(await change(id, { start_date })).toMatchObject(refused({ param: 'start_date' }));
  await change(id, { start_date, backfill: true });
  expect(await gold.billed(id)).toEqual([start_date]); // the process bills the others
  await gold.advanceTo(id, MARCH);
  expect(await gold.billed(id)).toHaveLength(15);
  await expectCleanBooks();
});

test('a start that bills twelve missed periods is accepted, and one that bills thirteen is refused', async () => {
  gold.moveTo(MARCH);
  const customer = await gold.customerWith();
  const begun = { customer, plan: 'gold', start_date: Date.UTC(2026, 3, 1) / 1000 }; // April 2026 to March 2027
  const twelve = await gold.api.sandbox.post('/subscriptions', begun);
  expect(twelve.status).toBe(201);
  await gold.advanceTo(twelve.body.id, MARCH);
  expect(await gold.billed(twelve.body.id)).toHaveLength(12);
  const thirteen = { ...begun, start_date: Date.UTC(2026, 2, 1) / 1000 };
  const message = 'Start date would bill more than 12 missed periods at once';
  const answer = await gold.api.sandbox.post('/subscriptions', thirteen);
  expect(answer).toMatchObject(refused({ param: 'start_date', message: expect.stringContaining(message) }));
  const waiting = await gold.begin({ start_date: APRIL });
  expect(await change(waiting, { start_date: thirteen.start_date })).toMatchObject(refused({ param: 'start_date' }));
  expect((await change(waiting, { start_date: begun.start_date })).status).toBe(200);
  await expectCleanBooks();
});

test('a bill ahead is made again for a start that moves', async () => {
  const id = await gold.begin({ start_date: day(3, 4), bill_in_advance_days: 5 });
  await change(id, { start_date: APRIL });
  await gold.advanceTo(id, APRIL);
  const bills = await invoices(id);
  expect(bills).toMatchObject([
    { date: MARCH, status: 'voided', items: [{ period_start: day(3, 4) }] },
    { date: day(3, 27), status: 'not_sent', items: [{ period_start: APRIL }] },
  ]);
  expect(await gold.read(id)).toMatchObject({ status: 'active', period_start: APRIL });
  await expectCleanBooks();
});

test('the start of a trial can be moved, but not behind its end', async () => {
  const id = await gold.begin({ start_date: APRIL, trial_end: day(4, 15) });
  const message = 'Start date must be before the end of the trial';
  const behind = await change(id, { start_date: day(4, 15) });
  expect(behind).toMatchObject(refused({ param: 'start_date', message }));
  const moved = { status: 'not_started', start_date: day(4, 10), trial_end: day(4, 20) };
  const { start_date, trial_end } = moved;
  expect((await change(id, { start_date, trial_end })).body).toMatchObject(moved);
  expect((await change(id, { start_date: MARCH })).body).toMatchObject({
    status: 'active',
    period_start: MARCH,
    period_end: trial_end,
    trial_end,
  });
  await gold.advanceTo(id, trial_end);
  expect(await gold.billed(id)).toEqual([trial_end]);
  await expectCleanBooks();
});
