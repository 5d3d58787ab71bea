import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { type Product, startProduct } from '../support/product.ts';
import { killRoles, startRole } from '../support/roles.ts';
import { until } from '../support/wait.ts';
import { dueAgain, letLeasesEnd } from './money/past.ts';
import { expectRecovered } from './money/recovery.ts';

let product: Product;

beforeAll(async () => {
  product = await startProduct({ endpoint: true, worker: false });
  await product.call('POST', '/plans', { id: 'weekly', name: 'Weekly', amount: 10, interval: 'week' });
});
afterEach(killRoles);
afterAll(() => product.close());

/** All points between a due renewal and the processes that it starts. */
const points = [
  'renewal.before_commit',
  'subscription.committed',
  'relay.appending',
  'relay.appended',
  'relay.claimed',
  'relay.woken',
];

test('a renewal whose worker is killed at any point bills the period once, with the pending lines', async () => {
  const subscriptions: number[] = [];
  const first = await product.startWorker();
  for (const point of points) {
    const customer = await product.call('POST', '/customers', { name: point });
    const { id } = await product.call('POST', '/subscriptions', { customer: customer.id, plan: 'weekly' });
    subscriptions.push(id);
    await product.row(`select 1 from invoice where subscription_id = ${id} and period = 0`);
    await product.call('POST', `/customers/${customer.id}/line_items`, { name: 'Outage', unit_cost: -25 });
  }
  await product.row(`select count(*)::int as left from outbox where topic <> 'charge'`, ({ left }) => left === 0);
  await first.close();

  for (const [index, point] of points.entries()) {
    await dueAgain(product, subscriptions[index] ?? 0, { weeks: 1 });
    const worker = await startRole(product, 'worker', { PERENNIAL_FAILPOINTS: `${point}=kill` });
    await worker.untilKilledAt(point);
    await letLeasesEnd(product);
  }

  await product.startWorker();
  const once = subscriptions.map((id) => ({ id, periods: [0, 1] }));
  const billed = () =>
    product.rows(
      'select subscription_id as id, array_agg(period order by id) as periods from invoice group by subscription_id order by 1',
    );
  const waiting = { what: 'each period to be billed once' };
  await until(async () => expect(await billed()).toEqual(once) ?? true, waiting);
  await expectRecovered(product);
  expect(await billed()).toEqual(once);
  const credited = await product.rows<{ total: number }>('select total::float8 as total from credit_note');
  expect(credited.map(({ total }) => total)).toEqual(points.map(() => 15)); // 10 - 25
  expect(await product.rows('select 1 from line_item where customer_id is not null')).toEqual([]);
});
