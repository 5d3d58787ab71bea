import { expect, test } from '@jest/globals';
import type { Answer } from '../../support/api.ts';
import { cash, credit, spend } from '../../support/credits.ts';
import { announce } from '../../support/disputes.ts';
import { refundsOfCards } from '../../support/refunds.ts';

/** Returns and lost disputes of charges whose money became credit or a deposit, and what they leave alone. */

const reversals = refundsOfCards();
const { charge, debit, hear, lookAt, passDays, read, refund } = reversals;
const LOST = '4000000000000259';
const NO_FUNDS = '110000000_000111111116';
const PENDING = '123123123_123123893';

/** An estimate of 90 that asks for a deposit. */
const estimateOf = async (deposit: number): Promise<number> => {
  const offer = { customer: reversals.books.customer, items: [{ name: 'x', unit_cost: 90 }], deposit };
  return (await reversals.books.api.sandbox.make('/estimates', offer)).id;
};
const invoiceOf = async (estimate: number): Promise<number> =>
  (await reversals.books.api.sandbox.post(`/estimates/${estimate}/invoice`)).body.id;
const depositOf = (estimate: number, amount: number) => ({ type: 'estimate', estimate, amount });

test('invoices that credit of a lost dispute had paid are owed again without AutoPay', async () => {
  const { books } = reversals;
  await charge(50, [credit(50)], LOST);
  const invoice = await books.invoice(50, { autopay: true });
  expect((await books.pay(50, [spend(invoice, 50)])).status).toBe(201);
  await hear();
  passDays(8);
  await lookAt(await lastCharged());
  expect(await books.readInvoice(invoice)).toMatchObject({ balance: 50, autopay: false, next_payment_attempt: null });
  await books.expectCleanBooks();
});

const lastCharged = async () => {
  const { books } = reversals;
  const [charged] = (await books.api.sandbox.get(`/charges?filter[customer]=${books.customer}&sort=id%20desc`)).body;
  return { charge: charged };
};

test('a deposit of a lost dispute leaves its estimate', async () => {
  const { books } = reversals;
  const estimate = await estimateOf(20);
  const payment = await charge(20, [depositOf(estimate, 20)], LOST);
  await hear();
  passDays(8);
  await lookAt(payment);
  expect((await books.api.sandbox.get(`/estimates/${estimate}`)).body).toMatchObject({ deposit_paid: false });
  await books.expectCleanBooks();
});

test('a deposit of a lost dispute is taken back from the invoice that it paid', async () => {
  const { books } = reversals;
  const estimate = await estimateOf(20);
  const payment = await charge(20, [depositOf(estimate, 20)], LOST);
  const invoice = await invoiceOf(estimate);
  expect(await books.readInvoice(invoice)).toMatchObject({ balance: 70 }); // 90 - 20
  await hear();
  passDays(8);
  await lookAt(payment);
  expect(await books.readInvoice(invoice)).toMatchObject({ balance: 90, autopay: false });
  expect(await read(payment)).toMatchObject({ balance: 0 });
  await books.expectCleanBooks();
});

test('credit of a returned debit that was spent on a deposit is taken back from the invoice that the deposit paid', async () => {
  const { books } = reversals;
  const payment = await debit(20, [credit(20)], NO_FUNDS);
  const estimate = await estimateOf(20);
  const spent = { type: 'applied_credit', document_type: 'estimate', estimate, amount: 20 };
  expect((await books.pay(20, [spent])).status).toBe(201);
  const invoice = await invoiceOf(estimate);
  await hear();
  expect(await read(payment)).toMatchObject({ voided: true });
  expect(await books.readInvoice(invoice)).toMatchObject({ balance: 90 });
  await books.expectCleanBooks();
});

test('an invoice stays pending while another debit of it is, although one of its debits is returned', async () => {
  const { books } = reversals;
  const invoice = await books.invoice(60);
  const payment = await debit(30, [cash(invoice, 30)], NO_FUNDS);
  await debit(30, [cash(invoice, 30)], PENDING);
  expect(await books.readInvoice(invoice)).toMatchObject({ status: 'pending' });
  await hear();
  expect(await read(payment)).toMatchObject({ voided: true });
  expect(await books.readInvoice(invoice)).toMatchObject({ status: 'pending', balance: 60 });
  passDays(3);
  await reversals.lookUp();
  expect(await books.readInvoice(invoice)).toMatchObject({ status: 'not_sent', balance: 30 });
});

test('an event of a refund looks up its outcome', async () => {
  const { books } = reversals;
  const payment = await charge(20, [], '4000000000007726');
  const { body } = await refund(payment, 5);
  expect(body).toMatchObject({ status: 'pending' });
  passDays(3);
  await announce(books, body.gateway_id, 'operation.ended');
  await hear();
  expect((await books.api.sandbox.get(`/refunds/${body.id}`)).body).toMatchObject({ status: 'succeeded' });
  await announce(books, body.gateway_id, 'operation.ended');
  await hear(); // one that is late is of the refund, too
  expect(await books.rows('select state from gateway_event where reference = ?', [body.gateway_id])).toEqual([
    { state: 'processed' },
    { state: 'processed' },
  ]);
});

test('credit of a parent whose dispute is lost is taken back from the invoice of its child', async () => {
  const { books } = reversals;
  const child = await books.api.sandbox.make('/customers', { name: 'Child', parent_customer: books.customer });
  const payment = await charge(50, [credit(50)], LOST);
  const invoice = await books.invoice(50, { customer: child.id, autopay: true });
  expect((await books.pay(50, [spend(invoice, 50)])).status).toBe(201);
  await hear();
  passDays(8);
  await lookAt(payment);
  expect(await books.readInvoice(invoice)).toMatchObject({ balance: 50, autopay: false });
  const told = (await books.api.sandbox.get(`/events?related_to=invoice,${invoice}`)).body;
  expect(new Set(told.map(({ data }: Answer['body']) => data.object.customer.id))).toEqual(new Set([child.id]));
  await books.expectCleanBooks();
});
