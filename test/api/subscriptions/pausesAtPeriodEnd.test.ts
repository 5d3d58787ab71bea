import { expect, test } from '@jest/globals';
import { refused } from '../../support/api.ts';
import {
  APRIL,
  AUGUST,
  dayOf2027 as day,
  goldSubscriptions,
  JULY,
  JUNE,
  MARCH,
  MAY,
} from '../../support/goldSubscriptions.ts';

/** Pauses that begin at the end of a period. The test takes the steps as their processes would. */

const gold = goldSubscriptions();
const { change, expectCleanBooks } = gold;

const LATER = { pause_at_period_end: true };
const planned = (over: object = {}) => ({ ...LATER, resume_at: day(4, 20), ...over });
const begunWith = async (terms: object, pause: object, at = day(3, 10)) => {
  const id = await gold.begin(terms);
  await gold.advanceTo(id, at);
  expect((await change(id, pause)).body).toMatchObject({ paused: false, ...pause });
  return id;
};

/** Date and total of each invoice that is not voided, oldest first. */
const bills = async (id: number) =>
  (await gold.invoices(id)).filter(({ status }) => status !== 'voided').map(({ date, total }) => [date, total]);

test('in advance: the period that is billed runs to its end, and nothing is billed until it resumes', async () => {
  const id = await begunWith({}, planned());
  await gold.advanceTo(id, APRIL - 1);
  expect(await gold.read(id)).toMatchObject({ paused: false, ...planned() });
  await gold.advanceTo(id, APRIL);
  const paused = { paused: true, pause_at_period_end: false, resume_at: day(4, 20), period_end: APRIL };
  expect(await gold.read(id)).toMatchObject(paused);
  await gold.advanceTo(id, day(4, 20));
  expect(await gold.read(id)).toMatchObject({ paused: false, pause_at_period_end: false, resume_at: null });
  await gold.advanceTo(id, MAY);
  expect(await bills(id)).toEqual([
    [MARCH, 10],
    [MAY, 10],
  ]);
  await expectCleanBooks();
});

test('resume_mode new bills a period at once', async () => {
  const id = await begunWith({}, planned({ resume_mode: 'new' }));
  await gold.advanceTo(id, day(5, 20));
  expect(await bills(id)).toEqual([
    [MARCH, 10],
    [day(4, 20), 10],
    [day(5, 20), 10],
  ]);
  expect(await gold.read(id)).toMatchObject({ resume_mode: 'continue', start_date: MARCH });
  await expectCleanBooks();
});

test('in arrears: the period is billed whole, and then the pause begins', async () => {
  const id = await begunWith({ bill_in: 'arrears' }, planned());
  await gold.advanceTo(id, APRIL);
  expect(await gold.read(id)).toMatchObject({ paused: true, period_end: APRIL });
  await gold.advanceTo(id, JUNE);
  expect(await bills(id)).toEqual([
    [APRIL, 10], // March
    [JUNE, 10], // May: April began paused
  ]);
  const anew = await begunWith({ bill_in: 'arrears' }, planned({ resume_mode: 'new' }));
  await gold.advanceTo(anew, day(5, 20));
  expect(await bills(anew)).toEqual([
    [APRIL, 10], // March
    [day(5, 20), 10], // 20 April to 20 May
  ]);
  await expectCleanBooks();
});

test('a bill ahead is voided; undone, the period is billed again with the same date', async () => {
  const terms = { bill_in_advance_days: 5 };
  const undone = await begunWith(terms, LATER, day(3, 28));
  expect(await bills(undone)).toEqual([[MARCH, 10]]);
  await change(undone, { pause_at_period_end: false });
  await gold.advanceTo(undone, APRIL);
  expect(await bills(undone)).toEqual([
    [MARCH, 10],
    [day(3, 27), 10],
  ]);
  const kept = await begunWith(terms, planned(), day(3, 28));
  await gold.advanceTo(kept, day(4, 26)); // 1 May less five days
  expect(await bills(kept)).toEqual([
    [MARCH, 10],
    [day(4, 26), 10],
  ]);
  const early = await begunWith(terms, LATER); // before the bill of 27 March
  await gold.advanceTo(early, MAY);
  expect(await bills(early)).toEqual([[MARCH, 10]]);
  await expectCleanBooks();
});

test('a trial ends unbilled with the pause, asked for at creation or during the trial', async () => {
  const trial = { trial_end: day(3, 15) };
  const atOnce = await gold.begin({ ...trial, ...LATER });
  const later = await begunWith({ ...trial, bill_in_advance_days: 5 }, LATER, day(3, 12)); // billed on 10 March
  for (const id of [atOnce, later]) {
    await gold.advanceTo(id, day(3, 15));
    expect(await gold.read(id)).toMatchObject({ paused: true, pause_at_period_end: false, mrr: 0 });
    await gold.advanceTo(id, day(4, 20));
    expect(await bills(id)).toEqual([]);
  }
  await change(atOnce, { paused: false });
  await gold.advanceTo(atOnce, day(5, 15)); // counted from the end of the trial
  expect(await bills(atOnce)).toEqual([[day(5, 15), 10]]);
  await expectCleanBooks();
});

