import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { freePort } from '../../bin/local/ports.ts';
import { createClient, verifyWebhook } from '../../client/index.ts';
import { VERSIONS } from '../../commands/kernel/caller.ts';
import { projectFolder } from '../suites.ts';
import { GOOD_CARD } from '../support/business.ts';
import { type Product, startProduct } from '../support/product.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { killRoles, type Role, startRole } from '../support/roles.ts';
import { scrape } from '../support/scrape.ts';
import { payingCustomer } from '../support/story.ts';
import { until } from '../support/wait.ts';

let product: Product;
let receiver: Receiver;
let api: Role;
let ports: { api: number; worker: number };

beforeAll(async () => {
  product = await startProduct({ worker: false });
  receiver = await startReceiver();
  ports = { api: await freePort(), worker: await freePort() };
  api = await startRole(product, 'api', { API_METRICS_PORT: String(ports.api) });
  await startRole(product, 'worker', { WORKER_METRICS_PORT: String(ports.worker) });
});
afterAll(async () => {
  await killRoles();
  await product.close();
  await receiver.stop();
});

const watched = (port: number, path: string) => fetch(`http://127.0.0.1:${port}${path}`);

/** A client of the monitored API. */
const client = () => createClient({ baseUrl: api.url, apiKey: product.key, retries: 0 });

/** Sends a request to a path that the typed client does not know. */
function ask(path: string): Promise<Response> {
  const authorization = `Basic ${Buffer.from(`${product.key}:`).toString('base64')}`;
  return fetch(`${api.url}${path}`, { headers: { authorization } });
}

test('the metrics of API and worker count a charged renewal, which an older endpoint receives in its version', async () => {
  const [oldest] = VERSIONS;
  const { secret } = await client().post('/webhooks', {
    url: receiver.url,
    events: ['invoice.paid', 'subscription.created'],
    api_version: oldest,
  });
  await client().post('/plans', { id: 'gold', name: 'Gold', amount: 10, interval: 'month' });
  const customer = await payingCustomer({ client: client() }, GOOD_CARD, { name: 'Metric' });
  const start_date = Math.ceil(Date.now() / 1000) + 5; // its process bills it
  await client().post('/subscriptions', { customer: customer.id, plan: 'gold', start_date });
  await ask('/customers/4711');
  const told = await receiver.waitFor(({ body }) => body.includes('"invoice.paid"'), 'the paid invoice');
  const { data } = await verifyWebhook(told, { secret });
  expect([told.headers['api-version'], data.object.metadata]).toEqual([oldest, []]);

  const worker = await until(
    async () => {
      const seen = await scrape(ports.worker);
      const isDone =
        (seen.get('perennial_emails_total{outcome="sent"}') ?? 0) > 0 &&
        (seen.get('perennial_webhook_attempts_total{outcome="delivered"}') ?? 0) > 1 &&
        (seen.get('perennial_outbox_oldest_due_seconds{kind="event"}') ?? 60) < 5;
      return isDone ? seen : null;
    },
    { what: 'the receipt, both deliveries and an outbox without old events' },
  );
  for (const series of [
    'perennial_process_steps_total{process="subscription",result="done"}',
    'perennial_process_steps_total{process="invoice",result="done"}',
    'perennial_process_step_duration_seconds_count{process="subscription"}',
    'perennial_attempts_total{result="done"}',
    'perennial_webhook_first_attempt_latency_seconds_count',
    'perennial_webhook_first_attempt_latency_seconds_bucket{le="30"}',
    'perennial_relay_claimed_rows_total',
    'perennial_relay_wakes_total{result="woken"}',
    'perennial_relay_appended_events_total',
    'perennial_database_connections{state="idle"}',
    'perennial_database_up',
    'process_cpu_seconds_total',
  ]) {
    expect([series, worker.get(series)]).toEqual([series, expect.any(Number)]);
    expect([series, worker.get(series)]).not.toEqual([series, 0]);
  }
  expect(worker.get('perennial_problems_open')).toBe(0);
  expect(worker.get('perennial_database_waits_total{result="refused"}')).toBe(0);
  expect(worker.get('perennial_sweep_age_seconds')).toBeLessThan(300); // the product started a short time ago

  const served = await scrape(ports.api);
  const requests = (method: string, route: string, status: number) =>
    served.get(`perennial_http_requests_total{method="${method}",route="${route}",status="${status}"}`);
  expect(requests('POST', '/subscriptions', 201)).toBe(1);
  expect(requests('GET', '/customers/:id', 404)).toBe(1);
  expect(served.get('perennial_http_request_duration_seconds_count{method="POST",route="/subscriptions"}')).toBe(1);
  expect(served.get('perennial_http_requests_in_flight')).toBe(0);
  expect([...served.keys()].filter((name) => name.includes('4711'))).toEqual([]);
});

test('values that clients invent become no labels', async () => {
  for (const path of ['/a', '/b/c', '/customers/1/x']) await ask(path);
  await fetch(new URL('/wild', api.url));
  const served = await scrape(ports.api);
  expect(served.get('perennial_http_requests_total{method="GET",route="none",status="404"}')).toBe(4);
});

test('pages without a key have their own routes', async () => {
  const paths = ['/health', '/docs', '/api/openapi.json', '/sign_in', '/sandbox/oauth/consent/made-up'];
  for (const path of paths) await (await fetch(new URL(path, api.url))).text();
  const names = [...(await scrape(ports.api)).keys()].filter((name) =>
    name.startsWith('perennial_http_requests_total'),
  );
  for (const route of ['/health', '/docs', '/openapi.json', '/sign_in', '/oauth/consent/*']) {
    expect(names).toContainEqual(expect.stringContaining(`route="${route}"`));
  }
  expect(names.filter((name) => name.includes('made-up'))).toEqual([]);
});

test('worker and API report liveness and readiness, and no public port has /metrics', async () => {
  for (const port of Object.values(ports)) {
    expect((await watched(port, '/health')).status).toBe(200);
    expect((await watched(port, '/ready')).status).toBe(200);
    expect((await watched(port, '/customers')).status).toBe(404);
  }
  expect((await fetch(new URL('/metrics', api.url))).status).toBe(404);
});

test('the alerts and the board of `deploy` name metrics that API and worker export', async () => {
  const exported = [...(await scrape(ports.api)).keys(), ...(await scrape(ports.worker)).keys()];
  const names = new Set(exported.map((series) => series.replace(/\{.*/, '')));
  const named = (file: string) =>
    new Set(readFileSync(join(projectFolder, 'deploy', file), 'utf8').match(/\b(perennial|nodejs|process)_\w+/g));
  for (const file of ['prometheus/perennial.rules.yml', 'grafana/perennial.json']) {
    const all = [...named(file)];
    expect([file, all.filter((name) => !names.has(name))]).toEqual([file, []]);
    expect(all.length).toBeGreaterThan(10);
  }
});
