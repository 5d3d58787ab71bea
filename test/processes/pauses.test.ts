import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Connection } from '@temporalio/client';
import { advanceTo, clockAt, dayOf, story, subscriberOn } from '../support/clock.ts';
import { expectSubscriptionShows } from '../support/histories.ts';
import { type Product, startProduct } from '../support/product.ts';
import { expectSound } from '../support/soundness.ts';
import { fastSweepConfig, steppedTime } from '../support/steppedTime.ts';
import { payingCustomer, seconds } from '../support/story.ts';
import { temporalAddress } from '../support/temporal.ts';

/** A pause at the end of the period by the process of its subscription, in real time and on a test clock. */

const CARD = 'tok_4242424242424242';
const time = steppedTime('2027-03-01T09:00:00Z');
let product: Product;
let connection: Connection;

beforeAll(async () => {
  product = await startProduct({ systemNow: time.systemNow, config: fastSweepConfig });
  await product.client.post('/plans', PLAN);
  connection = await Connection.connect({ address: temporalAddress() });
});
afterAll(async () => {
  await connection.close();
  await product.close();
});

/** Waits until Temporal shows a text for a subscription's process, after a step when one is named. */
const shows = (id: number, expected: RegExp, did?: string) =>
  expectSubscriptionShows({ connection, product }, id, { expected, did });

const PLAN = { id: 'month', name: 'By the month', amount: 10, interval: 'month' as const };
const pauseUntil = (day: string) => ({ pause_at_period_end: true, resume_at: seconds(day) });
const datesOf = async (customer: number) => {
  const invoices = await product.client.get('/invoices', { filter: { customer }, sort: 'id' });
  return invoices.map(({ date }) => dayOf(date));
};

test('a process says that it waits for the end of the period, pauses, and resumes', async () => {
  const { client } = product;
  const customer = await payingCustomer(product, CARD);
  const start_date = seconds('2027-03-01T09:01:00Z');
  const { id } = await client.post('/subscriptions', { customer: customer.id, plan: PLAN.id, start_date });
  time.moveTo('2027-03-01T09:01:00Z');
  await product.row(`select 1 from invoice where subscription_id = ${id} and paid`);
  await client.patch('/subscriptions/{id}', pauseUntil('2027-04-20T09:00:00Z'), { id });
  await shows(id, /waits for pause at the end of the period, 2027-04-01 09:01Z/);
  time.moveTo('2027-04-01T09:01:00Z');
  await shows(id, /waits for resume, 2027-04-20 09:00Z/, 'pause at the end of the period');
  time.moveTo('2027-04-20T09:00:00Z');
  await shows(id, /waits for renewal 2, 2027-05-01 09:01Z/, 'resume');
  time.moveTo('2027-05-01T09:01:00Z');
  await product.row(`select 1 from invoice where subscription_id = ${id} and period = 2 and paid`);
  expect(await datesOf(customer.id)).toEqual(['2027-03-01 09:01', '2027-05-01 09:01']);
  await expectSound(product);
});

test('on a test clock the pause and its end are steps of its advance', async () => {
  const clock = await clockAt(product, '2027-03-01T09:00:00Z');
  const customer = await subscriberOn(product, clock, { token: CARD, plan: PLAN.id });
  const [{ id } = { id: 0 }] = await product.client.get('/subscriptions', { filter: { customer: customer.id } });
  await product.client.patch('/subscriptions/{id}', pauseUntil('2027-04-20T09:00:00Z'), { id });
  const steps = story(await advanceTo(product, clock, '2027-05-02T00:00:00Z'));
  expect(
    steps.filter((step) => step.includes(`subscription ${id}:`)).map((step) => step.replace(/: issued.*/, '')),
  ).toEqual([
    `2027-04-01 09:00 subscription ${id}: pause at the end of the period`,
    `2027-04-20 09:00 subscription ${id}: resume`,
    `2027-05-01 09:00 subscription ${id}: renewal 2`,
  ]);
  expect(await datesOf(customer.id)).toEqual(['2027-03-01 09:00', '2027-05-01 09:00']);
  await expectSound(product);
});
