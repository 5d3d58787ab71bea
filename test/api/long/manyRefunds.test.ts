import { expect, test } from '@jest/globals';
import { refundsOfCards } from '../../support/refunds.ts';

const { paidInvoice, read, refund } = refundsOfCards();

test('a charge takes 100 refunds, also when requests race', async () => {
  const { payment } = await paidInvoice(200);
  for (const _ of Array(9)) await Promise.all(Array.from({ length: 11 }, () => refund(payment, 1))); // 9 x 11 = 99
  const last = await Promise.all(Array.from({ length: 4 }, () => refund(payment, 1)));
  expect(last.map(({ status }) => status).toSorted()).toEqual([201, 400, 400, 400]);
  expect((await read(payment)).charge).toMatchObject({ amount_refunded: 100 });
});
