import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { RunningWorker } from '../../../bin/worker.ts';
import { dayOf } from '../../support/clock.ts';
import { type Product, startProduct } from '../../support/product.ts';
import { fastSweepConfig, steppedTime, stepTo } from '../../support/steppedTime.ts';
import { invoiceFor, seconds } from '../../support/story.ts';
import { newPayer } from '../money/payers.ts';
import { capturesOf } from '../money/recovery.ts';

/** A worker that is absent for a month: what was missed is made up, and what was issued late counts from its issue. */

const time = steppedTime('2027-01-04T08:00:00Z'); // a Monday
const AWAY = '2027-01-08T12:00:00Z';
const BACK = '2027-02-08T12:00:00Z'; // a Monday
let product: Product;
let worker: RunningWorker;
/** Cadence: a mail 3 days after the issue of the oldest invoice, a call 2 days after its due date. */
let cadence: { id: number };

beforeAll(async () => {
  // A charge that a busy machine answers late would wait for a look-up, and this time stands still.
  const config = { ...fastSweepConfig, gatewayDeadlineMilliseconds: 600_000 };
  product = await startProduct({ systemNow: time.systemNow, config, worker: false });
  worker = await product.startWorker();
  const { client } = product;
  await client.post('/plans', { id: 'weekly', name: 'Weekly', amount: 10, interval: 'week' });
  const fees = { name: 'Late', amount: 10, grace_period_days: 3, recurring_days: 7, default: true };
  await client.post('/late_fee_schedules', fees);
  const steps = [
    { name: 'Mail', action: 'email' as const, schedule: 'age:3' },
    { name: 'Call', action: 'phone' as const, schedule: 'past_due_age:2' },
  ];
  cadence = await client.post('/chasing_cadences', { name: 'Standard', time_of_day: 9, steps });
});
afterAll(() => product.close());

const person = (name: string) =>
  product.client.post('/customers', {
    name,
    email: `${name}@example.com`,
    chasing_cadence: cadence.id,
    payment_terms: 'NET 7',
  });
const feesOf = (invoice: number) =>
  product.rows<{ on: string; amount: number }>(
    'select accrued_on::text as on, amount::float8 as amount from late_fee where invoice_id = ? order by accrued_on',
    [invoice],
  );
const askedOf = (customer: number) =>
  product.rows<{ day: string; channel: string }>(
    'select day::text as day, channel from reminder where customer_id = ? order by day, channel',
    [customer],
  );
const daysOf = async (customer: number) => (await askedOf(customer)).map(({ day, channel }) => `${day} ${channel}`);
const billsOf = (customer: number) => product.client.get('/invoices', { filter: { customer }, sort: 'id' });

test('after a month without a worker everything that was missed is made up once; late bills count from their issue', async () => {
  const { client } = product;
  // Owes an invoice from before the absence, which is due on January 11.
  const late = await person('late');
  const invoice = await invoiceFor(product, late.id, 100);
  // Pays its first bill. Those of January 11, 18, 25 and February 1 and 8 are issued when the worker is back.
  const billed = await person('billed');
  await client.post('/subscriptions', { customer: billed.id, plan: 'weekly' });
  const [first] = await billsOf(billed.id);
  await client.post('/payments', {
    customer: billed.id,
    amount: 10,
    applied_to: [{ type: 'invoice', invoice: first?.id ?? 0, amount: 10 }],
  });
  // Installments of January 15 and 22 fall into the absence, the third does not.
  const payer = await newPayer(product, { autopay: true, autopayDelayDays: 365 });
  const plan = await invoiceFor(product, payer, 90);
  const days = ['2027-01-15T09:00:00Z', '2027-01-22T09:00:00Z', '2027-03-15T09:00:00Z'];
  const installments = days.map((day) => ({ date: seconds(day), amount: 30 }));
  await client.put('/invoices/{id}/payment_plan', { installments }, { id: plan.id });
  await stepTo(product, time, AWAY);
  expect(await daysOf(late.id)).toEqual(['2027-01-07 email']); // January 4 + 3
  await worker.close();

  time.moveTo(BACK);
  worker = await product.startWorker();
  await stepTo(product, time, '2027-02-08T19:00:00Z');

  // Due on January 11: the grace of 3 days ends on the 14th, then every 7 days. 100.00 x 10 %
  expect(await feesOf(invoice.id)).toEqual(
    ['2027-01-15', '2027-01-22', '2027-01-29', '2027-02-05'].map((on) => ({ on, amount: 10 })),
  );
  expect(await client.get('/invoices/{id}', { id: invoice.id })).toMatchObject({ status: 'past_due', balance: 140 });
  // January 11 + 2 = 13 was missed: the run of this day is made up, with one reminder.
  expect(await daysOf(late.id)).toEqual(['2027-01-07 email', '2027-02-08 phone']);

  expect(await capturesOf(product, plan.id)).toBe(2);
  expect(await client.get('/invoices/{id}', { id: plan.id })).toMatchObject({ balance: 30 }); // 90 - 2 x 30

  const bills = (await billsOf(billed.id)).slice(1);
  const dates = ['2027-01-11', '2027-01-18', '2027-01-25', '2027-02-01', '2027-02-08'].map((day) => `${day} 08:00`);
  expect(bills.map(({ date }) => dayOf(date))).toEqual(dates);
  // Issued on February 8, NET 7
  expect(bills.map(({ due_date }) => dayOf(due_date).slice(0, 10))).toEqual(dates.map(() => '2027-02-15'));
  expect(await daysOf(billed.id)).toEqual([]);
  for (const { id } of bills) expect(await feesOf(id)).toEqual([]);

  await client.patch('/subscriptions/{id}', { paused: true }, { id: Number(bills[0]?.subscription) });
  await stepTo(product, time, '2027-02-20T00:00:00Z');
  // Issued on February 8: + 3 = 11. Due on the 15th: + 2 = 17.
  expect(await daysOf(billed.id)).toEqual(['2027-02-11 email', '2027-02-17 phone']);
  // The grace of 3 days after the 15th ends with the 18th. 10.00 x 10 %
  for (const { id } of bills) expect(await feesOf(id)).toEqual([{ on: '2027-02-19', amount: 1 }]);
  const twice = await product.rows(
    `select customer_id, day, channel from reminder group by customer_id, day, channel having count(*) > 1`,
  );
  expect(twice).toEqual([]);
  expect(await product.audit()).toEqual([]);
});
