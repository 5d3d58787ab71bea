import { z } from 'zod';
import { findDrifts, findDriftsSince } from '../../bin/audit.ts';
import type { Findings } from '../../bin/boundedChecks.ts';
import type { Sql } from '../../db/queries/kernel/sql.ts';
import { copyInvoice } from '../copiedInvoices.ts';
import { headersOf } from '../insideApi.ts';
import { type Load, loadWithCpu } from '../load.ts';
import { addCustomers, type Range } from '../sampleData.ts';
import { send } from '../send.ts';
import type { Stage } from '../stage.ts';
import { until } from '../wait.ts';

const INVOICES = 100_000;
export const PER_CUSTOMER = 10;
/** Customers with a new payment. */
const CHANGED = 100;
const PAYMENTS = 200;
const CLIENTS = 4;
const SECONDS = 5;
const AUDIT_BOUND = 600_000;

export interface BooksMeasured {
  invoices: number;
  /** Seconds of an audit of everything. */
  audit: number;
  /** Seconds of an audit of the customers that changed since the copies were made. */
  auditSince: { customers: number; seconds: number };
  /** Suggestions for payments whose amount, number or sender fits some of the open invoices. */
  matching: { clients: number; load: Load; cpu: number };
}

/** An audit of many open invoices, and suggestions for payments among them. */
export async function measureBooks(stage: Stage, sql: Sql): Promise<BooksMeasured> {
  const customers = await addCustomers(sql, { count: INVOICES / PER_CUSTOMER + 1, autopay: false });
  const invoice = await issue(stage, customers.first);
  await until(async () => (await sql.query('select 1 from outbox')).length === 0, { what: 'quiet', withinSeconds: 60 });
  await copyInvoice(sql, { invoice, customers, count: INVOICES, each: PER_CUSTOMER, word: 'COPIED' });
  const { databaseUrl } = stage.config;
  const audit = await cleanWithin(() => findDrifts(databaseUrl, AUDIT_BOUND));
  const since = new Date();
  for (let n = 0; n < CHANGED; n++) await post(stage, '/payments', { customer: customers.first + n, amount: 1 });
  const seconds = await cleanWithin(() => findDriftsSince(databaseUrl, since, AUDIT_BOUND));
  const auditSince = { customers: CHANGED, seconds };
  return { invoices: INVOICES, audit, auditSince, matching: await measureMatching(stage, customers) };
}

/** Seconds of an audit that has to find clean books. */
async function cleanWithin(audit: () => Promise<Findings>): Promise<number> {
  const started = performance.now();
  const { drifts, unchecked } = await audit();
  if (drifts.length > 0 || unchecked.length > 0) throw new Error(JSON.stringify([drifts[0], unchecked[0]]));
  return (performance.now() - started) / 1000;
}

const idOf = z.object({ id: z.number() });

async function post(stage: Stage, path: string, body: object): Promise<number> {
  return idOf.parse(await send(stage, `POST ${path}`, body)).id;
}

/** Issues an invoice with a number of its own, which no series has. */
function issue(stage: Stage, customer: number): Promise<number> {
  const items = [{ name: 'Seats', quantity: 12, unit_cost: 25 }];
  return post(stage, '/invoices', { customer, number: 'COPIED 0', items });
}

/** Reads the suggestions for payments that name a customer or the number of an invoice, or only have a usual amount. */
async function measureMatching(stage: Stage, { first }: Range): Promise<BooksMeasured['matching']> {
  const payments: number[] = [];
  for (let n = 0; n < PAYMENTS; n++) {
    const customer = n % 3 === 0 ? first + n * 7 : undefined;
    const reference = n % 3 === 1 ? `invoice COPIED ${n * 41 + 7}` : `transfer ${n}`;
    const body = { customer, reference, currency: 'usd', method: 'wire_transfer', source: 'bank_feed', amount: 300 };
    payments.push(await post(stage, '/payments', body));
  }
  const request = (n: number) => ({
    method: 'GET' as const,
    path: `/sandbox/api/payments/${payments[n % payments.length]}/matches`,
    headers: headersOf(stage),
  });
  const options = { origin: stage.origin, clients: CLIENTS, warmUpSeconds: 1, seconds: SECONDS, request };
  const { load, cpuEach } = await loadWithCpu(options, [stage.postgres.pid, stage.api.pid]);
  return { clients: CLIENTS, load, cpu: cpuEach };
}
