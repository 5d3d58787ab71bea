import { afterEach, expect, test } from '@jest/globals';
import { advanceSubscription } from '../../commands/subscriptions/steps/steps.ts';
import { inTransaction } from '../../db/transaction.ts';
import { type Product, startProduct } from '../support/product.ts';
import { steppedTime } from '../support/steppedTime.ts';
import { payingCustomer } from '../support/story.ts';

let product: Product;
afterEach(() => product.close());

/** Creates a subscription with two due periods, while no worker runs. */
async function due(over: { cycles?: number } = {}): Promise<{ time: ReturnType<typeof steppedTime>; id: number }> {
  const time = steppedTime('2027-01-01T00:00:00Z');
  product = await startProduct({ systemNow: time.systemNow, worker: false });
  const { client } = product;
  await client.post('/plans', { id: 'monthly', name: 'Monthly', amount: 10, interval: 'month' });
  const customer = await client.post('/customers', { name: 'Dora' });
  const { id } = await client.post('/subscriptions', { customer: customer.id, plan: 'monthly', ...over });
  time.moveTo('2027-02-10T00:00:00Z');
  return { time, id };
}

const billed = async (): Promise<number[]> =>
  (await product.client.get('/invoices', { sort: 'id' })).map(({ date }) => date);
const dates = ['2027-01-01', '2027-02-01'].map((day) => Date.parse(day) / 1000);

test('pausing first bills periods that were due before, and does not bill periods that start during the pause', async () => {
  const { time, id } = await due();
  await product.client.patch('/subscriptions/{id}', { paused: true }, { id });
  time.moveTo('2027-04-10T00:00:00Z'); // 1 March and 1 April pass
  await product.client.patch('/subscriptions/{id}', { paused: false }, { id });
  expect(await billed()).toEqual(dates);
  expect(await product.rows('select next_period from subscription')).toEqual([{ next_period: 4 }]); // 1 May
});

test('canceling first bills periods that were due before, at once or at the end of the period', async () => {
  const { id } = await due();
  expect(await product.client.patch('/subscriptions/{id}', { cancel_at_period_end: true }, { id })).toMatchObject({
    status: 'active',
    period_end: Date.parse('2027-03-01') / 1000,
  });
  expect(await product.client.delete('/subscriptions/{id}', { id })).toMatchObject({ status: 'canceled' });
  expect(await billed()).toEqual(dates);
  expect(await product.audit()).toEqual([]);
});

test('the first request on a contract that is over finishes it', async () => {
  const { id } = await due({ cycles: 1 });
  await expect(product.client.delete('/subscriptions/{id}', { id })).rejects.toThrow('already finished');
});

test.each([
  ['pause' as const, { paused: true, status: 'active', period_end: Date.parse('2027-03-01') / 1000 }],
  ['cancel' as const, { status: 'canceled', canceled_at: Date.parse('2027-02-10') / 1000 }],
])(
  "the last failed charge first bills all due periods, then applies the account's setting: %s",
  async (action, expected) => {
    const { id, pay } = await declining('month', action, '2027-02-10T00:00:00Z');
    await expect(pay()).rejects.toThrow('reported lost');
    expect(await product.client.get('/subscriptions/{id}', { id })).toMatchObject(expected);
    expect(await billed()).toEqual(dates);
    expect(await product.audit()).toEqual([]);
  },
);

test('pausing with too many due periods first bills them, so that none is skipped', async () => {
  const { id, pay } = await declining('day', 'pause', '2027-01-31T00:00:00Z');
  await expect(pay()).rejects.toThrow('reported lost');
  // 30 days are due after the first one. 24 of them are billed at once.
  expect(await product.rows('select paused, next_period from subscription')).toEqual([
    { paused: false, next_period: 25 },
  ]);
  const [next] = await product.client.get('/invoices', { sort: 'id desc', per_page: 1 });
  await expect(product.client.post('/invoices/{id}/pay', null, { id: next?.id ?? 0 })).rejects.toThrow('reported lost');
  expect(await product.client.get('/subscriptions/{id}', { id })).toMatchObject({ paused: true });
  expect(await product.rows('select next_period from subscription')).toEqual([{ next_period: 31 }]);
  expect(await product.audit()).toEqual([]);
});

/** Creates a subscription whose first charge is declined for good. Then no worker runs until `day`. */
async function declining(interval: 'month' | 'day', action: 'pause' | 'cancel', day: string) {
  const time = steppedTime('2027-01-01T00:00:00Z');
  product = await startProduct({ systemNow: time.systemNow, worker: false });
  const { client } = product;
  await client.patch('/account', { autopay_final_action: action });
  await client.post('/plans', { id: 'plan', name: 'Plan', amount: 10, interval });
  const customer = await payingCustomer(product, 'tok_4000000000000002');
  const { id } = await client.post('/subscriptions', { customer: customer.id, plan: 'plan' });
  const { deps, accountId } = product;
  await inTransaction(deps.em, (em) => advanceSubscription(em, { accountId, id }, time.systemNow()));
  const [invoice] = await client.get('/invoices');
  time.moveTo(day);
  return { id, pay: () => client.post('/invoices/{id}/pay', null, { id: invoice?.id ?? 0 }) };
}
