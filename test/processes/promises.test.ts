import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Invoice } from '../../client/index.ts';
import { advanceTo, clockAt, story } from '../support/clock.ts';
import { type Product, startProduct } from '../support/product.ts';
import { expectSound } from '../support/soundness.ts';
import { invoiceFor, seconds } from '../support/story.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product.close());

const idOf = (of: Invoice['customer']) => (typeof of === 'number' ? of : of.id);
const read = ({ id }: { id: number }) => product.client.get('/invoices/{id}', { id });
const promise = ({ id }: { id: number }, day: string) =>
  product.client.patch('/invoices/{id}', { expected_payment_date: { date: seconds(day), method: 'check' } }, { id });
const pay = (invoice: Invoice, amount: number) =>
  product.client.post('/payments', {
    customer: idOf(invoice.customer),
    amount,
    applied_to: [{ type: 'invoice', invoice: invoice.id, amount }],
  });
const openTasks = async (invoice: Invoice) =>
  (await product.client.get('/tasks', { filter: { customer: idOf(invoice.customer) } })).filter(
    ({ complete }) => !complete,
  );

test('a promise is moved, broken, made again and kept; the late fee waits for it', async () => {
  const { id: schedule } = await product.client.post('/late_fee_schedules', {
    name: 'Late',
    amount: 10,
    default: true,
  });
  const clock = await clockAt(product, '2027-01-10T09:00:00Z');
  const customer = await product.client.post('/customers', { name: 'Ann', test_clock: clock.id });
  const invoice = await invoiceFor(product, customer.id, 100, { due_date: seconds('2027-01-10T09:00:00Z') });
  await promise(invoice, '2027-01-12T09:00:00Z');
  await promise(invoice, '2027-01-13T09:00:00Z');
  const there = await advanceTo(product, clock, '2027-01-15T00:00:00Z');
  expect(story(there)).toEqual([
    `2027-01-11 00:00 invoice ${invoice.id}: past due`,
    `2027-01-11 00:00 invoice ${invoice.id}: late fee postponed: a payment of it is promised`,
    `2027-01-12 00:00 invoice ${invoice.id}: late fee postponed: a payment of it is promised`,
    `2027-01-13 00:00 invoice ${invoice.id}: late fee postponed: a payment of it is promised`,
    `2027-01-14 00:00 invoice ${invoice.id}: promised payment of 2027-01-13 did not come`,
    `2027-01-14 00:00 invoice ${invoice.id}: late fee of 10.00 usd`,
  ]);
  expect(await read(invoice)).toMatchObject({ balance: 110, expected_payment_status: 'broken' });
  expect(await openTasks(invoice)).toMatchObject([{ action: 'phone', due_date: seconds('2027-01-14T00:00:00Z') }]);
  await promise(invoice, '2027-01-20T09:00:00Z');
  expect(await openTasks(invoice)).toEqual([]);
  await pay(invoice, 110);
  expect(story(await advanceTo(product, clock, '2027-03-01T00:00:00Z'))).toEqual([]);
  expect(await read(invoice)).toMatchObject({ status: 'paid', expected_payment_status: 'kept' });
  await product.client.delete('/late_fee_schedules/{id}', { id: schedule });
  await expectSound(product);
});
