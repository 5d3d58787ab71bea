import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { advanceTo, clockAt, story } from '../support/clock.ts';
import { type Product, startProduct } from '../support/product.ts';
import { expectSound } from '../support/soundness.ts';
import { invoiceFor, payingCustomer, seconds } from '../support/story.ts';

/** Credit reaches open invoices before a charge, a fee and a reminder, on test clocks. */

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product.close());

const SUCCEEDS = 'tok_4242424242424242';
const DECLINES = 'tok_4000000000000341';
const chargesOf = async (customer: number) =>
  (await product.client.get('/charges', { filter: { customer } })).map(({ amount }) => amount);
const invoicesOf = (customer: number) => product.client.get('/invoices', { filter: { customer }, sort: 'id' });

test('a cancellation on the first day leaves one day to charge', async () => {
  await product.client.post('/plans', { id: 'thirty', name: 'Thirty', amount: 30, interval: 'month' });
  const clock = await clockAt(product, '2027-04-01T00:00:00Z');
  const customer = await payingCustomer(product, SUCCEEDS, { test_clock: clock.id, autopay_delay_days: 3 });
  const { id } = await product.client.post('/subscriptions', { customer: customer.id, plan: 'thirty' });
  const [open] = await invoicesOf(customer.id);
  expect(open).toMatchObject({ balance: 30 });
  await advanceTo(product, clock, '2027-04-02T00:00:00Z');
  await product.client.delete('/subscriptions/{id}', { id, prorate: true });
  // 29 of the 30 days of April are left: 30.00 x 29/30 = 29.00
  const [paid, final] = await invoicesOf(customer.id);
  expect([paid?.balance, final?.total]).toEqual([1, 0]);
  expect(await chargesOf(customer.id)).toEqual([]);
  const there = await advanceTo(product, clock, '2027-04-05T00:00:00Z');
  expect(story(there).filter((line) => line.includes('charging'))).toEqual([
    `2027-04-04 00:00 invoice ${open?.id}: attempt 1: charging 1.00 usd`,
  ]);
  expect(await chargesOf(customer.id)).toEqual([1]);
  expect((await invoicesOf(customer.id)).map(({ status }) => status)).toEqual(['paid', 'paid']);
  await expectSound(product);
});

test('yearly becomes monthly on the first day: the rest of the year pays the month and what is open', async () => {
  await product.client.post('/plans', { id: 'year', name: 'Year', amount: 120, interval: 'year' });
  await product.client.post('/plans', { id: 'month', name: 'Month', amount: 10, interval: 'month' });
  const clock = await clockAt(product, '2027-04-01T00:00:00Z');
  const customer = await payingCustomer(product, SUCCEEDS, { test_clock: clock.id, autopay_delay_days: 3 });
  const { id } = await product.client.post('/subscriptions', { customer: customer.id, plan: 'year' });
  await product.client.patch('/subscriptions/{id}', { plan: 'month' }, { id });
  // credit 120.00 - month 10.00 = 110.00; of the year 120.00 - 110.00 = 10.00 are left, the month
  const [year] = await invoicesOf(customer.id);
  expect(year?.balance).toBe(10);
  await advanceTo(product, clock, '2027-04-05T00:00:00Z');
  expect(await chargesOf(customer.id)).toEqual([10]);
  await expectSound(product);
});

test('a late fee that accrues after credit arrived counts on what is owed', async () => {
  const late = await product.client.post('/late_fee_schedules', { name: 'Late', default: true, amount: 10 });
  const clock = await clockAt(product, '2027-01-10T09:00:00Z');
  const { id: customer } = await product.client.post('/customers', { name: 'Ann', test_clock: clock.id });
  // In the future of the clock: it arrives while the clock advances, and nobody applies it before the fee.
  const date = seconds('2027-01-15T09:00:00Z');
  await product.client.post('/credit_balance_adjustments', { customer, amount: 60, date });
  const invoice = await invoiceFor(product, customer, 100, { due_date: seconds('2027-01-20T09:00:00Z') });
  const covered = await invoiceFor(product, customer, 10, { due_date: seconds('2027-01-19T09:00:00Z') });
  const there = await advanceTo(product, clock, '2027-01-25T09:00:00Z');
  const lines = story(there).filter((line) => !line.includes('past due'));
  expect(lines.map((line) => line.replace(/^.*?: /, ''))).toEqual([
    'credit of 60.00 usd applied to 2 invoices',
    'late fee of 5.00 usd', // (100 - (60 - 10)) x 10 %
  ]);
  const [first] = await invoicesOf(customer);
  expect(first).toMatchObject({ id: invoice.id, total: 105, balance: 55, status: 'past_due' });
  expect(await product.client.get('/invoices/{id}', { id: covered.id })).toMatchObject({ paid: true, total: 10 });
  await product.client.delete('/late_fee_schedules/{id}', { id: late.id });
  await expectSound(product);
});

