import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { databaseUrls } from '../../adapters/databaseLogins.ts';
import type { Sql } from '../../db/queries/kernel/sql.ts';
import { blocks } from '../blocks.ts';
import { type Database, numberOf, openOwner } from '../database.ts';
import { headersOf } from '../insideApi.ts';
import { type Load, type LoadOptions, loadWithCpu } from '../load.ts';
import { cpuMilliseconds } from '../processes.ts';
import { addCustomers, sandboxAccount } from '../sampleData.ts';
import type { Stage } from '../stage.ts';
import { until } from '../wait.ts';

const CLIENTS = 16;
const SECONDS = 5;
const BATCH = 1000;
/** Usage records of the large bill, and of the small ones beside it. */
const MANY = 1_000_000;
const FEW = 100;
const CANCELED = 250_000;
const PLAN = 'bench-calls';
/** Seconds after which connections have reported their statistics. */
const REPORTED_WITHIN = 12;

export interface UsageMeasured {
  clients: number;
  batch: number;
  /** Reports, one by one. `cpu`: milliseconds of API and PostgreSQL for each. */
  single: { load: Load; cpu: number };
  /** Reports in batches. The load counts requests. */
  batched: { load: Load; cpu: number };
  /** Rows that raw `pg` inserts with as many connections, one by one and in batches, per second. */
  raw: { single: number; batched: number };
  bill: {
    records: number;
    /** Seconds from the due time until the invoice is issued. */
    seconds: number;
    /** CPU of worker and PostgreSQL until then, milliseconds. */
    cpu: number;
    /** Milliseconds in which another statement waited for the customer's lock at most. */
    longestLock: number;
  };
  /** A cancellation takes all usage in its own transaction. Seconds until its answer. */
  cancellation: { records: number; seconds: number };
  /** Buffers of the tables of usage that a bill of few records accesses, before and after the large one. */
  buffers: { records: number; before: number; after: number };
}

/** Reports usage of one subscription by several clients, and bills much of it. */
export async function measureUsage(stage: Stage, sql: Sql): Promise<UsageMeasured> {
  await request(stage, 'plans', { id: PLAN, name: 'Calls', amount: 0.01, interval: 'week', quantity_type: 'usage' });
  const reported = await subscribe(stage, sql, inWeeks(0));
  const single = await report(stage, `${reported}/usage`, (n) => ({ quantity: 1, idempotency_key: `single ${n}` }));
  const batched = await report(stage, `${reported}/usage/batch`, (n) => ({
    usage: Array.from({ length: BATCH }, (_, index) => ({ quantity: 1, idempotency_key: `batch ${n} ${index}` })),
  }));
  const raw = { single: await insertRaw(stage, sql, 1), batched: await insertRaw(stage, sql, BATCH) };
  // Autovacuum reads the tables, too.
  await sql.query('alter table usage_record set (autovacuum_enabled = false)');
  const before = await buffersOfBill(stage, sql);
  const bill = await billMany(stage, sql);
  const after = await buffersOfBill(stage, sql);
  const buffers = { records: FEW, before, after };
  const cancellation = await cancelMany(stage, sql);
  return { clients: CLIENTS, batch: BATCH, single, batched, raw, bill, cancellation, buffers };
}

/** The id of an answer; that of a plan is text. */
const idOf = z.object({ id: z.coerce.number().catch(0) });

/** UNIX seconds. */
const inWeeks = (weeks: number, seconds = 0) => Math.floor(Date.now() / 1000) + weeks * 7 * 86_400 + seconds;