test('a new subscription pauses after its first period', async () => {
  const id = await gold.begin({ start_date: day(3, 5), ...LATER });
  expect(await gold.read(id)).toMatchObject({ status: 'not_started', paused: false, ...LATER });
  expect((await change(id, { resume_at: day(4, 5) })).body.param).toBe('resume_at'); // the end of the first period
  await gold.advanceTo(id, JUNE);
  expect(await gold.read(id)).toMatchObject({ status: 'active', paused: true, period_end: day(4, 5) });
  expect(await bills(id)).toEqual([[day(3, 5), 10]]);
});

test('in a contract the pause lengthens the term, and its periods are no cycles', async () => {
  const id = await begunWith({ cycles: 3 }, { ...LATER, resume_at: day(5, 20) });
  await gold.advanceTo(id, day(5, 20));
  // March; April and May are paused; June, July
  expect(await gold.read(id)).toMatchObject({ contract_period_start: MARCH, contract_period_end: AUGUST });
  await gold.advanceTo(id, AUGUST);
  expect(await gold.read(id)).toMatchObject({ status: 'finished' });
  expect(await gold.billed(id)).toEqual([MARCH, JUNE, JULY]);
  await expectCleanBooks();
});

test('a contract without a cycle left is renewed into the pause, or ends instead', async () => {
  const renewed = await begunWith({ cycles: 1, contract_renewal_mode: 'auto' }, planned());
  const ended = await begunWith({ cycles: 1 }, LATER);
  const waiting = await begunWith({ cycles: 1, contract_renewal_mode: 'manual' }, LATER);
  for (const id of [renewed, ended, waiting]) await gold.advanceTo(id, MAY);
  expect(await gold.read(renewed)).toMatchObject({ paused: false, contract_period_start: APRIL });
  expect(await gold.billed(renewed)).toEqual([MARCH, MAY]);
  const unpaused = { paused: false, pause_at_period_end: false, resume_at: null };
  expect(await gold.read(ended)).toMatchObject({ status: 'finished', ...unpaused });
  expect(await gold.read(waiting)).toMatchObject({ pending_renewal: true, ...unpaused });
  expect(await change(waiting, LATER)).toMatchObject(refused({ param: 'pause_at_period_end' }));
  await expectCleanBooks();
});

test('with a snap day the short first period is billed by its share, and the pause begins on the day', async () => {
  const snapped = { start_date: day(3, 20), snap_to_nth_day: 1 };
  const id = await begunWith(snapped, { ...LATER, resume_at: MAY }, day(3, 25));
  await gold.advanceTo(id, MAY);
  expect(await bills(id)).toEqual([
    [day(3, 20), 3.87], // 10.00 x 12 days of 31
    [MAY, 10], // a period that begins at resume_at is billed
  ]);
  const inArrears = await begunWith({ ...snapped, bill_in: 'arrears' }, { ...LATER, resume_at: MAY }, day(3, 25));
  await gold.advanceTo(inArrears, JUNE);
  expect(await bills(inArrears)).toEqual([
    [APRIL, 3.87],
    [JUNE, 10],
  ]);
  await expectCleanBooks();
});

test('when the process is late, the pause begins and ends at its planned times', async () => {
  const id = await begunWith({}, planned({ resume_mode: 'new' }));
  await gold.advanceTo(id, JUNE);
  expect(await gold.billed(id)).toEqual([MARCH, day(4, 20), day(5, 20)]);
});

test('a pause planned between two periods, after an earlier pause, begins at the start of the next period', async () => {
  const id = await gold.begin();
  await change(id, { paused: true, resume_at: day(4, 20) });
  await gold.advanceTo(id, day(4, 21));
  await change(id, { ...LATER, resume_at: day(5, 10) });
  await gold.advanceTo(id, day(4, 22));
  expect(await gold.read(id)).toMatchObject({ paused: false, ...LATER });
  await gold.advanceTo(id, MAY);
  expect(await gold.read(id)).toMatchObject({ paused: true, pause_at_period_end: false });
  await gold.advanceTo(id, JUNE);
  expect(await gold.billed(id)).toEqual([MARCH, JUNE]);
});

test('a dry run shows the pause and the bills after it', async () => {
  const id = await gold.begin();
  const { body } = await gold.api.sandbox.patch(`/subscriptions/${id}?dry_run=3`, planned({ resume_mode: 'new' }));
  expect(body.subscription).toMatchObject(planned());
  const bill = (date: number) => expect.objectContaining({ date, total: 10 });
  expect(body.invoices).toEqual([bill(day(4, 20)), bill(day(5, 20)), bill(day(6, 20))]);
  expect((await gold.api.sandbox.patch(`/subscriptions/${id}?dry_run=3`, LATER)).body.invoices).toEqual([]);
  expect(await gold.read(id)).toMatchObject({ pause_at_period_end: false });
});

test('no request failed with a server error', () => {
  expect(gold.api.faults).toEqual([]);
});
