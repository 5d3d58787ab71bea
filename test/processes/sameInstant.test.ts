import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { advanceTo, clockAt, story } from '../support/clock.ts';
import { type Product, startProduct } from '../support/product.ts';
import { expectSound } from '../support/soundness.ts';
import { invoiceFor, payingCustomer, seconds } from '../support/story.ts';

/** A renewal, a retry, an installment, a late fee and a reminder at the same instant of a test clock. `test/api/invoices/sameInstant.test.ts` shuffles their order. */

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product.close());

test('a renewal, a retry, an installment, a late fee and a reminder at the same instant are taken in their order', async () => {
  const { client } = product;
  await client.patch('/account', {
    autopay_retry_days: [7],
    autopay_final_action: 'cancel',
    late_fee_document: 'line',
    chasing_days: 'every',
  });
  await client.post('/plans', { id: 'weekly', name: 'Weekly', amount: 10, interval: 'week' });
  await client.post('/late_fee_schedules', { name: 'Late', amount: 10, default: true });
  const asking = [{ name: 'Call', action: 'phone' as const, schedule: 'past_due_age:1' }];
  const cadence = await client.post('/chasing_cadences', { name: 'Usual', time_of_day: 0, steps: asking });
  const clock = await clockAt(product, '2027-01-04T00:00:00Z');
  const on = { test_clock: clock.id, chasing_cadence: cadence.id };
  const { id: customer } = await payingCustomer(product, 'tok_script_soft', on);
  await client.post('/subscriptions', { customer, plan: 'weekly' });
  await invoiceFor(product, customer, 100, { autopay: false, due_date: seconds('2027-01-10T00:00:00Z') });
  const delayAutopay = (days: number) =>
    client.patch('/customers/{id}', { autopay_delay_days: days }, { id: customer });
  await delayAutopay(1); // else the invoice could be charged before its plan is there
  const planned = await invoiceFor(product, customer, 60);
  const installments = ['2027-01-11', '2027-02-08'].map((day) => ({ date: seconds(`${day}T00:00:00Z`), amount: 30 }));
  await client.put('/invoices/{id}/payment_plan', { installments }, { id: planned.id });
  await delayAutopay(-1);
  const told = story(await advanceTo(product, clock, '2027-01-11T01:00:00Z'))
    .filter((line) => line.startsWith('2027-01-11'))
    .map((line) => line.replace(/\b(subscription|invoice|chasing|task) \d+/g, '$1'));
  const [first] = told;
  expect(first).toBe('2027-01-11 00:00 subscription: renewal 1: issued INV-00004 for 10.00 usd');
  // 100 + 10 % + 10; ten minutes later if it found other work
  expect(told.at(-1)).toMatch(/^2027-01-11 00:[01]0 chasing: step 1 of 1: task \(phone\) about 120.00 usd$/);
  // A charge that a busy machine answers late is made again.
  const steps = new Set(told.slice(1, -1).filter((line) => !line.includes(': charge of')));
  expect([...steps].toSorted()).toEqual([
    '2027-01-11 00:00 invoice: attempt 1: charging 10.00 usd',
    '2027-01-11 00:00 invoice: attempt 1: charging 30.00 usd',
    '2027-01-11 00:00 invoice: attempt 2: charging 10.00 usd',
    '2027-01-11 00:00 invoice: late fee of 10.00 usd',
    '2027-01-11 00:00 invoice: past due',
  ]);
  await expectSound(product);
});
