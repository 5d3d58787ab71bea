import type { Sql } from '../../db/queries/kernel/sql.ts';
import { exchange, headersOf } from '../insideApi.ts';
import { type Load, loadWithCpu } from '../load.ts';
import type { Stage } from '../stage.ts';

const CLIENTS = 16;
/** Statements that are not counted. The statement that authenticates is subtracted separately. */
const UNCOUNTED = /^(begin|commit|rollback|set |select set_config)/i;

export interface Read {
  load: Load;
  /** Milliseconds of CPU of API and PostgreSQL per request. */
  cpuEach: number;
  /** Number of statements, without the one that authenticates. */
  statements: number;
}

export type Reads = Record<'one' | 'list' | 'expanded', Read>;

/** Measures reads of one invoice, and of a list of 100 with lines, with and without expanded customers. Invoices must exist. */
export async function readInvoices(stage: Stage, sql: Sql, seconds: number): Promise<Reads> {
  const rows = await sql.query<{ id: number }>(
    `select i.id from invoice i where exists (select 1 from line_item l where l.account_id = i.account_id and l.invoice_id = i.id)
     order by i.id limit 1000`,
  );
  const ids = rows.map((row) => row.id);
  const one = await reading(stage, seconds, (n) => `/invoices/${ids[n % ids.length]}`);
  const list = await reading(stage, seconds, (n) => `/invoices?per_page=100&page=${1 + (n % 5)}`);
  const expanded = await reading(stage, seconds, (n) => `/invoices?per_page=100&expand=customer&page=${1 + (n % 5)}`);
  return { one, list, expanded };
}

async function reading(stage: Stage, seconds: number, pathOf: (n: number) => string): Promise<Read> {
  const captured = await exchange(
    stage,
    [1, 2].map((n) => ({ method: 'GET', path: pathOf(n) })),
  );
  const texts = captured.at(-1)?.statements.map((statement) => statement.text) ?? [];
  const statements = texts.filter((text) => !UNCOUNTED.test(text.trim())).length - 1;
  const headers = headersOf(stage);
  const request = (n: number) => ({ method: 'GET' as const, path: `/sandbox/api${pathOf(n)}`, headers });
  const target = { origin: stage.origin, clients: CLIENTS, warmUpSeconds: 1, seconds, request };
  return { ...(await loadWithCpu(target, [stage.postgres.pid, stage.api.pid])), statements };
}
