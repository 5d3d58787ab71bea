import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from '../../db/queries/kernel/sql.ts';
import { headersOf } from '../insideApi.ts';
import { type Load, type LoadOptions, loadWithCpu } from '../load.ts';
import { addCustomers, type Range } from '../sampleData.ts';
import type { Stage } from '../stage.ts';
import { until } from '../wait.ts';
import { type Renewed, renew, waking } from './renewals.ts';

const CLIENTS = 8;
const CUSTOMERS = 1000;
const SECONDS = 5;
/** Number of subscriptions in the rush. */
const RUSH = 2000;
const RENEWALS = 500;
const WARM_UP = 200;
const PATH = '/sandbox/api/subscriptions';

/** Weekly plans, one for each kind of price that depends on the quantity. */
const ADDONS = [
  { id: 'bench-seat', pricing_mode: 'per_unit', amount: 1.5 },
  {
    id: 'bench-volume',
    pricing_mode: 'volume',
    tiers: [
      { max_qty: 10, unit_cost: 2 },
      { min_qty: 11, unit_cost: 1 },
    ],
  },
  {
    id: 'bench-tiered',
    pricing_mode: 'tiered',
    tiers: [
      { max_qty: 10, unit_cost: 2 },
      { min_qty: 11, unit_cost: 1 },
    ],
  },
];

/** A kind of request. `cpu`: milliseconds of CPU of all processes per request. */
export interface Requested {
  load: Load;
  cpu: number;
}

export interface Subscribed {
  clients: number;
  created: Requested;
  changed: Requested;
  previewed: Requested;
  /** Dry runs of a change that show twelve invoices. */
  dryRun: Requested;
  rush: {
    count: number;
    /** Seconds from the first request until the last first invoice was issued. */
    seconds: number;
    /** Seconds from then until the worker had started the last process. */
    lag: number;
  };
  /** Renewals due at once, without add-ons and with three of them. */
  plain: Renewed;
  withAddons: Renewed;
}

/**
 * Creates subscriptions, previews them, and changes their quantity with proration. Each change credits what the one before it charged. Then
 * renews subscriptions with add-ons beside plain ones.
 */
export async function subscribe(stage: Stage, sql: Sql): Promise<Subscribed> {
  const customers = await addCustomers(sql, { count: CUSTOMERS, autopay: false });
  const headers = headersOf(stage);
  await post(stage, '/sandbox/api/plans', { id: 'bench-month', name: 'Month', amount: 12.5, interval: 'month' });
  for (const plan of ADDONS) await post(stage, '/sandbox/api/plans', { ...plan, name: plan.id, interval: 'week' });
  const pids = [stage.postgres.pid, stage.temporal.pid, stage.api.pid, stage.worker.pid];
  const measure = async (method: 'POST' | 'PATCH', of: (n: number) => { path: string; body: object }) => {
    const request: LoadOptions['request'] = (n) => {
      const { path, body } = of(n);
      return { method, path, headers, body: JSON.stringify(body) };
    };
    const options = { origin: stage.origin, clients: CLIENTS, warmUpSeconds: 2, seconds: SECONDS, request };
    const { load, cpuEach: cpu } = await loadWithCpu(options, pids);
    return { load, cpu };
  };
  const bodyOf = (n: number) => bodyFor(customers, n);
  const created = await measure('POST', (n) => ({ path: PATH, body: bodyOf(n) }));
  const rows = await sql.query<{ id: number }>(
    'select id from subscription where customer_id >= $1 order by id limit 500',
    [customers.first],
  );
  const pathOf = (n: number) => `${PATH}/${rows[n % rows.length]?.id}`;
  const changed = await measure('PATCH', (n) => ({ path: pathOf(n), body: { quantity: 2 + (n % 7) } }));
  const previewed = await measure('POST', (n) => ({ path: `${PATH}/preview`, body: bodyOf(n) }));
  const dryRun = await measure('PATCH', (n) => ({ path: `${pathOf(n)}?dry_run=12`, body: { quantity: 2 + (n % 7) } }));
  const rush = await rushOf(stage, sql, customers);
  await renew(stage, sql, { count: WARM_UP, charged: false }); // the first renewals of a worker cost more
  const plain = await renew(stage, sql, { count: RENEWALS, charged: false });
  const addons = ADDONS.map(({ id }) => id);
  const withAddons = await renew(stage, sql, { count: RENEWALS, charged: false, addons });
  return { clients: CLIENTS, created, changed, previewed, dryRun, rush, plain, withAddons };
}

function bodyFor({ first, count }: Range, n: number): object {
  return { customer: first + (n % count), plan: 'bench-month' };
}

/** Creates many subscriptions as fast as the clients can. */
async function rushOf(stage: Stage, sql: Sql, customers: Range): Promise<Subscribed['rush']> {
  await until(async () => (await waking(sql)) === 0, { what: 'every process started', withinSeconds: 180 });
  const startedAt = performance.now();
  const clients = Array.from({ length: CLIENTS }, async (_, client) => {
    for (let n = client; n < RUSH; n += CLIENTS) await post(stage, PATH, bodyFor(customers, n));
  });
  await Promise.all(clients);
  const issuedAt = performance.now();
  await until(async () => (await waking(sql)) === 0, { what: 'the last process started', withinSeconds: 180 });
  const lag = (performance.now() - issuedAt) / 1000;
  return { count: RUSH, seconds: (issuedAt - startedAt) / 1000, lag };
}

/** Sends a request, again while the API is too busy for it, as clients do. */
async function post(stage: Stage, path: string, body: object): Promise<void> {
  for (;;) {
    const answer = await fetch(`${stage.origin}${path}`, {
      method: 'POST',
      headers: headersOf(stage),
      body: JSON.stringify(body),
    });
    if (answer.ok) return void (await answer.text());
    if (answer.status !== 429) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    await answer.text();
    await sleep(1000 * Number(answer.headers.get('retry-after') ?? 1));
  }
}
