import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { clockAt, subscriberOn, untilAdvanced } from '../../support/clock.ts';
import { type Product, startProduct } from '../../support/product.ts';
import { killRoles, startRole } from '../../support/roles.ts';
import { seconds } from '../../support/story.ts';
import { letLeasesEnd } from '../money/past.ts';
import { expectRecovered } from '../money/recovery.ts';

let product: Product;

beforeAll(async () => {
  product = await startProduct({ endpoint: true, worker: false });
  await product.client.post('/plans', { id: 'gold', name: 'Gold', amount: 10, interval: 'month' });
});
afterEach(killRoles);
afterAll(() => product.close());

const END = '2028-01-01T00:00:00Z';

test('workers killed during an advance are replaced by others, and nothing happens twice', async () => {
  const clock = await clockAt(product, '2027-01-01T00:00:00Z');
  const customer = await subscriberOn(product, clock, { token: 'tok_4242424242424242', plan: 'gold', isBilled: false });
  await product.client.post('/test_clocks/{id}/advance', { frozen_time: seconds(END) }, { id: clock.id });
  // The clock moved but nothing was enqueued; a period was billed but its wake not sent; money was captured but not recorded; a mail
  // was sent but not recorded.
  for (const point of [
    'clock.moved=kill:2',
    'subscription.committed=kill:2',
    'charge.confirmed=kill:2',
    'mail.sent=kill:2',
  ]) {
    const worker = await startRole(product, 'worker', { PERENNIAL_FAILPOINTS: point });
    await worker.untilKilledAt(point.split('=')[0] ?? '');
    await letLeasesEnd(product);
  }
  await startRole(product, 'worker');
  expect(await untilAdvanced(product, clock.id)).toMatchObject({ status: 'ready', frozen_time: seconds(END) });

  const months = Array.from({ length: 13 }, (_, month) => Date.UTC(2027, month) / 1000);
  const invoices = await product.client.get('/invoices', { filter: { customer: customer.id } });
  expect(invoices.map(({ date, status }) => [date, status])).toEqual(months.map((date) => [date, 'paid']));
  const payments = await product.client.get('/payments', { filter: { customer: customer.id } });
  expect(payments.map(({ date, amount }) => [date, amount])).toEqual(months.map((date) => [date, 10]));
  await expectRecovered(product);
});

test('a charge that a killed worker had started and not sent is made by the next one, without a look-up', async () => {
  const env = { CHARGE_LOOKUP_DELAY: '3600000' };
  const clock = await clockAt(product, '2027-01-01T00:00:00Z');
  const customer = await subscriberOn(product, clock, { token: 'tok_4242424242424242', plan: 'gold', isBilled: false });
  const end = '2027-02-15T00:00:00Z';
  await product.client.post('/test_clocks/{id}/advance', { frozen_time: seconds(end) }, { id: clock.id });
  for (let times = 0; times < 2; times++) {
    const worker = await startRole(product, 'worker', { ...env, PERENNIAL_FAILPOINTS: 'invoice.committed=kill' });
    await worker.untilKilledAt('invoice.committed');
  }
  await startRole(product, 'worker', env);
  expect(await untilAdvanced(product, clock.id)).toMatchObject({ status: 'ready', frozen_time: seconds(end) });
  const attempts = await product.rows(`select state from attempt where kind = 'charge' and customer_id = ?`, [
    customer.id,
  ]);
  expect(attempts).toEqual([{ state: 'succeeded' }, { state: 'succeeded' }]);
  await expectRecovered(product);
});
