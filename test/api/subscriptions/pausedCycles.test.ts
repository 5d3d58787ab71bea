import { expect, test } from '@jest/globals';
import { APRIL, dayOf2027 as day, goldSubscriptions, JULY, JUNE, MARCH } from '../../support/goldSubscriptions.ts';

/** Periods in arrears of a contract that a pause covers from their very start: they are billed with zero, and are no cycles. */

const gold = goldSubscriptions((client) =>
  client.make('/coupons', { id: 'once', name: 'Once', value: 50, is_percent: true, duration: 1 }),
);
const { begin, change, expectCleanBooks } = gold;
const bills = async (id: number) => (await gold.invoices(id)).map(({ date, total }) => [date, total]);

test('a period that is paused as it begins is no cycle, and uses up no coupon', async () => {
  const id = await begin({ bill_in: 'arrears', cycles: 2, discounts: ['once'] });
  await change(id, { paused: true });
  await gold.advanceTo(id, APRIL);
  gold.moveTo(day(4, 10));
  await change(id, { paused: false });
  expect(await gold.read(id)).toMatchObject({ contract_period_end: JULY, discounts: [{ id: 'once' }] });
  await gold.advanceTo(id, JULY);
  expect(await bills(id)).toEqual([
    [APRIL, 0],
    [JUNE, 5], // 10.00 less 50 %
    [JULY, 10],
  ]);
  expect(await gold.read(id)).toMatchObject({ status: 'finished' });
  await expectCleanBooks();
});

test('a period that is paused as it begins is no cycle, also when the price changes during the pause', async () => {
  const id = await begin({ bill_in: 'arrears', cycles: 1 });
  await change(id, { paused: true });
  gold.moveTo(day(3, 10));
  await change(id, { quantity: 3 });
  await gold.advanceTo(id, APRIL);
  gold.moveTo(day(4, 10));
  await change(id, { paused: false });
  await gold.advanceTo(id, JULY);
  expect(await bills(id)).toEqual([
    [APRIL, 0],
    [JUNE, 30],
  ]);
  await expectCleanBooks();
});

test('a period of which a part was in use is a cycle', async () => {
  const id = await begin({ bill_in: 'arrears', cycles: 2 });
  gold.moveTo(MARCH + 1);
  await change(id, { paused: true });
  await gold.advanceTo(id, APRIL);
  gold.moveTo(day(4, 10));
  await change(id, { paused: false });
  await gold.advanceTo(id, JULY);
  expect(await bills(id)).toEqual([
    [APRIL, 0], // 10.00 x 1 s of 31 days
    [JUNE, 10],
  ]);
});
