import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { advanceTo, clockAt, story } from '../support/clock.ts';
import { type Product, startProduct } from '../support/product.ts';
import { expectSound } from '../support/soundness.ts';
import { payingCustomer, seconds } from '../support/story.ts';
import { until } from '../support/wait.ts';

let product: Product;

beforeAll(async () => {
  product = await startProduct();
  await product.call('POST', '/plans', { id: 'gold', name: 'Gold', amount: 49, interval: 'month' });
  const usage = { interval: 'month', quantity_type: 'usage' };
  await product.call('POST', '/plans', { id: 'calls', name: 'Calls', amount: 0.25, ...usage });
});
afterAll(() => product.close());

test('on a test clock usage is announced, billed after its period, charged, and told on the timeline', async () => {
  const clock = await clockAt(product, '2027-01-15T09:00:00Z');
  const customer = await payingCustomer(product, 'tok_4242424242424242', { test_clock: clock.id });
  const sold = { plan: 'gold', addons: [{ plan: 'calls' }], usage_thresholds: [{ plan: 'calls', quantity: 10 }] };
  const { id, addons } = await product.call('POST', '/subscriptions', { customer: customer.id, ...sold });
  const addon = addons[0].id;
  await advanceTo(product, clock, '2027-01-20T00:00:00Z');
  const report = { quantity: 12, timestamp: seconds('2027-01-18T00:00:00Z'), idempotency_key: 'calls', addon };
  expect(await product.call('POST', `/subscriptions/${id}/usage`, report)).toMatchObject({ billed: false });
  const timeline = () => product.call('GET', `/subscriptions/${id}/timeline`);
  const isTold = async () => JSON.stringify(await timeline()).includes('usage of calls reached 10');
  await until(isTold, { what: 'the threshold on the timeline' });
  const there = await advanceTo(product, clock, '2027-02-16T00:00:00Z');
  expect(story(there)).toContain(`2027-02-15 09:00 subscription ${id}: renewal 1: issued INV-00002 for 52.00 usd`); // 49 + 12 x 0.25
  const [bill] = await product.call('GET', `/invoices?filter[customer]=${customer.id}&sort=id desc`);
  expect(bill).toMatchObject({ total: 52, paid: true });
  expect(await product.call('GET', `/subscriptions/${id}/usage`)).toMatchObject([{ billed: true, invoice: bill.id }]);
  await expectSound(product);
});

test('live usage is announced within seconds', async () => {
  const customer = await product.call('POST', '/customers', { name: 'Live' });
  const sold = { plan: 'calls', usage_thresholds: [{ quantity: 3 }] };
  const { id } = await product.call('POST', '/subscriptions', { customer: customer.id, ...sold });
  for (const key of ['one', 'two', 'three'])
    await product.call('POST', `/subscriptions/${id}/usage`, { quantity: 1, idempotency_key: key });
  const told = () => product.call('GET', `/events?related_to=subscription,${id}&type=subscription.usage_threshold`);
  const events = async () => ((await told()).length > 0 ? told() : null);
  const [event] = await until(events, { what: 'the event of the threshold' });
  expect(event.data.object.usage_threshold).toMatchObject({ plan: 'calls', quantity: 3, usage: 3 });
  await expectSound(product);
});
