import { expect, test } from '@jest/globals';
import { payOn, visitPage } from '../../support/payPage.ts';
import { refundsOfCards } from '../../support/refunds.ts';

/** The page after paying, once a payment that was made is taken back. */

const refunds = refundsOfCards();

async function paid(card: string) {
  const { api, customer } = refunds.books;
  const invoice = await api.sandbox.make('/invoices', { customer, items: [{ name: 'Support', unit_cost: 90 }] });
  const method = /^tok_\d+_\d+$/.test(card) ? 'ach' : 'credit_card';
  const { location } = await payOn(api, `${invoice.payment_url}?method=${method}`, { card });
  const see = async () => (await visitPage(api, location ?? '')).html;
  expect(await see()).toContain('Thank you for your payment');
  return { invoice, see };
}

test.each([
  ['insufficient funds', 'tok_110000000_000111111116', 'There is not enough money on the account'],
  ['a closed account', 'tok_110000000_000111111113', 'This card or account cannot be used'],
])('a debit that the bank returned for %s says so, and the invoice can be paid again', async (_, account, reason) => {
  const { see } = await paid(account);
  await refunds.hear();
  const told = await see();
  const returned = 'The bank has taken back the debit of $90.00, so the invoice is open again.';
  for (const text of ['Your bank returned the payment', reason, returned, 'Pay another way'])
    expect(told).toContain(text);
  expect(told).not.toContain('Nothing was charged');
  expect(told).not.toContain('declined');
});

test('a payment that was refunded and voided says so', async () => {
  const { api } = refunds.books;
  const { invoice, see } = await paid('tok_4242424242424242');
  const [payment] = (await api.sandbox.get(`/payments?filter[customer]=${refunds.books.customer}`)).body;
  expect((await refunds.refund(payment, 90)).status).toBe(201);
  expect((await api.sandbox.delete(`/payments/${payment.id}`)).status).toBeLessThan(300);
  const told = await see();
  for (const text of ['Your payment was refunded', 'has given back $90.00']) expect(told).toContain(text);
  expect(told).not.toContain('declined');
  expect((await api.sandbox.get(`/invoices/${invoice.id}`)).body).toMatchObject({ paid: false });
});
