import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Customer, Invoice, Subscription } from '../../client/index.ts';
import { type Product, startProduct } from '../support/product.ts';
import { fastSweepConfig, steppedTime } from '../support/steppedTime.ts';
import { invoiceFor, payingCustomer, seconds } from '../support/story.ts';
import { until } from '../support/wait.ts';

const time = steppedTime('2027-01-01T00:00:00Z');
let product: Product;

beforeAll(async () => {
  product = await startProduct({ systemNow: time.systemNow, config: fastSweepConfig });
  await product.client.post('/plans', { id: 'monthly', name: 'Monthly', amount: 10, interval: 'month' });
});
afterAll(() => product.close());

/** Creates a subscription without AutoPay whose first three invoices are past due. */
async function behind(name: string): Promise<{ customer: Customer; subscription: Subscription; invoices: Invoice[] }> {
  time.moveTo('2027-01-01T00:00:00Z');
  const customer = await product.client.post('/customers', { name, payment_terms: 'NET 5' });
  const subscription = await product.client.post('/subscriptions', { customer: customer.id, plan: 'monthly' });
  const issued = `select count(*)::int as count from invoice where customer_id = ${customer.id}`;
  const count = (wanted: number) => product.row<{ count: number }>(issued, (row) => row.count === wanted);
  await count(1);
  time.moveTo('2027-03-20T00:00:00Z');
  await count(3);
  time.moveTo('2027-03-27T00:00:00Z'); // 20 March, when two of them were issued, + 5 days
  const overdue = async () => {
    const found = await product.client.get('/invoices', { filter: { customer: customer.id } });
    return found.filter((invoice) => invoice.status === 'past_due').length === 3 ? found : null;
  };
  return {
    customer,
    subscription,
    invoices: await until(overdue, { what: 'three past due invoices' }),
  };
}

const statusOf = async ({ id }: Subscription) => (await product.client.get('/subscriptions/{id}', { id })).status;

test('one payment of all past due invoices makes the subscription active; voiding the payment makes it past due again', async () => {
  const { customer, subscription, invoices } = await behind('Ann');
  expect(await statusOf(subscription)).toBe('past_due');
  const applied_to = invoices.map(({ id }) => ({ type: 'invoice' as const, invoice: id, amount: 10 }));
  const payment = await product.client.post('/payments', { customer: customer.id, amount: 30, applied_to }); // 3 x 10
  expect(await statusOf(subscription)).toBe('active');
  await product.client.delete('/payments/{id}', { id: payment.id });
  expect(await statusOf(subscription)).toBe('past_due');
  expect(await product.audit()).toEqual([]);
});

test('voiding its past due invoices makes a subscription active', async () => {
  const { subscription, invoices } = await behind('Bea');
  for (const { id } of invoices) await product.client.post('/invoices/{id}/void', null, { id });
  expect(await statusOf(subscription)).toBe('active');
  expect(await product.audit()).toEqual([]);
});

test('an invoice that is owed again has a next charge or a due date', async () => {
  time.moveTo('2027-05-01T00:00:00Z');
  const customer = await payingCustomer(product, 'tok_4000000000000069'); // declines softly
  const automatic = await invoiceFor(product, customer.id, 25);
  await product.row(`select 1 from invoice where id = ${automatic.id} and attempt_count = 1`);
  const applied_to = [{ type: 'invoice' as const, invoice: automatic.id, amount: 25 }];
  const check = await product.client.post('/payments', { customer: customer.id, amount: 25, applied_to });
  await product.client.delete('/payments/{id}', { id: check.id });
  await product.row(`select 1 from invoice where id = ${automatic.id} and attempt_count = 2`); // charged again

  const byHand = await product.client.post('/customers', { name: 'Cleo', payment_terms: 'AutoPay' });
  // Without AutoPay its terms do not apply: 1 May + 30 days of the account's terms.
  expect(await invoiceFor(product, byHand.id, 5)).toMatchObject({
    autopay: false,
    due_date: seconds('2027-05-31T00:00:00Z'),
  });
  expect(await product.audit()).toEqual([]);
});
