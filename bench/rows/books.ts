import { z } from 'zod';
import { findDrifts, findDriftsSince } from '../../bin/audit.ts';
import type { Findings } from '../../bin/boundedChecks.ts';
import type { Sql } from '../../db/queries/kernel/sql.ts';
import { headersOf } from '../insideApi.ts';
import { type Load, loadWithCpu } from '../load.ts';
import { addCustomers, type Range } from '../sampleData.ts';
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
  await copyInvoice(sql, invoice, customers);
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
  const url = `${stage.origin}/sandbox/api${path}`;
  const answer = await fetch(url, { method: 'POST', headers: headersOf(stage), body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return idOf.parse(await answer.json()).id;
}

/** Issues an invoice with a number of its own, which no series has. */
function issue(stage: Stage, customer: number): Promise<number> {
  const items = [{ name: 'Seats', quantity: 12, unit_cost: 25 }];
  return post(stage, '/invoices', { customer, number: 'COPIED 0', items });
}

/** Copies an invoice with all rows that belong to it. Each customer gets ten copies, of which each has another amount than the others. */
async function copyInvoice(sql: Sql, invoice: number, customers: Range): Promise<void> {
  await sql.query('set session_replication_role = replica'); // the copies are neither checked nor announced
  const copies: [table: string, of: string, changes: string][] = [
    [
      'invoice',
      't.id = $1',
      `'id', $2 + n, 'customer_id', $3 + n / ${PER_CUSTOMER}, 'number', 'COPIED ' || n, 'number_key', 'COPIED ' || n, 'token', md5(n::text)`,
    ],
    ['line_item', 't.invoice_id = $1', `'id', nextval('line_item_id_seq'), 'invoice_id', $2 + n`],
    [
      'ledger_entry',
      't.invoice_id = $1',
      `'id', nextval('ledger_entry_id_seq'), 'invoice_id', $2 + n, 'customer_id', $3 + n / ${PER_CUSTOMER}, 'posting', md5(t.posting || ' ' || n)`,
    ],
    ['wakeup', `t.process = 'invoice' and t.subject_id = $1`, `'subject_id', $2 + n`],
    [
      'event',
      `t.subject_type = 'invoice' and t.subject_id = ($1::int)::text`,
      `'id', nextval('event_id_seq'), 'subject_id', ($2 + n)::text`,
    ],
  ];
  const [last] = await sql.query<{ id: number }>(
    `select setval('invoice_id_seq', nextval('invoice_id_seq') + $1)::int as id`,
    [INVOICES],
  );
  const before = Number(last?.id) - INVOICES;
  for (const [table, of, changes] of copies) {
    await sql.query(
      `insert into "${table}" select copied.* from "${table}" t, generate_series(1, ${INVOICES}) n,
         jsonb_populate_record(null::"${table}", to_jsonb(t) || jsonb_build_object(${changes})) copied
       where ${of} and $2::int > 0 and $3::int > 0`,
      [invoice, before, customers.first],
    );
  }
  await sql.query(
    `insert into event_log (account_id, event_id) select e.account_id, e.id from event e
     where not exists (select 1 from event_log l where l.account_id = e.account_id and l.event_id = e.id)`,
  );
  await sql.query('set session_replication_role = origin');
  await sql.query('vacuum analyze');
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
