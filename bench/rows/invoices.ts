import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { databaseUrls } from '../../adapters/databaseLogins.ts';
import type { Sql } from '../../db/queries/kernel/sql.ts';
import { numberOf } from '../database.ts';
import { exchange, headersOf } from '../insideApi.ts';
import { type Load, load } from '../load.ts';
import { cpuMilliseconds } from '../processes.ts';
import { startProgram } from '../program.ts';
import { LEAST_GENERATED, type Replay, slotted } from '../reference/replay.ts';
import { addCustomers, sandboxAccount } from '../sampleData.ts';
import type { Stage } from '../stage.ts';
import { untilQuiet } from '../wait.ts';

const CLIENTS = 16;
const CUSTOMERS = 1000;

/** POST /invoices by the whole product, by an API without a worker, and by a bare server that sends the same statements. */
export interface Created {
  lines: number;
  product: Load;
  /** Milliseconds of CPU per request of all processes, including the work of the relay meanwhile. */
  productCpu: number;
  alone: Load;
  aloneCpu: number;
  raw: Load;
  rawCpu: number;
  statements: number;
}

export async function createInvoices(
  stage: Stage,
  sql: Sql,
  { lines, seconds }: { lines: number; seconds: number },
): Promise<Created> {
  await raiseSequences(sql);
  const customers = await addCustomers(sql, { count: CUSTOMERS, autopay: false });
  const bodyOf = (customer: number) => invoiceBody(customer, lines);
  const account = await sandboxAccount(sql);
  const replay = await captured(stage, { customer: customers.first, body: bodyOf(customers.first), account });
  const body = (n: number) => bodyOf(customers.first + (n % customers.count));
  const target = { clients: CLIENTS, body, seconds, sql };
  const api = { ...target, origin: stage.origin, path: '/sandbox/api/invoices', headers: headersOf(stage) };
  const everything = [stage.postgres.pid, stage.temporal.pid, stage.api.pid, stage.worker.pid];
  const product = await measured({ ...api, pids: everything });
  await untilQuiet(everything, 60);
  await stage.worker.stop();
  try {
    const alone = await measured({ ...api, pids: [stage.postgres.pid, stage.api.pid] });
    const raw = await withoutTrace(sql, () => measureRaw(stage, { ...target, headers: headersOf(stage) }, replay));
    return {
      lines,
      product: product.load,
      productCpu: product.cpuEach,
      alone: alone.load,
      aloneCpu: alone.cpuEach,
      raw: raw.load,
      rawCpu: raw.cpuEach,
      statements: replay.statements.length,
    };
  } finally {
    await stage.restart('worker');
  }
}

/** Runs work and then deletes the events and outbox rows that it has written, so that no worker processes them. */
async function withoutTrace<Result>(sql: Sql, work: () => Promise<Result>): Promise<Result> {
  const lastEvent = await numberOf(sql, 'select max(id) from event');
  const lastOutbox = await numberOf(sql, 'select coalesce(max(id), 0)::float8 from outbox');
  const lastInvoice = await numberOf(sql, 'select max(id) from invoice');
  const result = await work();
  await sql.query('delete from event where id > $1', [lastEvent]);
  await sql.query('delete from outbox where id > $1', [lastOutbox]);
  await sql.query('update invoice set event_count = 0 where id > $1', [lastInvoice]);
  return result;
}

const ITEMS = [
  { name: 'Seats', quantity: 12, unit_cost: 25 },
  { name: 'Storage', quantity: 3.5, unit_cost: 4.2 },
  { name: 'Support', quantity: 1, unit_cost: 150 },
];

/** The request body for an invoice. `more`: additional fields. */
export function invoiceBody(customer: number, lines: number, more: object = {}): string {
  const items = Array.from({ length: lines }, (_, n) => ITEMS[n % ITEMS.length]);
  return JSON.stringify({ customer, items, ...more });
}

/** Raises the sequences, so that generated ids differ from all other numbers in a statement. */
async function raiseSequences(sql: Sql): Promise<void> {
  const tables = ['customer', 'invoice', 'line_item', 'event', 'outbox', 'ledger_entry'];
  for (const [index, table] of tables.entries()) {
    const sequence = `${table}_id_seq`;
    const least = LEAST_GENERATED * (index + 2);
    await sql.query(`select setval('${sequence}', greatest($1, (select last_value from ${sequence})))`, [least]);
  }
}

async function captured(
  stage: Stage,
  { customer, body, account }: { customer: number; body: string; account: number },
): Promise<Replay> {
  const post = { method: 'POST' as const, path: '/invoices', body };
  const [, second] = await exchange(stage, [post, post]);
  if (!second) throw new Error('nothing was captured');
  return {
    databaseUrl: databaseUrls(stage.config.databaseUrl, stage.config.encryptionKey).app,
    session: `-c app.account_id=${account}`,
    poolSize: stage.config.databasePool,
    statements: slotted(second.statements, customer),
    answer: second.answer,
  };
}

interface Target {
  origin: string;
  path: string;
  headers: Record<string, string>;
  clients: number;
  /** Body of the n-th request. */
  body(n: number): string;
  seconds: number;
  pids: number[];
  sql: Sql;
}

/** Lets clients create invoices for some seconds. `cpuEach`: milliseconds of CPU per invoice that was created. */
export async function measured(target: Target): Promise<{ load: Load; cpuEach: number }> {
  const { origin, path, headers, clients, body, seconds, pids, sql } = target;
  const [used, invoices]: number[][] = [[], []];
  const mark = async () => {
    used?.push(cpuMilliseconds(pids));
    invoices?.push(await numberOf(sql, 'select count(*) from invoice'));
  };
  const marks: Promise<void>[] = [];
  const found = await load({
    origin,
    clients,
    warmUpSeconds: 2,
    seconds,
    request: (n) => ({ method: 'POST', path, headers, body: body(n) }),
    onMeasuring: () => void marks.push(mark()),
    onMeasured: () => void marks.push(mark()),
  });
  await Promise.all(marks);
  const [cpu, made] = [difference(used), difference(invoices)];
  // Requests that were in flight at the end may or may not be counted.
  if (Math.abs(made - found.requests) > clients + 0.1 * found.requests)
    throw new Error(`${found.requests} answers, ${made} invoices`);
  return { load: found, cpuEach: cpu / made };
}

const difference = ([before = 0, after = 0]: number[] = []) => after - before;

async function measureRaw(stage: Stage, target: Omit<Target, 'origin' | 'path' | 'pids'>, replay: Replay) {
  const file = join(stage.folder, 'replay.json');
  writeFileSync(file, JSON.stringify(replay));
  const reference = await startProgram({
    program: 'reference/invoices.ts',
    args: [file],
    logFile: stage.logFile('reference'),
    hello: z.object({ port: z.number() }),
  });
  try {
    const origin = `http://127.0.0.1:${reference.hello.port}`;
    return await measured({ ...target, origin, path: '/invoices', pids: [stage.postgres.pid, reference.pid] });
  } finally {
    await reference.stop();
  }
}
