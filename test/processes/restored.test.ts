import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { backup } from '../../bin/backup/backup.ts';
import { restore } from '../../bin/backup/restore.ts';
import { dueAgain } from '../faults/money/past.ts';
import { createEmptyDatabase } from '../support/database.ts';
import { printedLines } from '../support/printedLines.ts';
import { type Product, startProduct, testConfig } from '../support/product.ts';
import { expectSound } from '../support/soundness.ts';
import { payingCustomer } from '../support/story.ts';

let folder: string;
let original: Product;
/** The same business in a restored database, while the original runs on. */
let copy: Product;
let subscription: number;

const invoices = 'select number, status from invoice where subscription_id is not null order by id';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'perennial-restored-'));
  original = await startProduct();
  const { id: customer } = await payingCustomer(original, 'tok_4242424242424242');
  await original.client.post('/plans', { id: 'weekly', name: 'Weekly', amount: 10, interval: 'week' });
  subscription = (await original.client.post('/subscriptions', { customer, plan: 'weekly' })).id;
  await original.row(invoices, ({ status }) => status === 'paid');
  await expectSound(original);
  await printedLines(() => backup(original.config, [join(folder, 'backup')]));
  const database = await createEmptyDatabase();
  const target = testConfig({ DATABASE_URL: database.url, FILES_FOLDER: join(folder, 'files') });
  await printedLines(() => restore(target, [join(folder, 'backup')]));
  const { liveKey, key: sandboxKey, accountId } = original;
  const restored = { database, liveKey, sandboxKey, accountId };
  copy = await startProduct({ restored, worker: false, env: { SWEEP_INTERVAL: '600000' } });
});
afterAll(async () => {
  await copy?.close();
  await original.close();
  await rm(folder, { recursive: true, force: true });
});

test('a worker on a restored database starts its processes anew, beside those of the original', async () => {
  expect(copy.deps.deployment.id).not.toBe(original.deps.deployment.id);
  await dueAgain(copy, subscription, { weeks: 1 });
  await copy.rows(`delete from outbox where topic = 'subscription'`); // only the rebuild wakes the process
  await copy.startWorker();
  await copy.row(`${invoices} desc limit 1`, ({ number, status }) => number === 'INV-00002' && status === 'paid');
  await expectSound(copy);
  expect(await original.rows(invoices)).toEqual([{ number: 'INV-00001', status: 'paid' }]);
  const [kept] = await copy.rows('select temporal_namespace_id as id from deployment');
  expect(kept?.id).not.toBe('restored');
});
