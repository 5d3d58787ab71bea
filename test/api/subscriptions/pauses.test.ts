import { expect, test } from '@jest/globals';
import { refused } from '../../support/api.ts';
import { APRIL, dayOf2027 as day, goldSubscriptions, JUNE, MARCH, MAY } from '../../support/goldSubscriptions.ts';

/** Pauses of subscriptions: by request and by time, and what is billed after them. The test takes the steps as their processes would. */

const gold = goldSubscriptions();
const { cancel, change, expectCleanBooks } = gold;

test('a pause with resume_at ends by itself, and the next period that begins is billed', async () => {
  const id = await gold.begin();
  expect((await change(id, { paused: true, resume_at: day(4, 20) })).body).toMatchObject({
    paused: true,
    resume_at: day(4, 20),
    resume_mode: 'continue',
  });
  await gold.advanceTo(id, APRIL);
  expect(await gold.billed(id)).toEqual([MARCH]);
  await gold.advanceTo(id, day(4, 20));
  expect(await gold.read(id)).toMatchObject({ paused: false, resume_at: null });
  await gold.advanceTo(id, MAY);
  expect(await gold.billed(id)).toEqual([MARCH, MAY]);
});

test('between two periods, after a pause, cancel_at_period_end waits for the start of the next one', async () => {
  const id = await gold.begin();
  await change(id, { paused: true, resume_at: day(4, 20) });
  await gold.advanceTo(id, day(4, 22));
  expect((await change(id, { cancel_at_period_end: true })).body).toMatchObject({ status: 'active', paused: false });
  await gold.advanceTo(id, MAY);
  expect(await gold.read(id)).toMatchObject({ status: 'canceled', canceled_at: MAY });
  expect(await gold.billed(id)).toEqual([MARCH]);
});

test('during a pause that has outlasted the period, cancel_at_period_end waits for the start of the next one', async () => {
  const id = await gold.begin();
  await change(id, { paused: true });
  await gold.advanceTo(id, day(4, 22));
  await change(id, { cancel_at_period_end: true });
  await gold.advanceTo(id, day(4, 22));
  expect(await gold.read(id)).toMatchObject({ status: 'active', paused: true });
  await gold.advanceTo(id, MAY);
  expect(await gold.read(id)).toMatchObject({ status: 'canceled', canceled_at: MAY });
  const { body } = await gold.api.sandbox.get(`/subscriptions/${id}/timeline?filter[upcoming]=false`);
  expect(body[0]).toMatchObject({ what: 'canceled', why: 'it was set to end with its period' });
});

test('between two periods, after a pause, nothing is prorated', async () => {
  const id = await gold.begin();
  await change(id, { paused: true, resume_at: day(4, 20) });
  await gold.advanceTo(id, day(4, 22));
  for (const proration_date of [day(3, 20), day(4, 21)])
    expect(await change(id, { quantity: 2, proration_date })).toMatchObject(refused({ param: 'proration_date' }));
  expect((await change(id, { quantity: 2 })).status).toBe(200);
  await gold.advanceTo(id, MAY);
  expect(await gold.totals(id)).toEqual([10, 20]);
});

test('resume_mode new bills a period at once, from which the others are counted, and keeps the start date', async () => {
  const id = await gold.begin();
  await change(id, { paused: true, resume_at: day(4, 20), resume_mode: 'new' });
  await gold.advanceTo(id, JUNE);
  expect(await gold.billed(id)).toEqual([MARCH, day(4, 20), day(5, 20)]);
  const period = { period_start: day(5, 20), period_end: day(6, 20) };
  expect(await gold.read(id)).toMatchObject({ ...period, start_date: MARCH, resume_mode: 'continue' });
  await expectCleanBooks();
});

test('a period that begins at resume_at is billed', async () => {
  const id = await gold.begin();
  await change(id, { paused: true, resume_at: MAY });
  await gold.advanceTo(id, MAY);
  expect(await gold.billed(id)).toEqual([MARCH, MAY]);
});

test.each([
  ['continue', [MARCH, MAY, JUNE]],
  ['new', [MARCH, day(4, 20), day(5, 20)]],
])(
  'with mode %s it does not matter whether the process or a request comes first after resume_at',
  async (resume_mode, bills) => {
    const id = await gold.begin();
    await change(id, { paused: true, resume_at: day(4, 20), resume_mode });
    gold.moveTo(JUNE);
    await change(id, { paused: false, resume_mode: 'continue' });
    await gold.advanceTo(id, JUNE);
    expect(await gold.billed(id)).toEqual(bills);
  },
);

test('a pause within the last period of a contract ends before its renewal', async () => {
  const contract = { cycles: 1, contract_renewal_mode: 'auto' };
  const id = await gold.begin(contract);
  await change(id, { paused: true, resume_at: day(3, 20), resume_mode: 'new' });
  await gold.advanceTo(id, APRIL);
  expect(await gold.billed(id)).toEqual([MARCH, APRIL]);
  expect(await gold.read(id)).toMatchObject({ paused: false, contract_period_start: APRIL, contract_period_end: MAY });
});

