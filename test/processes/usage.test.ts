import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { advanceTo, clockAt, story } from '../support/clock.ts';
import { type Product, startProduct } from '../support/product.ts';
import { expectSound } from '../support/soundness.ts';
import { payingCustomer, seconds } from '../support/story.ts';
import { until } from '../support/wait.ts';

let product: Product;

beforeAll(async () => {
  product = await startProduct();
  const month = { interval: 'month' } as const;
  await product.client.post('/plans', { id: 'gold', name: 'Gold', amount: 49, ...month });
  await product.client.post('/plans', { id: 'calls', name: 'Calls', amount: 0.25, quantity_type: 'usage', ...month });
});
afterAll(() => product.close());

test('on a test clock usage is announced, billed after its period, charged, and told on the timeline', async () => {
  const { client } = product;
  const clock = await clockAt(product, '2027-01-15T09:00:00Z');
  const customer = await payingCustomer(product, 'tok_4242424242424242', { test_clock: clock.id });
  const sold = { plan: 'gold', addons: [{ plan: 'calls' }], usage_thresholds: [{ plan: 'calls', quantity: 10 }] };
  const { id, addons } = await client.post('/subscriptions', { customer: customer.id, ...sold });
  const of = { subscription_id: id };
  await advanceTo(product, clock, '2027-01-20T00:00:00Z');
  const at = seconds('2027-01-18T00:00:00Z');
  const report = { quantity: 12, timestamp: at, idempotency_key: 'calls', addon: addons[0]?.id ?? 0 };
  expect(await client.post('/subscriptions/{subscription_id}/usage', report, of)).toMatchObject({ billed: false });
  const isTold = async () => {
    const timeline = await client.get('/subscriptions/{id}/timeline', { id });
    return timeline.some(({ what }) => what.includes('usage of calls reached 10'));
  };
  await until(isTold, { what: 'the threshold on the timeline' });
  const there = await advanceTo(product, clock, '2027-02-16T00:00:00Z');
  const bill = `2027-02-15 09:00 subscription ${id}: renewal 1: issued INV-00002 for 52.00 usd`;
  expect(story(there)).toContain(bill); // 49 + 12 x 0.25
  const [invoice] = await client.get('/invoices', { filter: { customer: customer.id }, sort: 'id desc' });
  expect(invoice).toMatchObject({ total: 52, paid: true });
  const [usage] = await client.get('/subscriptions/{subscription_id}/usage', of);
  expect(usage).toMatchObject({ billed: true, invoice: invoice?.id });
  await expectSound(product);
});

test('live usage is announced within seconds', async () => {
  const { client } = product;
  const { id: customer } = await client.post('/customers', { name: 'Live' });
  const sold = { plan: 'calls', usage_thresholds: [{ quantity: 3 }] };
  const { id } = await client.post('/subscriptions', { customer, ...sold });
  for (const key of ['one', 'two', 'three']) {
    const report = { quantity: 1, idempotency_key: key };
    await client.post('/subscriptions/{subscription_id}/usage', report, { subscription_id: id });
  }
  const asked = { related_to: `subscription,${id}`, type: 'subscription.usage_threshold' } as const;
  const event = await until(async () => (await client.get('/events', asked))[0], {
    what: 'the event of the threshold',
  });
  expect(event).toMatchObject({ data: { object: { usage_threshold: { plan: 'calls', quantity: 3, usage: 3 } } } });
  await expectSound(product);
});
