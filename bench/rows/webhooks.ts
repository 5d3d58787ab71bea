import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'undici';
import { z } from 'zod';
import type { Sql } from '../../db/queries/kernel/sql.ts';
import { headersOf } from '../insideApi.ts';
import { percentiles } from '../load.ts';
import { cpuMilliseconds } from '../processes.ts';
import { addEndpoint, removeEndpoint, sandboxAccount } from '../sampleData.ts';
import type { Stage } from '../stage.ts';
import { until } from '../wait.ts';

const BACKLOG = 3000;
const PACED_SECONDS = 10;
const CONNECTIONS = 16;
const arrivedShape = z.object({ requests: z.number(), arrivals: z.array(z.tuple([z.string(), z.number()])) });

export interface Delivered {
  /** Deliveries per second while a backlog of committed events is processed. */
  saturation: number;
  /** Milliseconds of CPU per delivery for relay and pump, without the API. */
  cpuEach: number;
  /** Rate of the latency measurement: customers created per second, one event each. Half of saturation. */
  pace: number;
  /** Milliseconds from just before the commit of an event to the arrival of its first attempt. */
  p50: number;
  p99: number;
}

/** Measures how many events per second reach an endpoint that answers at once, and the latency at half of that rate. */
export async function deliver(stage: Stage, sql: Sql): Promise<Delivered> {
  const endpoint = await addEndpoint(stage, sql);
  const { saturation, cpuEach } = await saturate(stage, sql);
  const pace = Math.round(saturation / 2);
  await ask(stage, 'reset');
  await createPaced(stage, pace, PACED_SECONDS);
  const delivered = async () => (await ask(stage, 'count')).requests >= pace * PACED_SECONDS;
  await until(delivered, { what: 'everything delivered', withinSeconds: 60 });
  const latencies = await latenciesOf(stage, sql);
  await removeEndpoint(sql, endpoint);
  return { saturation, cpuEach, pace, ...percentiles(latencies) };
}

/** Measures the delivery of a backlog that is committed at once. Each event is about another object. */
async function saturate(stage: Stage, sql: Sql): Promise<Pick<Delivered, 'saturation' | 'cpuEach'>> {
  const pids = [stage.postgres.pid, stage.temporal.pid, stage.worker.pid];
  await createPaced(stage, 1, 1);
  await until(async () => (await ask(stage, 'count')).requests >= 1, { what: 'a delivery', withinSeconds: 30 });
  await ask(stage, 'reset');
  const before = cpuMilliseconds(pids);
  const startedAt = performance.now();
  await addEvents(sql, BACKLOG);
  const all = async () => (await ask(stage, 'count')).requests >= BACKLOG;
  await until(all, { what: 'the backlog delivered', withinSeconds: 90 });
  const seconds = (performance.now() - startedAt) / 1000;
  return { saturation: BACKLOG / seconds, cpuEach: (cpuMilliseconds(pids) - before) / BACKLOG };
}

/** Inserts events, each about another object, with the body of a customer. The database adds them to the outbox. */
async function addEvents(sql: Sql, count: number): Promise<void> {
  await sql.query(
    `with body as (select object from event where type = 'customer.created' order by id desc limit 1)
     insert into event (account_id, type, subject_type, subject_id, sequence, object, user_id, occurred_at, created_at)
     select $1, 'customer.updated', 'bench', 'bench-' || n, 1, coalesce((select object from body), '{}'), -1, now(), now()
     from generate_series(1, $2::int) n`,
    [await sandboxAccount(sql), count],
  );
}

/** Creates customers through the API at an even rate, without waiting for earlier responses. */
async function createPaced(stage: Stage, pace: number, seconds: number): Promise<void> {
  const clients = Array.from({ length: CONNECTIONS }, () => new Client(stage.origin));
  const headers = headersOf(stage);
  const create = async (n: number): Promise<void> => {
    const body = JSON.stringify({ name: `Customer ${n}`, email: `paced${n}@example.com` });
    const client = clients[n % CONNECTIONS];
    const answer = await client?.request({ method: 'POST', path: '/sandbox/api/customers', headers, body });
    const text = await answer?.body.text();
    if (answer?.statusCode !== 201) throw new Error(`POST /customers: ${answer?.statusCode} ${text}`);
  };
  const startedAt = performance.now();
  const sent: Promise<void>[] = [];
  for (let n = 0; n < pace * seconds; n++) {
    const early = startedAt + (n * 1000) / pace - performance.now();
    if (early > 1) await pause(early);
    sent.push(create(n));
  }
  await Promise.all(sent);
  await Promise.all(clients.map((client) => client.close()));
}

/** Latencies in milliseconds. They are slightly too long, because an event has the time at which its command began, before the commit. */
async function latenciesOf(stage: Stage, sql: Sql): Promise<number[]> {
  const { arrivals } = await ask(stage, 'arrivals');
  const rows = await sql.query<{ id: number; created: Date }>(
    `select id, created_at as created from event where type = 'customer.created' and id = any($1::int[])`,
    [arrivals.map(([id]) => Number(id.replace('evt_', '')))],
  );
  const created = new Map(rows.map(({ id, created: at }) => [`evt_${id}`, at.getTime()]));
  return arrivals.flatMap(([id, at]) => {
    const from = created.get(id);
    return from === undefined ? [] : [at - from];
  });
}

/** Asks the receiver for the number of its requests or, with 'arrivals', for the first arrival of each event. */
export function ask({ world }: Stage, question: 'reset' | 'count' | 'arrivals') {
  return world.ask(question, arrivedShape);
}
