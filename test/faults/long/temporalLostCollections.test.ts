import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { runReconcile } from '../../../bin/reconcile.ts';
import type { RunningWorker } from '../../../bin/worker.ts';
import { type Product, startProduct } from '../../support/product.ts';
import { type PrivateTemporal, startPrivateTemporal } from '../../support/temporal.ts';
import {
  type Collected,
  type Collecting,
  collectionTerms,
  expectNoOrphan,
  fee,
  installment,
  makeDue,
  promise,
  reminder,
} from '../money/collected.ts';
import { expectRecovered } from '../money/recovery.ts';

/** Temporal loses its state amid payment plans, cadences, promises and late fees. */

let temporal: PrivateTemporal;
let product: Product;
let worker: RunningWorker;
let kinds: Collecting[];

beforeAll(async () => {
  temporal = await startPrivateTemporal(); // loses its state when it stops
  const env = { TEMPORAL_ADDRESS: temporal.address, LOG_LEVEL: 'silent' };
  // No sweep: it would find the lost work a minute later.
  product = await startProduct({ env: { ...env, SWEEP_INTERVAL: '600000' }, worker: false, endpoint: true });
  worker = await product.startWorker();
  kinds = [installment, fee, promise, reminder(await collectionTerms(product))];
});
afterAll(async () => {
  await product.close();
  await temporal.stop();
});

interface Waiting {
  collecting: Collecting;
  one: Collected;
}

/** Creates one customer of each kind, and waits until their processes wait at Temporal. */
async function begin(): Promise<Waiting[]> {
  const waiting: Waiting[] = [];
  for (const collecting of kinds) waiting.push({ collecting, one: await collecting.make(product) });
  await product.row('select count(*)::int as left from outbox', ({ left }) => left === 0);
  return waiting;
}

/** Makes the steps due. Nothing is left that tells Temporal of them. */
async function becomeDue(waiting: readonly Waiting[]): Promise<void> {
  for (const { collecting, one } of waiting) await makeDue(product, collecting, one);
  await product.rows('delete from outbox');
}

async function expectOnce(waiting: readonly Waiting[]): Promise<void> {
  await expectRecovered(product);
  for (const { collecting, one } of waiting) await collecting.expectOnce(product, one);
  await expectNoOrphan(product);
}

const all: Waiting[] = [];

test('a starting worker goes on after Temporal lost its state: nothing is asked, charged or fined twice', async () => {
  all.push(...(await begin()));
  await worker.close();
  await temporal.stop();
  await becomeDue(all);
  await temporal.start();
  worker = await product.startWorker();
  await expectOnce(all);
});

test('reconcile goes on after Temporal lost its state under a running worker', async () => {
  const later = await begin();
  await temporal.stop();
  await becomeDue(later);
  await temporal.start();
  const said = jest.spyOn(console, 'log').mockImplementation(() => undefined);
  expect(await runReconcile(product.config)).toBe(0);
  await runReconcile(product.config); // a second run is harmless
  said.mockRestore();
  all.push(...later);
  await expectOnce(all);
});
