import { expect, test } from '@jest/globals';
import { APRIL, dayOf2027 as day, goldSubscriptions, JUNE, MARCH, MAY } from '../../support/goldSubscriptions.ts';

/** Pauses of subscriptions that bill at the end of their periods. The test takes the steps as their processes would. */

const gold = goldSubscriptions();
const { billedLines, cancel, change, expectCleanBooks, invoices } = gold;

const arrears = { bill_in: 'arrears' };

test('the days before a pause are billed at the end of the period; paused periods are not billed', async () => {
  const id = await gold.begin(arrears);
  await gold.advanceTo(id, day(3, 11));
  await change(id, { paused: true });
  expect(await billedLines(id)).toEqual([]); // a pause bills nothing at once
  await gold.advanceTo(id, MAY);
  expect(await billedLines(id)).toEqual([[APRIL, [3.23, MARCH, day(3, 11)]]]); // 10 x 10 / 31 = 3.225…
  await gold.advanceTo(id, day(5, 20));
  await change(id, { paused: false });
  await gold.advanceTo(id, day(7));
  expect((await billedLines(id)).slice(1)).toEqual([[day(7), [10, JUNE, day(7)]]]);
  await expectCleanBooks();
});

test('a pause within a period leaves a line for each part of it', async () => {
  const id = await gold.begin(arrears);
  await gold.advanceTo(id, day(3, 11));
  await change(id, { paused: true, resume_at: day(3, 22) });
  await gold.advanceTo(id, APRIL);
  // 10 days of 31 each
  expect(await billedLines(id)).toEqual([[APRIL, [3.23, MARCH, day(3, 11)], [3.23, day(3, 22), APRIL]]]);
  expect(await gold.read(id)).toMatchObject({ paused: false, period_start: APRIL });
  await expectCleanBooks();
});

test('a pause during the whole period is billed with a line of zero', async () => {
  const id = await gold.begin(arrears);
  await change(id, { paused: true });
  await gold.advanceTo(id, APRIL);
  expect(await billedLines(id)).toEqual([[APRIL, [0, MARCH, MARCH]]]);
  expect((await invoices(id))[0]).toMatchObject({ total: 0, paid: true });
  await expectCleanBooks();
});

test('resuming anew bills what was used of the period at once, and counts the next ones from there', async () => {
  const id = await gold.begin(arrears);
  await gold.advanceTo(id, day(3, 11));
  await change(id, { paused: true, resume_at: day(3, 22), resume_mode: 'new' });
  await gold.advanceTo(id, day(4, 22));
  expect(await billedLines(id)).toEqual([
    [day(3, 22), [3.23, MARCH, day(3, 11)]],
    [day(4, 22), [10, day(3, 22), day(4, 22)]],
  ]);
  const later = await gold.begin(arrears);
  await gold.advanceTo(later, day(3, 11));
  await change(later, { paused: true });
  gold.moveTo(day(3, 22));
  await change(later, { paused: false, resume_mode: 'new' });
  expect(await billedLines(later)).toEqual([[day(3, 22), [3.23, MARCH, day(3, 11)]]]);
  await gold.advanceTo(later, day(3, 22));
  expect(await gold.read(later)).toMatchObject({ period_start: day(3, 22), period_end: day(4, 22) });
  await expectCleanBooks();
});

test('resuming anew in the last cycle of a contract is the same as going on', async () => {
  const id = await gold.begin({ ...arrears, cycles: 1 });
  await gold.advanceTo(id, day(3, 11));
  await change(id, { paused: true, resume_at: day(3, 22), resume_mode: 'new' });
  await gold.advanceTo(id, APRIL);
  expect(await gold.billed(id)).toEqual([APRIL]);
  expect(await gold.read(id)).toMatchObject({ status: 'finished' });
  await expectCleanBooks();
});

test('canceling a paused subscription bills what was used before the pause', async () => {
  const id = await gold.begin(arrears);
  await gold.advanceTo(id, day(3, 11));
  await change(id, { paused: true });
  gold.moveTo(day(3, 25));
  await cancel(id);
  expect(await billedLines(id)).toEqual([[day(3, 25), [3.23, MARCH, day(3, 11)]]]);
  await expectCleanBooks();
});
