import { expect, test } from '@jest/globals';
import { visitPage } from '../../support/payPage.ts';
import { refundsOfCards } from '../../support/refunds.ts';
import { newEmail } from '../../support/signUpPage.ts';
import { inputsOf } from '../../support/sourcePage.ts';

/** A bank takes back what somebody paid by a payment link with the email of a customer. */

const reversals = refundsOfCards();
const RETURNED = 'tok_110000000_000111111116';
const DISPUTED = 'tok_4000000000000259';
const DISPUTED_IN_PART = 'tok_4000000000000275';

/** A customer with 500 of credit, and somebody who pays 80 by a link with its email. Returns the invoice, and the customer before. */
async function paidByStranger(token: string) {
  const { api } = reversals.books;
  await api.sandbox.patch('/account', { apply_credits_at_issue: true });
  const email = newEmail();
  const { id } = await api.sandbox.make('/customers', { name: 'Real Name Ltd', email, autopay: true, chase: true });
  await api.sandbox.make('/credit_balance_adjustments', { customer: id, amount: 500, currency: 'usd' });
  reversals.books.customer = id;
  const method = /^tok_\d+_\d+$/.test(token) ? 'ach' : 'credit_card';
  const { url } = await api.sandbox.make('/payment_links', { name: 'Ticket', amount: 80 });
  const shown = await visitPage(api, `${url}?method=${method}`);
  const { id: service_token } = await api.sandbox.make('/service_tokens', { method, gateway_token: token });
  const fields = { ...inputsOf(shown), name: 'Somebody Else', email, service_token };
  const sent = await visitPage(api, url, { method: 'POST', body: new URLSearchParams(fields) });
  expect(sent.status).toBe(303);
  const [invoice] = (await api.sandbox.get(`/invoices?filter[customer]=${id}`)).body;
  expect(invoice).toMatchObject({ total: 80, paid: true });
  return { customer: id as number, invoice, link: invoice.url as string };
}

/** The bank returns the debit, or a dispute begins and its time for evidence passes. */
async function takeBack(customer: number): Promise<void> {
  const [payment] = (await reversals.books.api.sandbox.get(`/payments?filter[customer]=${customer}`)).body;
  await reversals.hear();
  reversals.passDays(8);
  await reversals.lookAt(payment);
}

/** What else the customer buys for 100, which its credit pays: 500 - 100 = 400 are left. */
async function expectOnlyOwnDebts(customer: number): Promise<void> {
  const { books } = reversals;
  const { api } = books;
  const own = await books.invoice(100);
  expect(await books.readInvoice(own)).toMatchObject({ paid: true });
  const { body } = await api.sandbox.get(`/customers/${customer}/balance`);
  expect(body).toMatchObject({ available_credits: 400, total_outstanding: 0 });
  expect((await api.sandbox.get(`/customers/${customer}`)).body).toMatchObject({ payment_source: null });
  await books.expectCleanBooks();
}

test.each([
  ['a returned debit', RETURNED],
  ['a lost dispute', DISPUTED],
])('%s voids the invoice: nothing of the customer pays it, and it cannot be paid any more', async (_, token) => {
  const { customer, invoice } = await paidByStranger(token);
  await takeBack(customer);
  const after = await reversals.books.readInvoice(invoice.id);
  expect(after).toMatchObject({ status: 'voided', balance: 0, payment_url: null });
  await expectOnlyOwnDebts(customer);
});

test('of a dispute that is lost in part, the part is bad debt: 80 / 2 = 40', async () => {
  const { customer, invoice } = await paidByStranger(DISPUTED_IN_PART);
  await takeBack(customer);
  const after = await reversals.books.readInvoice(invoice.id);
  expect(after).toMatchObject({ closed: true, balance: 40, payment_url: null });
  await expectOnlyOwnDebts(customer);
});
