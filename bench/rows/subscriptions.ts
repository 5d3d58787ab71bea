import type { Sql } from '../../db/queries/kernel/sql.ts';
import { headersOf } from '../insideApi.ts';
import { type Load, loadWithCpu } from '../load.ts';
import { addCustomers } from '../sampleData.ts';
import type { Stage } from '../stage.ts';

const CLIENTS = 8;
const CUSTOMERS = 1000;
const SECONDS = 5;
/** Number of subscriptions in the rush. */
const RUSH = 2000;

/** A kind of request. `cpu`: milliseconds of CPU of all processes per request. */
export interface Requested {
  load: Load;
  cpu: number;
}

export interface Subscribed {
  clients: number;
  created: Requested;
  changed: Requested;
  rush: {
    count: number;
    /** Seconds from the first request until the last first invoice was issued. */
    seconds: number;
  };
}

/** Creates subscriptions, and changes their quantity with proration. Each change credits what the one before it charged. */
export async function subscribe(stage: Stage, sql: Sql): Promise<Subscribed> {
  const customers = await addCustomers(sql, { count: CUSTOMERS, autopay: false });
  const path = '/sandbox/api/subscriptions';
  const headers = headersOf(stage);
  const post = async (target: string, body: object) => {
    const answer = await fetch(`${stage.origin}${target}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${target}: ${answer.status} ${await answer.text()}`);
  };
  await post('/sandbox/api/plans', { id: 'bench-month', name: 'Month', amount: 12.5, interval: 'month' });
  const pids = [stage.postgres.pid, stage.temporal.pid, stage.api.pid, stage.worker.pid];
  const measure = async (request: Parameters<typeof loadWithCpu>[0]['request']): Promise<Requested> => {
    const options = { origin: stage.origin, clients: CLIENTS, warmUpSeconds: 2, seconds: SECONDS, request };
    const { load, cpuEach: cpu } = await loadWithCpu(options, pids);
    return { load, cpu };
  };
  const bodyOf = (n: number) => ({ customer: customers.first + (n % customers.count), plan: 'bench-month' });
  const created = await measure((n) => ({ method: 'POST', path, headers, body: JSON.stringify(bodyOf(n)) }));
  const rows = await sql.query<{ id: number }>(
    'select id from subscription where customer_id >= $1 order by id limit 500',
    [customers.first],
  );
  const changed = await measure((n) => ({
    method: 'PATCH',
    path: `${path}/${rows[n % rows.length]?.id}`,
    headers,
    body: JSON.stringify({ quantity: 2 + (n % 7) }),
  }));
  const startedAt = performance.now();
  const clients = Array.from({ length: CLIENTS }, async (_, client) => {
    for (let n = client; n < RUSH; n += CLIENTS) await post(path, bodyOf(n));
  });
  await Promise.all(clients);
  return { clients: CLIENTS, created, changed, rush: { count: RUSH, seconds: (performance.now() - startedAt) / 1000 } };
}
