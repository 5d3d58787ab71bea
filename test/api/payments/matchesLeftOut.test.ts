import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type Answer, refused } from '../../support/api.ts';
import { type Credits, cash, startCredits } from '../../support/credits.ts';

/** Invoices that are not suggested for a payment, although its amount or reference fits. */

let books: Credits;
beforeAll(async () => {
  books = await startCredits();
});
afterAll(() => books.api.close());
beforeEach(() => books.begin());

const pay = (amount: number, more: object): Promise<Answer['body']> =>
  books.api.sandbox.make('/payments', { amount, ...more });
const matchesOf = async ({ id }: Answer['body']) => (await books.api.sandbox.get(`/payments/${id}/matches`)).body;

test('a named invoice is not suggested in another currency, or for another customer than the one who paid', async () => {
  const { customer } = books;
  const euros = await books.readInvoice(await books.invoice(60, { currency: 'eur' }));
  await books.begin();
  const theirs = await books.readInvoice(await books.invoice(60));
  const payment = await pay(61, { customer, reference: `${euros.number} ${theirs.number}` });
  expect(payment.matched).toBe(false);
  expect(await matchesOf(payment)).toEqual([]);
  const unknown = await pay(61, { reference: euros.number });
  expect(unknown.matched).toBe(false);
  expect(await matchesOf(unknown)).toEqual([]);
  const accepted = ({ id }: Record<string, unknown>) =>
    books.api.sandbox.patch(`/payments/${payment.id}`, { customer, applied_to: [cash(Number(id), 60)] });
  const refusedFor = (message: string) => refused({ param: 'applied_to[0][invoice]', message });
  expect(await accepted(euros)).toMatchObject(refusedFor(`Invoice ${euros.number} is in eur, not usd`));
  expect(await accepted(theirs)).toMatchObject(refusedFor(`Invoice was not found: ${theirs.id}`));
});

test('invoices of an anonymized customer, which a dispute can reopen, are not suggested', async () => {
  const { number } = await books.readInvoice(await books.invoice(64));
  await books.rows('update customer set anonymized_at = now() where id = ?', [books.customer]);
  for (const payment of [await pay(64, {}), await pay(3, { reference: number })]) {
    expect(payment.matched).toBe(false);
    expect(await matchesOf(payment)).toEqual([]);
  }
});
