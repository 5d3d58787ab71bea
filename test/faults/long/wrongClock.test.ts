import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { freePort } from '../../../bin/local/ports.ts';
import { createClient } from '../../../client/index.ts';
import { projectFolder } from '../../suites.ts';
import { type Product, startProduct } from '../../support/product.ts';
import { environmentOf, killRoles, startRole } from '../../support/roles.ts';
import { scrape } from '../../support/scrape.ts';
import { until } from '../../support/wait.ts';

/** API and worker on a machine whose clock is ten minutes ahead. */

const AHEAD = 600;
const aheadOfTime = `const Real = Date;
  globalThis.Date = class extends Real {
    constructor(...given) { given.length > 0 ? super(...given) : super(Real.now() + ${AHEAD * 1000}); }
    static now() { return Real.now() + ${AHEAD * 1000}; }
  };`;
const wrongClock = { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(aheadOfTime)}` };

let product: Product;
beforeAll(async () => {
  product = await startProduct({ worker: false, env: { SWEEP_INTERVAL: '200', SWEEP_AGE: '1000' } });
  await product.client.post('/plans', { id: 'gold', name: 'Gold', amount: 10, interval: 'month' });
});
afterAll(async () => {
  await killRoles();
  await product.close();
});

test('a worker takes no due work until a worker with a right clock comes; an API stays ready', async () => {
  const ports = { api: await freePort(), worker: await freePort() };
  const api = await startRole(product, 'api', { ...wrongClock, API_METRICS_PORT: String(ports.api) });
  const wrong = await startRole(product, 'worker', { ...wrongClock, WORKER_METRICS_PORT: String(ports.worker) });
  const now = Math.floor(Date.now() / 1000);
  const customer = await product.client.post('/customers', { name: 'Early' });
  const start = (start_date: number) =>
    product.client.post('/subscriptions', { customer: customer.id, plan: 'gold', start_date });
  const soon = await start(now + 300); // in five minutes: a worker whose clock is ten minutes ahead would bill it now
  const dueAt = Math.floor(Date.now() / 1000) + 10; // a start in the past would be billed by the request itself
  const due = await start(dueAt);
  const invoices = async (subscription: number) =>
    product.rows('select id from invoice where subscription_id = ?', [subscription]);
  await until(
    async () => Math.abs(((await scrape(ports.worker)).get('perennial_clock_offset_seconds') ?? 0) - AHEAD) < 2,
    {
      what: 'the worker to compare the clocks',
    },
  );
  expect(wrong.output()).toContain("clock differs from the database's");
  const ready = await fetch(`http://127.0.0.1:${ports.worker}/ready`);
  expect([ready.status, await ready.json()]).toEqual([
    503,
    { status: 'unavailable', reason: expect.stringContaining('clock') },
  ]);
  const apiReady = await fetch(`http://127.0.0.1:${ports.api}/ready`);
  expect([apiReady.status, await apiReady.json()]).toEqual([
    200,
    { status: 'ready', warnings: [expect.stringContaining("clock differs from the database's")] },
  ]);
  const problems = spawnSync(process.execPath, [join(projectFolder, 'bin', 'perennial.ts'), 'problems'], {
    env: { ...environmentOf(product), ...wrongClock },
    encoding: 'utf8',
  });
  expect(problems.stdout).toMatch(/clock differs from the database's.*it is (599|600|601) s ahead\n\nNo problems/);
  const slow = createClient({ baseUrl: api.url, apiKey: product.key, retries: 0 });
  expect(await slow.get('/customers/{id}', { id: customer.id })).toMatchObject({ name: 'Early' });
  await until(() => Date.now() / 1000 > dueAt + 3, { what: 'the first subscription to be due' });
  expect(await invoices(due.id)).toEqual([]);
  await product.startWorker();
  await until(async () => (await invoices(due.id)).length === 1, { what: 'the bill by the other worker' });
  expect(await invoices(soon.id)).toEqual([]);
  expect(await product.audit()).toEqual([]);
});