/** A customer on a clock, with credit that arrives on 15 January, while the clock advances and nobody applies it. */
async function withCreditToCome(amount: number, more: object = {}) {
  const clock = await clockAt(product, '2027-01-10T09:00:00Z');
  const customer = await payingCustomer(product, DECLINES, { email: 'ann@example.com', test_clock: clock.id, ...more });
  const date = seconds('2027-01-15T09:00:00Z');
  await product.client.post('/credit_balance_adjustments', { customer: customer.id, amount, date });
  return { clock, customer: customer.id };
}

test('a retry charges what credit leaves that has come since the last attempt', async () => {
  const { clock, customer } = await withCreditToCome(60, { autopay_delay_days: 1 });
  await invoiceFor(product, customer, 100);
  const there = await advanceTo(product, clock, '2027-01-25T09:00:00Z');
  const lines = story(there).map((line) => line.replace(/^.*invoice \d+: /, ''));
  const attempts = lines.filter((line) => line.includes('charging') || line.includes('credit of'));
  expect(attempts[0]).toBe('attempt 1: charging 100.00 usd');
  const applied = attempts.indexOf('credit of 60.00 usd applied to 1 invoice');
  expect(applied).toBeGreaterThan(0);
  expect(attempts.slice(1, applied).every((line) => line.endsWith('charging 100.00 usd'))).toBe(true);
  expect(attempts.slice(applied + 1).length).toBeGreaterThan(0);
  expect(attempts.slice(applied + 1).every((line) => line.endsWith('charging 40.00 usd'))).toBe(true); // 100 - 60
  await expectSound(product);
});

test('a reminder asks for what credit leaves, and not for what it pays', async () => {
  const steps = [
    { name: 'Reminder', action: 'email' as const, schedule: 'past_due_age:3' },
    { name: 'Call', action: 'phone' as const, schedule: 'past_due_age:4' },
  ];
  const cadence = await product.client.post('/chasing_cadences', { name: 'Standard', time_of_day: 9, steps });
  const { clock, customer } = await withCreditToCome(60, { autopay: false, chasing_cadence: cadence.id });
  const covered = await invoiceFor(product, customer, 50, { due_date: seconds('2027-01-12T09:00:00Z') });
  const asked = await invoiceFor(product, customer, 100, { due_date: seconds('2027-01-20T09:00:00Z') });
  await advanceTo(product, clock, '2027-01-14T00:00:00Z');
  await advanceTo(product, clock, '2027-02-01T09:00:00Z');
  const mails = await product.client.get('/emails', { filter: { customer, template: 'late_payment_reminder_email' } });
  expect(mails.length).toBe(1);
  const tasks = await product.client.get('/tasks', { filter: { customer } });
  expect(tasks.map(({ name }) => name)).toEqual(['Call: 90.00 usd']); // 100 - (60 - 50)
  expect(await product.client.get('/invoices/{id}', { id: covered.id })).toMatchObject({ paid: true });
  expect(await product.client.get('/invoices/{id}', { id: asked.id })).toMatchObject({ balance: 90 });
  await expectSound(product);
});

test('after a merge, credit of one customer pays invoices of the other before AutoPay charges them', async () => {
  const clock = await clockAt(product, '2027-05-01T00:00:00Z');
  const into = await payingCustomer(product, SUCCEEDS, { test_clock: clock.id, autopay_delay_days: 3 });
  const other = await product.client.post('/customers', { name: 'Twin', test_clock: clock.id });
  const open = await invoiceFor(product, into.id, 30);
  await product.client.post('/credit_balance_adjustments', { customer: other.id, amount: 29 });
  await product.client.post('/customers/{id}/merge', { customer: other.id }, { id: into.id });
  // At once, without an advance: 30 - 29.
  await product.row(`select balance::float8 from invoice where id = ${open.id}`, ({ balance }) => balance === 1);
  const there = await advanceTo(product, clock, '2027-05-05T00:00:00Z');
  expect(story(there).map((line) => line.replace(/invoice \d+: /, ''))).toContain(
    '2027-05-04 00:00 attempt 1: charging 1.00 usd',
  );
  expect(await product.client.get('/invoices/{id}', { id: open.id })).toMatchObject({ paid: true });
  await expectSound(product);
});
