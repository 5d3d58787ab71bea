import { loadavg } from 'node:os';
import type { Sql } from '../../db/queries/kernel/sql.ts';
import { numberOf } from '../database.ts';
import { cpuMilliseconds } from '../processes.ts';
import { addAddons, addCustomers, addEndpoint, addSubscriptions, type Range, removeEndpoint } from '../sampleData.ts';
import type { Stage } from '../stage.ts';
import { until, untilQuiet, untilTime } from '../wait.ts';

/** Cost of renewals that are due in the same second. */
export interface Renewed {
  count: number;
  subscriptions: Range;
  /** Due time, epoch milliseconds. */
  dueAt: number;
  /** Seconds from the due time until all invoices were issued, and until all work was done. */
  issuedSeconds: number;
  doneSeconds: number;
  /** CPU of each part until all work was done, milliseconds per renewal. */
  cpu: { postgres: number; temporal: number; worker: number; api: number; total: number };
  deliveriesEach: number;
  load: number;
}

export interface Renewals {
  count: number;
  charged: boolean;
  /** Ids of weekly plans that each subscription has as add-ons. */
  addons?: readonly string[];
  /** Called half a second before the due time. */
  onDue?: () => Promise<void>;
}

/**
 * Milliseconds before the due time in which the processes start and fall asleep. The first try expects a machine that starts about 100 a
 * second, the second one a slow machine with a third of that.
 */
const LEADS = [(count: number) => 5000 + count * 10, (count: number) => 15_000 + count * 30];

/**
 * Lets the processes of this many subscriptions sleep until the same time and measures their renewals. `charged`: by AutoPay, each with a
 * receipt, and with an endpoint that gets all events. Otherwise the invoices are only issued, and their collection starts later.
 */
export async function renew(stage: Stage, sql: Sql, wanted: Renewals): Promise<Renewed> {
  for (const lead of LEADS) {
    const renewed = await renewAfter(lead(wanted.count), { stage, sql }, wanted);
    if (renewed) return renewed;
  }
  throw new Error('the processes were not asleep in time');
}

/** Null if some processes were not asleep in time, because the result would include their start. */
async function renewAfter(
  leadMilliseconds: number,
  { stage, sql }: { stage: Stage; sql: Sql },
  wanted: Renewals,
): Promise<Renewed | null> {
  const { count, charged } = wanted;
  const endpoint = charged ? await addEndpoint(stage, sql) : null;
  const customers = await addCustomers(sql, { count, autopay: charged });
  await sql.query('vacuum analyze');
  const dueAt = Math.ceil((Date.now() + leadMilliseconds) / 1000) * 1000;
  const subscriptions = await addSubscriptions(sql, customers, new Date(dueAt));
  if (wanted.addons) await addAddons(sql, subscriptions, wanted.addons);
  const pids = partsOf(stage);
  await until(async () => (await waking(sql)) === 0, { what: 'every process started', withinSeconds: 120 });
  await untilQuiet(Object.values(pids), 120);
  if (Date.now() > dueAt - 1000) {
    await until(() => isDone(sql, { customers, charged }), { what: 'the late ones done', withinSeconds: 180 });
    if (endpoint) await removeEndpoint(sql, endpoint);
    return null;
  }
  await untilTime(dueAt - 500);
  await wanted.onDue?.();
  const before = measured(pids);
  await untilTime(dueAt);
  const issued = `select count(*) from invoice where subscription_id >= $1 and subscription_id < $1 + $2`;
  const all = [subscriptions.first, count];
  await until(async () => (await numberOf(sql, issued, all)) >= count, {
    what: 'every invoice issued',
    withinSeconds: 180,
  });
  const issuedSeconds = (Date.now() - dueAt) / 1000;
  await until(() => isDone(sql, { customers, charged }), { what: 'everything done', withinSeconds: 180 });
  const doneSeconds = (Date.now() - dueAt) / 1000;
  const cpu = perUnit(before, measured(pids), count);
  const deliveries = endpoint
    ? await numberOf(sql, 'select count(*) from webhook_attempt where webhook_id = $1', [endpoint])
    : 0;
  if (endpoint) await removeEndpoint(sql, endpoint);
  const load = loadavg()[0] ?? 0;
  return { count, subscriptions, dueAt, issuedSeconds, doneSeconds, cpu, deliveriesEach: deliveries / count, load };
}

/** Number of outbox rows that the relay still has to process, without look-ups of charges, which wait for a minute. */
export function waking(sql: Sql): Promise<number> {
  return numberOf(sql, `select count(*) from outbox where topic <> 'charge'`);
}

async function isDone(sql: Sql, wanted: { customers: Range; charged: boolean }): Promise<boolean> {
  if ((await waking(sql)) > 0) return false;
  if (!wanted.charged) return true;
  const { first, count } = wanted.customers;
  const open = await numberOf(
    sql,
    `select (select count(*) from email where state = 'queued')
          + (select count(*) from webhook_lane where due_at is not null)
          + $2 - (select count(*) from payment where customer_id >= $1 and customer_id < $1 + $2)`,
    [first, count],
  );
  return open === 0;
}

type Pids = Record<'postgres' | 'temporal' | 'worker' | 'api', number>;

function partsOf({ postgres, temporal, worker, api }: Stage): Pids {
  return { postgres: postgres.pid, temporal: temporal.pid, worker: worker.pid, api: api.pid };
}

function measured(pids: Pids): Pids {
  const of = (pid: number) => cpuMilliseconds([pid]);
  return { postgres: of(pids.postgres), temporal: of(pids.temporal), worker: of(pids.worker), api: of(pids.api) };
}

function perUnit(before: Pids, after: Pids, count: number): Renewed['cpu'] {
  const each = (part: keyof Pids) => (after[part] - before[part]) / count;
  const cpu = { postgres: each('postgres'), temporal: each('temporal'), worker: each('worker'), api: each('api') };
  return { ...cpu, total: cpu.postgres + cpu.temporal + cpu.worker + cpu.api };
}