async function request(stage: Stage, path: string, body: object): Promise<number> {
  const url = `${stage.origin}/sandbox/api/${path}`;
  const answer = await fetch(url, { method: 'POST', headers: headersOf(stage), body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return idOf.parse(await answer.json()).id;
}

/** Creates a subscription of a new customer. Returns its id. */
async function subscribe(stage: Stage, sql: Sql, start_date: number): Promise<number> {
  const { first: customer } = await addCustomers(sql, { count: 1, autopay: false });
  return request(stage, 'subscriptions', { customer, plan: PLAN, bill_in: 'arrears', start_date });
}

async function report(stage: Stage, path: string, body: (n: number) => object): Promise<{ load: Load; cpu: number }> {
  const headers = headersOf(stage);
  const next: LoadOptions['request'] = (n) => ({
    method: 'POST',
    path: `/sandbox/api/subscriptions/${path}`,
    headers,
    body: JSON.stringify(body(n)),
  });
  const options = { origin: stage.origin, clients: CLIENTS, warmUpSeconds: 2, seconds: SECONDS, request: next };
  const { load, cpuEach: cpu } = await loadWithCpu(options, [stage.postgres.pid, stage.api.pid]);
  return { load, cpu };
}

/** Inserts rows with as many connections as there are clients. Returns rows per second. */
async function insertRaw({ config }: Stage, sql: Sql, batch: number): Promise<number> {
  const account = await sandboxAccount(sql);
  const { app } = databaseUrls(config.databaseUrl, config.encryptionKey);
  const connections = await Promise.all(Array.from({ length: CLIENTS }, () => openOwner(app)));
  const insert = `insert into usage_record (account_id, subscription_id, quantity, used_at, key, created_at)
    select $1, 0, 1, now(), $2 || n, now() from generate_series(1, $3::int) n`;
  let rows = 0;
  const endsAt = performance.now() + SECONDS * 1000;
  const run = async (connection: Database, index: number) => {
    await connection.query(`set app.account_id = '${account}'`);
    for (let n = 0; performance.now() < endsAt; n += 1) {
      await connection.query(insert, [account, `raw ${batch} ${index} ${n} `, batch]);
      rows += batch;
    }
  };
  await Promise.all(connections.map(run));
  await Promise.all(connections.map((connection) => connection.close()));
  return rows / SECONDS;
}

/** Writes usage records of a subscription in the week before now. */
async function addUsage(sql: Sql, subscription: number, count: number): Promise<void> {
  await sql.query(
    `insert into usage_record (account_id, subscription_id, quantity, used_at, key, created_at)
     select account_id, id, 1, anchor_at + n * (interval '6 days' / $2::int), 'added ' || n, now()
     from subscription, generate_series(1, $2::int) n where id = $1`,
    [subscription, count],
  );
}

/**
 * Lets a bill of few records become due, and counts the buffers of the tables of usage that are accessed meanwhile. A connection reports what
 * it has accessed after ten seconds of rest at the latest, so the counts before and after the bill wait for that.
 */
async function buffersOfBill(stage: Stage, sql: Sql): Promise<number> {
  await sql.query('vacuum analyze');
  const id = await subscribe(stage, sql, inWeeks(-1, REPORTED_WITHIN + 10));
  await addUsage(sql, id, FEW);
  await pause(REPORTED_WITHIN * 1000);
  const before = await blocks(sql, 'usage%');
  if ((await billsOf(sql, id)) > 0) throw new Error('the bill came before its buffers were counted');
  await untilBilled(sql, id);
  await pause(REPORTED_WITHIN * 1000);
  return (await blocks(sql, 'usage%')) - before;
}

async function billMany(stage: Stage, sql: Sql): Promise<UsageMeasured['bill']> {
  const id = await subscribe(stage, sql, inWeeks(-1, 120));
  await addUsage(sql, id, MANY);
  await sql.query('vacuum analyze usage_record');
  const dueAt = await numberOf(sql, 'select extract(epoch from period_end_at) * 1000 from subscription where id = $1', [
    id,
  ]);
  await until(async () => Date.now() >= dueAt, { what: 'the bill is due', withinSeconds: 130 });
  const pids = [stage.postgres.pid, stage.worker.pid];
  const cpu = cpuMilliseconds(pids);
  let isBilled = false;
  const locks = lockAgain(stage, sql, { id, isOver: () => isBilled });
  await untilBilled(sql, id);
  const seconds = (Date.now() - dueAt) / 1000;
  isBilled = true;
  return { records: MANY, seconds, cpu: cpuMilliseconds(pids) - cpu, longestLock: await locks };
}

async function cancelMany(stage: Stage, sql: Sql): Promise<UsageMeasured['cancellation']> {
  const id = await subscribe(stage, sql, inWeeks(-1, 3600));
  await addUsage(sql, id, CANCELED);
  await sql.query('vacuum analyze usage_record');
  const begun = performance.now();
  const url = `${stage.origin}/sandbox/api/subscriptions/${id}`;
  const answer = await fetch(url, { method: 'DELETE', headers: headersOf(stage) });
  if (!answer.ok) throw new Error(`cancellation: ${answer.status} ${await answer.text()}`);
  return { records: CANCELED, seconds: (performance.now() - begun) / 1000 };
}

function billsOf(sql: Sql, id: number): Promise<number> {
  return numberOf(sql, 'select count(*) from invoice where subscription_id = $1', [id]);
}

function untilBilled(sql: Sql, id: number): Promise<void> {
  return until(async () => (await billsOf(sql, id)) > 0, { what: 'the bill', withinSeconds: 180 });
}

/** Locks the customer of a subscription again and again, as other work on it would. Returns the longest wait, milliseconds. */
async function lockAgain(
  { config }: Stage,
  sql: Sql,
  { id, isOver }: { id: number; isOver: () => boolean },
): Promise<number> {
  const customer = await numberOf(sql, 'select customer_id from subscription where id = $1', [id]);
  const other = await openOwner(config.databaseUrl);
  const waits: number[] = [];
  while (!isOver()) {
    const begun = performance.now();
    await other.query('select 1 from customer where id = $1 for no key update', [customer]);
    waits.push(performance.now() - begun);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await other.close();
  return Math.max(...waits);
}
