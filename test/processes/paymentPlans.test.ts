import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Invoice } from '../../client/index.ts';
import { advanceTo, clockAt, dayOf, story } from '../support/clock.ts';
import { type Product, startProduct } from '../support/product.ts';
import { expectSound } from '../support/soundness.ts';
import { invoiceFor, payingCustomer, seconds } from '../support/story.ts';

let product: Product;

beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product.close());

const DAYS = ['2027-02-01T09:00:00Z', '2027-03-01T09:00:00Z', '2027-04-01T09:00:00Z'];

/** Gives an invoice of 90.00 three installments of 30.00. */
const planOf = ({ id }: Invoice) =>
  product.client.put(
    '/invoices/{id}/payment_plan',
    { installments: DAYS.map((day) => ({ date: seconds(day), amount: 30 })) },
    { id },
  );
const balancesOf = async ({ id }: Invoice) =>
  (await product.client.get('/invoices/{id}/payment_plan', { id })).installments.map(({ balance }) => balance);
const readInvoice = ({ id }: Invoice) => product.client.get('/invoices/{id}', { id });

test('90.00 in three installments of 30.00: the second is missed, and the third charge pays it', async () => {
  const clock = await clockAt(product, '2027-01-15T09:00:00Z');
  // In the customer's time: pays until the middle of February, declines until the end of March, then pays again.
  const token = 'tok_script_succeed@2027-02-15.soft@2027-03-31.succeed';
  const over = { test_clock: clock.id, autopay_delay_days: 1 }; // else the invoice could be charged before its plan is there
  const customer = await payingCustomer(product, token, over);
  const invoice = await invoiceFor(product, customer.id, 90);
  expect((await planOf(invoice)).status).toBe('active');
  const first = await readInvoice(invoice);
  expect([dayOf(first.next_payment_attempt), first.due_date]).toEqual(['2027-02-01 09:00', null]);

  const missed = await advanceTo(product, clock, '2027-03-20T00:00:00Z');
  // The first is paid. Retries of the second come 3, 5 and 7 days after its attempts 1, 2 and 3: on March 4, 9 and 16.
  expect(story(missed)).toEqual([
    `2027-02-01 09:00 invoice ${invoice.id}: attempt 1: charging 30.00 usd`,
    `2027-02-01 09:00 invoice ${invoice.id}: charge of 30.00 usd succeeded`,
    `2027-03-01 09:00 invoice ${invoice.id}: attempt 2: charging 30.00 usd`,
    `2027-03-01 09:00 invoice ${invoice.id}: charge of 30.00 usd failed: insufficient_funds`,
    `2027-03-04 09:00 invoice ${invoice.id}: attempt 3: charging 30.00 usd`,
    `2027-03-04 09:00 invoice ${invoice.id}: charge of 30.00 usd failed: insufficient_funds`,
    `2027-03-09 09:00 invoice ${invoice.id}: attempt 4: charging 30.00 usd`,
    `2027-03-09 09:00 invoice ${invoice.id}: charge of 30.00 usd failed: insufficient_funds`,
    `2027-03-16 09:00 invoice ${invoice.id}: attempt 5: charging 30.00 usd`,
    `2027-03-16 09:00 invoice ${invoice.id}: charge of 30.00 usd failed: insufficient_funds`,
    `2027-03-16 09:00 invoice ${invoice.id}: past due`,
  ]);
  const late = await readInvoice(invoice);
  expect(late).toMatchObject({ status: 'past_due', balance: 60, due_date: seconds('2027-03-01T09:00:00Z') }); // 90 - 30
  expect(dayOf(late.next_payment_attempt)).toBe('2027-04-01 09:00');
  expect(await balancesOf(invoice)).toEqual([0, 30, 30]);

  const paid = await advanceTo(product, clock, '2027-04-02T00:00:00Z');
  // The charge of April 1 pays the missed installment. The third is due then, too, and is charged next.
  expect(story(paid)).toEqual([
    `2027-04-01 09:00 invoice ${invoice.id}: attempt 6: charging 30.00 usd`,
    `2027-04-01 09:00 invoice ${invoice.id}: charge of 30.00 usd succeeded`,
    `2027-04-01 09:00 invoice ${invoice.id}: attempt 7: charging 30.00 usd`,
    `2027-04-01 09:00 invoice ${invoice.id}: charge of 30.00 usd succeeded`,
  ]);
  expect(await readInvoice(invoice)).toMatchObject({ status: 'paid', balance: 0, attempt_count: 7 });
  const plan = await product.client.get('/invoices/{id}/payment_plan', { id: invoice.id });
  expect(plan.status).toBe('finished');
  const payments = await product.client.get('/payments', { filter: { customer: customer.id } });
  expect(payments.map(({ amount }) => amount)).toEqual([30, 30, 30]); // 3 x 30 = 90
  await expectSound(product);
});

test('without AutoPay a missed installment makes the invoice past due until it is paid', async () => {
  const clock = await clockAt(product, '2027-01-15T09:00:00Z');
  const customer = await product.client.post('/customers', { name: 'Eve', test_clock: clock.id });
  const invoice = await invoiceFor(product, customer.id, 90);
  await planOf(invoice);
  const there = await advanceTo(product, clock, '2027-02-03T00:00:00Z');
  expect(story(there)).toEqual([`2027-02-02 00:00 invoice ${invoice.id}: past due`]);
  expect(await readInvoice(invoice)).toMatchObject({ status: 'past_due', due_date: seconds('2027-02-01T09:00:00Z') });
  const pay = (amount: number) =>
    product.client.post('/payments', {
      customer: customer.id,
      amount,
      applied_to: [{ type: 'invoice', invoice: invoice.id, amount }],
    });
  await pay(20); // 30 - 20 = 10 of the first installment are still missed
  expect(await balancesOf(invoice)).toEqual([10, 30, 30]);
  expect((await readInvoice(invoice)).status).toBe('past_due');
  await pay(10);
  const again = await readInvoice(invoice);
  expect([again.status, dayOf(again.due_date)]).toEqual(['not_sent', '2027-03-01 09:00']);
  await advanceTo(product, clock, '2027-03-02T00:00:00Z');
  expect(await readInvoice(invoice)).toMatchObject({ status: 'past_due', balance: 60 });
  await expectSound(product);
});
