import { expect } from '@jest/globals';
import { type Product, startProduct } from '../../support/product.ts';
import { startRole } from '../../support/roles.ts';
import { until } from '../../support/wait.ts';
import { dueAgain, letLeasesEnd } from './past.ts';
import { expectRecovered } from './recovery.ts';

/** Points of a renewal's step, before and after its commit. */
export const points = ['renewal.before_commit', 'subscription.committed'];

/** Points between a committed step and the processes that it starts. */
export const relayPoints = ['relay.appending', 'relay.appended', 'relay.claimed', 'relay.woken'];

export interface Bill {
  period: number | null;
  total: number;
}

/** A product with an endpoint, without a worker, and with weekly plans: the one that `subscribeEach` uses, and `calls`, which bills usage. */
export async function startWeekly(): Promise<Product> {
  const product = await startProduct({ endpoint: true, worker: false });
  await product.call('POST', '/plans', { id: 'weekly', name: 'Weekly', amount: 10, interval: 'week' });
  const usage = { interval: 'week', quantity_type: 'usage' };
  await product.call('POST', '/plans', { id: 'calls', name: 'Calls', amount: 0.25, ...usage });
  return product;
}

/** Creates a subscription of a new customer for each point. */
export async function subscribeEach(product: Product, names: readonly string[], body: object): Promise<number[]> {
  const ids: number[] = [];
  for (const name of names) {
    const customer = await product.call('POST', '/customers', { name });
    const asked = { customer: customer.id, plan: 'weekly', start_date: Math.floor(Date.now() / 1000), ...body };
    ids.push((await product.call('POST', '/subscriptions', asked)).id);
  }
  return ids;
}

/**
 * Starts the processes of new subscriptions, some for each point. Then lets those of one point after the other become due, and kills the worker
 * that serves them at the point. `point:2` is the second time that the worker reaches it.
 */
export async function killAtEach(product: Product, names: readonly string[], ids: readonly number[][]): Promise<void> {
  const first = await product.startWorker();
  await product.row(`select count(*)::int as left from outbox where topic <> 'charge'`, ({ left }) => left === 0);
  await first.close();
  for (const [index, name] of names.entries()) {
    const [point = '', hit = '1'] = name.split(':');
    for (const id of ids[index] ?? []) await dueAgain(product, id, { weeks: 1 });
    const worker = await startRole(product, 'worker', { PERENNIAL_FAILPOINTS: `${point}=kill:${hit}` });
    await worker.untilKilledAt(point);
    await letLeasesEnd(product);
  }
}

/** Expects that each subscription is billed like this by a worker that is not killed, and that no other work is left. */
export async function expectBilled(product: Product, ids: readonly number[], bills: readonly Bill[]): Promise<void> {
  const last = await product.startWorker();
  const once = ids.flatMap((id) => bills.map((bill) => ({ id, ...bill })));
  const billed = () =>
    product.rows(
      `select subscription_id as id, period, total::float8 as total from invoice
       where subscription_id in (${ids.join()}) order by subscription_id, invoice.id`,
    );
  await until(async () => expect(await billed()).toEqual(once) ?? true, { what: 'each period to be billed once' });
  await expectRecovered(product);
  expect(await billed()).toEqual(once);
  await last.close();
}
