import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { advanceTo, clockAt, dayOf, story, subscriberOn } from '../support/clock.ts';
import { type Product, startProduct } from '../support/product.ts';
import { expectSound } from '../support/soundness.ts';

let product: Product;

beforeAll(async () => {
  product = await startProduct();
  await product.client.post('/plans', { id: 'gold', name: 'Gold', amount: 49, interval: 'month' });
});
afterAll(() => product.close());

test('a subscription recovers when its declining card succeeds on the third attempt', async () => {
  const clock = await clockAt(product, '2027-01-15T09:00:00Z');
  // In the customer's time: pays until 1 March, declines until the 20th, then pays again.
  const token = 'tok_script_succeed@2027-03-01.soft@2027-03-20.succeed';
  const customer = await subscriberOn(product, clock, { token, plan: 'gold' });
  const there = await advanceTo(product, clock, '2027-04-20T00:00:00Z');

  // Retries come 3 and 5 days after attempts 1 and 2: on the 18th and the 23rd.
  expect(story(there)).toEqual([
    '2027-02-15 09:00 subscription 1: renewal 1: issued INV-00002 for 49.00 usd',
    '2027-02-15 09:00 invoice 2: attempt 1: charging 49.00 usd',
    '2027-02-15 09:00 invoice 2: charge of 49.00 usd succeeded',
    '2027-03-15 09:00 subscription 1: renewal 2: issued INV-00003 for 49.00 usd',
    '2027-03-15 09:00 invoice 3: attempt 1: charging 49.00 usd',
    '2027-03-15 09:00 invoice 3: charge of 49.00 usd failed: insufficient_funds',
    '2027-03-18 09:00 invoice 3: attempt 2: charging 49.00 usd',
    '2027-03-18 09:00 invoice 3: charge of 49.00 usd failed: insufficient_funds',
    '2027-03-23 09:00 invoice 3: attempt 3: charging 49.00 usd',
    '2027-03-23 09:00 invoice 3: charge of 49.00 usd succeeded',
    '2027-04-15 09:00 subscription 1: renewal 3: issued INV-00004 for 49.00 usd',
    '2027-04-15 09:00 invoice 4: attempt 1: charging 49.00 usd',
    '2027-04-15 09:00 invoice 4: charge of 49.00 usd succeeded',
  ]);
  const invoices = await product.client.get('/invoices', { filter: { customer: customer.id } });
  expect(invoices.map(({ status, attempt_count }) => [status, attempt_count])).toEqual([
    ['paid', 1],
    ['paid', 1],
    ['paid', 3],
    ['paid', 1],
  ]);
  const payments = await product.client.get('/payments', { filter: { customer: customer.id } });
  expect(payments.map(({ date }) => dayOf(date))).toContain('2027-03-23 09:00');
  await expectSound(product);
  const subjects = product.mailbox.messages().map(({ subject }) => subject);
  expect(subjects.filter((subject) => subject.startsWith('Receipt'))).toHaveLength(4);
  expect(subjects).toHaveLength(7); // the confirmation, receipts, and a mail for each of the two declines
});

test("a pending bank debit ends in the clock's time", async () => {
  const clock = await clockAt(product, '2027-01-15T09:00:00Z');
  const customer = await subscriberOn(product, clock, { token: 'tok_123123123_123123893', plan: 'gold' });
  const status = async () =>
    (await product.client.get('/invoices', { filter: { customer: customer.id } })).map((invoice) => invoice.status);
  expect(await advanceTo(product, clock, '2027-01-17T08:59:59Z')).toMatchObject({ status: 'ready' });
  expect(await status()).toEqual(['pending']);
  // The gateway is asked every day. The debit succeeds after two days.
  expect(await advanceTo(product, clock, '2027-01-17T09:00:00Z')).toMatchObject({
    status: 'ready',
    happened: [{ did: 'charge of 49.00 usd succeeded' }],
  });
  expect(await status()).toEqual(['paid']);
  await expectSound(product);
});
