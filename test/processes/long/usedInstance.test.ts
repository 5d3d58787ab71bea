import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createCipher } from '../../../adapters/cipher.ts';
import { auditDatabase } from '../../../bin/audit.ts';
import { dueAgain } from '../../faults/money/past.ts';
import type { TestApi } from '../../support/api.ts';
import { createEmptyDatabase, TEST_KEY, type TestDatabase } from '../../support/database.ts';
import { type Drill, startDrill } from '../../support/drill.ts';
import { useEveryTable } from '../../support/everyTable.ts';
import { type Product, startProduct } from '../../support/product.ts';
import { payingCustomer } from '../../support/story.ts';
import { startWorld, type World } from '../../support/world.ts';

/** A backup of an instance whose API and worker have used every table is restored, and the restored instance goes on. */

let api: TestApi;
let world: World;
let drill: Drill | undefined;
let subscription: number;

beforeAll(async () => {
  // Workers decrypt what the API has encrypted.
  const started = await startWorld({ cipher: createCipher(TEST_KEY) });
  ({ api, world } = started);
  await useEveryTable(api, started.client);
  const { databaseUrl: url, databaseUrls: urls, filesFolder } = api;
  const product = await openProduct({ url, urls, drop: async () => undefined }, filesFolder);
  await product.startWorker();
  subscription = await subscribe(product);
  await product.row(`select status from test_clock order by id desc limit 1`, ({ status }) => status === 'ready');
  await product.close();
  await api.sandbox.make('/invoices', { customer: world.customers, items: [{ unit_cost: 1 }] }); // waits in the outbox
  expect(await auditDatabase(url)).toEqual([]);
});
afterAll(async () => {
  await drill?.remove();
  await api.close();
});

/** API of this business on a database, to which a worker is added. */
function openProduct(database: TestDatabase, filesFolder: string): Promise<Product> {
  const { sandbox, live } = api;
  const keys = { accountId: sandbox.account.id, liveKey: live.key, sandboxKey: sandbox.key };
  return startProduct({ restored: { ...keys, database }, worker: false, env: { FILES_FOLDER: filesFolder } });
}

/** A weekly subscription, whose first bill is paid. Returns its id. */
async function subscribe(product: Product): Promise<number> {
  const { id: customer } = await payingCustomer(product, 'tok_4242424242424242');
  await product.client.post('/plans', { id: 'weekly', name: 'Weekly', amount: 10, interval: 'week' });
  const { id } = await product.client.post('/subscriptions', { customer, plan: 'weekly' });
  await product.row(`select status from invoice where subscription_id = ${id}`, ({ status }) => status === 'paid');
  return id;
}

test('a restored instance is whole, and its API and worker bill a due renewal once', async () => {
  drill = await startDrill(api);
  const empty = Object.entries(drill.rows).filter(([, rows]) => rows.length === 0);
  // A worker that leaves gives its leases back.
  expect(empty.map(([table]) => table)).toEqual(['public.pump_lease']);
  const database = await createEmptyDatabase();
  const files = await drill.restoreInto(database.url);
  await drill.expectWhole(database.url, files);
  const copy = await openProduct(database, files);
  const bills = `select status from invoice where subscription_id = ${subscription}`;
  await dueAgain(copy, subscription, { weeks: 1 });
  await copy.startWorker();
  await copy.row(`select count(*)::int as paid from (${bills} and status = 'paid') b`, ({ paid }) => paid === 2);
  await copy.row(`select 1 from wakeup where process = 'subscription' and subject_id = ${subscription} and at > now()`);
  expect(await copy.rows(bills)).toEqual([{ status: 'paid' }, { status: 'paid' }]);
  expect(await copy.audit()).toEqual([]);
  await copy.close();
});