test('a contract that is to be renewed by request ends its pause', async () => {
  const id = await gold.begin({ cycles: 1, contract_renewal_mode: 'manual' });
  await change(id, { paused: true, resume_at: day(4, 20) });
  await gold.advanceTo(id, MAY);
  expect(await gold.read(id)).toMatchObject({ paused: false, resume_at: null, pending_renewal: true });
});

test('a canceled subscription has no time to resume', async () => {
  const id = await gold.begin();
  await change(id, { paused: true, resume_at: MAY });
  expect((await cancel(id)).body).toMatchObject({
    status: 'canceled',
    resume_at: null,
  });
});

test('the same request twice changes nothing the second time, and a mode without a pause has no effect', async () => {
  const id = await gold.begin();
  await change(id, { paused: true, resume_at: MAY, resume_mode: 'new' });
  const { updated_at } = await gold.read(id);
  gold.moveTo(MARCH + 60);
  expect((await change(id, { paused: true, resume_at: MAY, resume_mode: 'new' })).body).toMatchObject({ updated_at });
  gold.moveTo(day(6, 2)); // the time to resume has passed, and the process is late
  const other = await change(id, { resume_at: MAY, metadata: { a: 'b' } });
  expect(other).toMatchObject({ status: 200, body: { metadata: { a: 'b' } } });
  await change(id, { paused: false });
  const running = await gold.read(id);
  gold.moveTo(day(6, 2) + 60);
  await change(id, { paused: false, resume_mode: 'new' });
  expect(await gold.read(id)).toEqual(running);
  expect(running).toMatchObject({ paused: false, resume_mode: 'continue' });
});

test('a request resumes with a mode of its own', async () => {
  const id = await gold.begin();
  await change(id, { paused: true });
  gold.moveTo(day(4, 20));
  await change(id, { paused: false, resume_mode: 'new' });
  await gold.advanceTo(id, day(4, 20));
  expect(await gold.billed(id)).toEqual([MARCH, day(4, 20)]);
});

test('resuming anew keeps the cycles of the contract that are billed, and a short first period is none', async () => {
  const id = await gold.begin({ cycles: 3 });
  await change(id, { paused: true, resume_at: day(4, 20), resume_mode: 'new' });
  await gold.advanceTo(id, day(4, 20));
  expect(await gold.read(id)).toMatchObject({ contract_period_start: MARCH, contract_period_end: day(6, 20) });
  await gold.advanceTo(id, day(6, 20));
  expect(await gold.read(id)).toMatchObject({ status: 'finished' });
  expect(await gold.billed(id)).toEqual([MARCH, day(4, 20), day(5, 20)]);

  const snapped = await gold.begin({ start_date: day(3, 20), snap_to_nth_day: 1, cycles: 2 });
  await gold.advanceTo(snapped, day(3, 20));
  await change(snapped, { paused: true, resume_at: day(4, 20), resume_mode: 'new' });
  await gold.advanceTo(snapped, day(7, 1));
  expect(await gold.billed(snapped)).toEqual([day(3, 20), day(4, 20), MAY, JUNE]); // two short ones and two cycles
  expect(await gold.read(snapped)).toMatchObject({ status: 'finished' });
  await expectCleanBooks();
});

test.each([
  ['whole, then short', MARCH, day(4, 20), [MARCH, day(4, 20), MAY]],
  ['short, then whole', day(3, 20), MAY, [day(3, 20), MAY, JUNE]],
])(
  'with a snap day a subscription that resumes anew has its first period %s',
  async (_, start_date, resume_at, bills) => {
    const id = await gold.begin({ start_date, snap_to_nth_day: 1 });
    await gold.advanceTo(id, start_date);
    await change(id, { paused: true, resume_at, resume_mode: 'new' });
    await gold.advanceTo(id, bills.at(-1) ?? 0);
    expect(await gold.billed(id)).toEqual(bills);
    await expectCleanBooks();
  },
);

test('an earlier resume by request ends the wait, and a pause can lose its end', async () => {
  const id = await gold.begin();
  await change(id, { paused: true, resume_at: day(5, 20) });
  gold.moveTo(day(4, 2));
  expect((await change(id, { paused: false })).body).toMatchObject({ paused: false, resume_at: null });
  await change(id, { paused: true, resume_at: day(5, 20) });
  expect((await change(id, { resume_at: null })).body).toMatchObject({ paused: true, resume_at: null });
  await gold.advanceTo(id, JUNE);
  expect(await gold.billed(id)).toEqual([MARCH]);
});

test.each([
  [{ resume_at: day(5, 1) }, 'resume_at', 'Resume at needs paused: true or pause_at_period_end: true'],
  [{ paused: false, resume_at: day(5, 1) }, 'resume_at', expect.stringContaining('Resume at needs paused: true')],
  [{ paused: true, resume_at: MARCH }, 'resume_at', 'Resume at must be in the future'],
  [{ paused: true, resume_mode: 'later' }, 'resume_mode', 'Resume mode must be one of continue, new: later'],
])('%j is refused, naming %s', async (body, param, message) => {
  const id = await gold.begin();
  expect(await change(id, body)).toMatchObject(refused({ param, message }));
  expect(await gold.read(id)).toMatchObject({ paused: false, resume_at: null });
});
