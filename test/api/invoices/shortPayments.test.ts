import { beforeEach, expect, test } from '@jest/globals';
import { successBody } from '../../support/api.ts';
import { DAY, DiscountShop, DROPPED, ENDED, GRANTED } from '../../support/earlyDiscounts.ts';

/** Payments that come up short by a tolerated difference, of invoices with a discount for early payment. The books are audited in the end. */

const shop = new DiscountShop();
const { keepDocuments, issue, read, pay, notes, stepsAt } = shop;
beforeEach(async () => successBody(await shop.api.sandbox.patch('/account', { write_off_tolerance: { usd: 0.5 } })));

test('a payment in time that is short by a tolerated difference keeps the discount', async () => {
  const id = await issue();
  await pay(id, 979.8); // of 980
  expect(await read(id)).toMatchObject({ total: 980, balance: 0, written_off: 0.2, status: 'paid' });
  expect(await stepsAt(id, ENDED + 60 * DAY)).toEqual([]);
});

test('where documents never change, it earns the discount, and the difference is written off then', async () => {
  await keepDocuments();
  const id = await issue();
  await pay(id, 979.8);
  expect(await read(id)).toMatchObject({ total: 1000, balance: 20.2, written_off: 0 });
  expect(await stepsAt(id, shop.now)).toEqual([GRANTED]);
  expect(await notes()).toMatchObject([{ total: 20, balance: 0 }]);
  expect(await read(id)).toMatchObject({ balance: 0, written_off: 0.2, status: 'paid' });
});

test('a payment that is too late loses the discount, and only a small difference of the whole is written off', async () => {
  const [lost, short] = [await issue(), await issue()];
  await pay(lost, 979.8, { date: ENDED });
  await pay(short, 980, { date: ENDED - 1 });
  const late = await issue();
  expect(await stepsAt(lost, ENDED)).toEqual([DROPPED]);
  expect(await read(lost)).toMatchObject({ total: 1000, balance: 20.2, written_off: 0 });
  expect(await read(short)).toMatchObject({ balance: 0, written_off: 0, status: 'paid' });
  await stepsAt(late, ENDED + 20 * DAY);
  await pay(late, 999.7);
  await stepsAt(late, ENDED + 20 * DAY);
  expect(await read(late)).toMatchObject({ balance: 0, written_off: 0.3, status: 'paid' });
});

test('a part that was written off earns no discount', async () => {
  await keepDocuments();
  const id = await issue();
  successBody(await shop.api.sandbox.post(`/invoices/${id}/write_off`, { amount: 500, reason: 'Damaged' }));
  await pay(id, 500); // 1,000 - 500
  expect(await stepsAt(id, shop.now)).not.toContain(GRANTED);
  expect(await notes()).toEqual([]);
  expect(await read(id)).toMatchObject({ total: 1000, balance: 0, written_off: 500, status: 'paid' });
});
