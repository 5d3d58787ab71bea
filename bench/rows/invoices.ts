import type { Sql } from '../../db/queries/kernel/sql.ts';
import { numberOf } from '../database.ts';
import { headersOf } from '../insideApi.ts';
import { type Load, load } from '../load.ts';
import { cpuMilliseconds } from '../processes.ts';
import { captured, raiseSequences, withReplay } from '../replaying.ts';
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
  const post = { method: 'POST' as const, path: '/invoices', body: bodyOf(customers.first) };
  const replay = await captured(stage, { requests: [post, post], subject: customers.first, account });
  const customerOf = (n: number) => customers.first + (n % customers.count);
  const body = (n: number) => bodyOf(customerOf(n));
  const target = { clients: CLIENTS, body, seconds, sql };
  const api = { ...target, origin: stage.origin, pathOf: () => '/sandbox/api/invoices', headers: headersOf(stage) };
  const everything = [stage.postgres.pid, stage.temporal.pid, stage.api.pid, stage.worker.pid];
  const product = await measured({ ...api, pids: everything });
  await untilQuiet(everything, 60);
  await stage.worker.stop();
  try {
    const alone = await measured({ ...api, pids: [stage.postgres.pid, stage.api.pid] });
    const raw = await withoutTrace(sql, () =>
      withReplay(stage, replay, ({ origin, pid }) =>
        measured({
          ...target,
          origin,
          pathOf: (n) => `/${customerOf(n)}`,
          headers: headersOf(stage),
          pids: [stage.postgres.pid, pid],
        }),
      ),
    );
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

interface Target {
  origin: string;
  /** Path of the n-th request. */
  pathOf(n: number): string;
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
  const { origin, pathOf, headers, clients, body, seconds, pids, sql } = target;
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
    request: (n) => ({ method: 'POST', path: pathOf(n), headers, body: body(n) }),
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
