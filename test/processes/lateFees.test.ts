import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Body, Invoice } from '../../client/index.ts';
import { advanceTo, clockAt, story } from '../support/clock.ts';
import { type Product, startProduct } from '../support/product.ts';
import { expectSound } from '../support/soundness.ts';
import { invoiceFor, seconds } from '../support/story.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product.close());

/** Runs a test while the account has a default schedule. */
async function withSchedule(terms: Omit<Body<'post', '/late_fee_schedules'>, 'name'>, run: () => Promise<void>) {
  const { id } = await product.client.post('/late_fee_schedules', { name: 'Late', default: true, ...terms });
  await run();
  await product.client.delete('/late_fee_schedules/{id}', { id });
}

/** An invoice without AutoPay, which is due on 20 January 2027. */
async function overdue(clock: { id: number }, amount: number): Promise<Invoice> {
  const customer = await product.client.post('/customers', { name: 'Ann', test_clock: clock.id });
  return invoiceFor(product, customer.id, amount, { due_date: seconds('2027-01-20T09:00:00Z') });
}

const idOf = (of: Invoice['customer']) => (typeof of === 'number' ? of : of.id);
const read = ({ id }: { id: number }) => product.client.get('/invoices/{id}', { id });
const pay = (invoice: Invoice, amount: number) =>
  product.client.post('/payments', {
    customer: idOf(invoice.customer),
    amount,
    applied_to: [{ type: 'invoice', invoice: invoice.id, amount }],
  });

test('2 % of 150.00 after 10 days and every 30 days, until the cap', () =>
  withSchedule({ amount: 2, grace_period_days: 10, recurring_days: 30, cap: 6 }, async () => {
    const clock = await clockAt(product, '2027-01-10T09:00:00Z');
    const invoice = await overdue(clock, 150);
    const there = await advanceTo(product, clock, '2027-03-03T00:00:00Z');
    // January 20 + 10 = 30 days end on the 31st, + 30 days = March 2; 150.00 x 2 % = 3.00, twice
    expect(story(there)).toEqual([
      `2027-01-21 00:00 invoice ${invoice.id}: past due`,
      `2027-01-31 00:00 invoice ${invoice.id}: late fee of 3.00 usd`,
      `2027-03-02 00:00 invoice ${invoice.id}: late fee of 3.00 usd`,
    ]);
    const late = await read(invoice);
    expect(late).toMatchObject({ status: 'past_due', subtotal: 156, total: 156, balance: 156 });
    const fee = { name: 'Late fee', type: 'late_fee', amount: 3, taxable: false, discountable: false };
    expect(late.items).toMatchObject([{ name: 'Consulting', amount: 150 }, fee, fee]);
    const later = await advanceTo(product, clock, '2027-06-01T00:00:00Z');
    // 3.00 + 3.00 = 6.00, the cap
    expect(story(later)).toEqual([`2027-04-01 00:00 invoice ${invoice.id}: no late fee`]);
    await pay(invoice, 156);
    expect(await read(invoice)).toMatchObject({ status: 'paid', balance: 0 });
    await expectSound(product);
  }));

test('the percentage is of the principal that is left, without earlier fees', () =>
  withSchedule({ amount: 10, recurring_days: 7 }, async () => {
    const clock = await clockAt(product, '2027-01-10T09:00:00Z');
    const invoice = await overdue(clock, 100);
    await advanceTo(product, clock, '2027-01-22T00:00:00Z');
    expect(await read(invoice)).toMatchObject({ balance: 110 }); // 100 x 10 % = 10
    await pay(invoice, 60);
    const there = await advanceTo(product, clock, '2027-01-29T00:00:00Z');
    // 110 - 60 = 50 owed, of which 10 are the fee: 40 x 10 % = 4
    expect(story(there)).toEqual([`2027-01-28 00:00 invoice ${invoice.id}: late fee of 4.00 usd`]);
    expect(await read(invoice)).toMatchObject({ total: 114, balance: 54 });
    await pay(invoice, 54);
    expect(story(await advanceTo(product, clock, '2027-03-01T00:00:00Z'))).toEqual([]);
    await expectSound(product);
  }));

test('late_fee_document invoice: each fee has an invoice of its own, which gets no fee itself', async () => {
  await product.client.patch('/account', { late_fee_document: 'invoice' });
  await withSchedule({ amount: 7.5, is_percent: false }, async () => {
    const clock = await clockAt(product, '2027-01-10T09:00:00Z');
    const invoice = await overdue(clock, 100);
    const there = await advanceTo(product, clock, '2027-05-01T00:00:00Z');
    const after = await read(invoice);
    const [fee, ...others] = (
      await product.client.get('/invoices', { filter: { customer: idOf(invoice.customer) } })
    ).filter(({ id }) => id !== invoice.id);
    expect(others).toEqual([]);
    expect(story(there)).toEqual([
      `2027-01-21 00:00 invoice ${invoice.id}: past due`,
      `2027-01-21 00:00 invoice ${invoice.id}: late fee of 7.50 usd`,
      `2027-02-21 00:00 invoice ${fee?.id}: past due`, // January 21 + 30 days
      `2027-02-21 00:00 invoice ${fee?.id}: no late fee`,
    ]);
    expect(after).toMatchObject({ total: 100, balance: 100 });
    expect(fee).toMatchObject({ name: 'Late fee', total: 7.5, balance: 7.5, status: 'past_due', taxes: [] });
    expect(fee?.items).toMatchObject([{ name: 'Late fee', type: 'late_fee', description: invoice.number }]);
    await expectSound(product);
  });
  await product.client.patch('/account', { late_fee_document: null });
});

test('only missed installments of a payment plan bear a fee, which the last one gets', () =>
  withSchedule({ amount: 10, recurring_days: 28 }, async () => {
    const clock = await clockAt(product, '2027-01-10T09:00:00Z');
    const invoice = await overdue(clock, 90);
    const days = ['2027-02-01T09:00:00Z', '2027-03-01T09:00:00Z', '2027-06-01T09:00:00Z'];
    const installments = days.map((day) => ({ date: seconds(day), amount: 30 }));
    await product.client.put('/invoices/{id}/payment_plan', { installments }, { id: invoice.id });
    const balances = async () =>
      (await product.client.get('/invoices/{id}/payment_plan', { id: invoice.id })).installments.map(
        ({ balance }) => balance,
      );
    const there = await advanceTo(product, clock, '2027-02-03T00:00:00Z');
    expect(story(there)).toEqual([
      `2027-02-02 00:00 invoice ${invoice.id}: past due`,
      `2027-02-02 00:00 invoice ${invoice.id}: late fee of 3.00 usd`, // 30 x 10 %
    ]);
    expect(await balances()).toEqual([30, 30, 33]);
    await pay(invoice, 10);
    // 28 days later two are missed: (20 + 30) x 10 % = 5
    expect(story(await advanceTo(product, clock, '2027-03-03T00:00:00Z'))).toEqual([
      `2027-03-02 00:00 invoice ${invoice.id}: late fee of 5.00 usd`,
    ]);
    expect(await balances()).toEqual([20, 30, 38]);
    expect(await read(invoice)).toMatchObject({ total: 98, balance: 88 });
    await expectSound(product);
  }));
