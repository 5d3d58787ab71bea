import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Connection } from '@temporalio/client';
import { advanceTo, clockAt, story, subscriberOn } from '../support/clock.ts';
import { expectSubscriptionShows } from '../support/histories.ts';
import { type Product, startProduct } from '../support/product.ts';
import { expectSound } from '../support/soundness.ts';
import { fastSweepConfig, steppedTime } from '../support/steppedTime.ts';
import { payingCustomer } from '../support/story.ts';
import { temporalAddress } from '../support/temporal.ts';

/** Notices of subscriptions by their processes, in real time and on a test clock. */

const time = steppedTime('2027-03-01T09:00:00Z');
const CARD = 'tok_4242424242424242';
let product: Product;
let connection: Connection;

beforeAll(async () => {
  product = await startProduct({ systemNow: time.systemNow, config: fastSweepConfig });
  connection = await Connection.connect({ address: temporalAddress() });
  await product.client.post('/plans', { id: 'annual', name: 'Annual', amount: 120, interval: 'year' });
  await product.client.patch('/account', { contract_notice_days: 30 });
});
afterAll(async () => {
  await connection.close();
  await product.close();
});

/** Waits until Temporal shows a text for a subscription's process, after a step when one is named. */
const shows = (id: number, expected: RegExp, did?: string) =>
  expectSubscriptionShows({ connection, product }, id, { expected, did });

const noticesTo = async (address: string) => {
  const mails = await product.client.get('/emails', { filter: { email: address } });
  return mails.map(({ template }) => template).filter((template) => /soon|ending/.test(template ?? ''));
};

test('a process sends its notices at their times, says what it waits for, and bills as planned', async () => {
  const customer = await payingCustomer(product, CARD, { email: 'live@example.com' });
  const contract = { cycles: 1, contract_renewal_mode: 'auto' as const };
  const start_date = Date.parse('2027-03-01T09:01:00Z') / 1000;
  const body = { customer: customer.id, plan: 'annual', start_date, ...contract };
  const { id } = await product.client.post('/subscriptions', body);
  time.moveTo('2027-03-01T09:01:00Z');
  await product.row(`select 1 from invoice where subscription_id = ${id} and paid`);
  await shows(id, /waits for contract notice, 2028-01-31 09:01Z/); // 1 March 2028 less 30 days
  time.moveTo('2028-01-31T09:01:00Z');
  await shows(id, /waits for renewal notice, 2028-02-27 09:01Z/, 'contract notice');
  expect(await noticesTo('live@example.com')).toHaveLength(1);
  time.moveTo('2028-02-27T09:01:00Z');
  await product.mailbox.waitFor(({ subject }) => subject.includes('renews on March 1, 2028'), 'the notice');
  await shows(id, /waits for renew the contract, 2028-03-01 09:01Z/, 'renewal notice');
  time.moveTo('2028-03-01T09:01:00Z');
  await product.row(`select 1 from invoice where subscription_id = ${id} and period = 1 and paid`);
  expect(await noticesTo('live@example.com')).toHaveLength(2);
  await expectSound(product);
});

test('on a test clock the notices are steps of its advance', async () => {
  const clock = await clockAt(product, '2027-03-01T09:00:00Z');
  const customer = await subscriberOn(product, clock, { token: CARD, plan: 'annual' });
  const { id } = (await product.client.get('/subscriptions', { filter: { customer: customer.id } }))[0] ?? { id: 0 };
  const there = await advanceTo(product, clock, '2028-03-01T09:00:00Z');
  expect(there).toMatchObject({ status: 'ready' });
  const steps = story(there).filter((line) => line.includes(`subscription ${id}`));
  expect(steps).toEqual([
    `2028-02-27 09:00 subscription ${id}: renewal notice`,
    expect.stringMatching(/^2028-03-01 09:00 subscription \d+: renewal 1: issued INV-\d+ for 120\.00 usd$/),
  ]);
  await expectSound(product);
});
