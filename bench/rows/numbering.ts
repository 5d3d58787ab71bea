import type { Sql } from '../../db/queries/kernel/sql.ts';
import { headersOf } from '../insideApi.ts';
import type { Load } from '../load.ts';
import { addCustomers } from '../sampleData.ts';
import type { Stage } from '../stage.ts';
import { untilQuiet } from '../wait.ts';
import { invoiceBody, measured } from './invoices.ts';

const CLIENTS = 32;
const CUSTOMERS = 1000;
const LINES = 3;

/**
 * Invoices that 32 clients issue under one account at the same time, without a worker. `series`: with numbers of its series, which each issue
 * locks from taking the number to the commit. `supplied`: with numbers from the clients, which lock nothing.
 */
export interface Numbered {
  clients: number;
  series: Load;
  seriesCpu: number;
  supplied: Load;
  suppliedCpu: number;
}

export async function issueAtOnce(stage: Stage, sql: Sql, seconds: number): Promise<Numbered> {
  const customers = await addCustomers(sql, { count: CUSTOMERS, autopay: false });
  const customerOf = (n: number) => customers.first + (n % customers.count);
  const pids = [stage.postgres.pid, stage.api.pid];
  const headers = headersOf(stage);
  const target = {
    origin: stage.origin,
    pathOf: () => '/sandbox/api/invoices',
    headers,
    clients: CLIENTS,
    seconds,
    pids,
    sql,
  };
  await untilQuiet([...pids, stage.worker.pid], 60);
  await stage.worker.stop();
  try {
    const series = await measured({ ...target, body: (n) => invoiceBody(customerOf(n), LINES) });
    const numbered = (n: number) => ({ number: `OWN-${customers.first}-${n}` });
    const supplied = await measured({ ...target, body: (n) => invoiceBody(customerOf(n), LINES, numbered(n)) });
    return {
      clients: CLIENTS,
      series: series.load,
      seriesCpu: series.cpuEach,
      supplied: supplied.load,
      suppliedCpu: supplied.cpuEach,
    };
  } finally {
    await stage.restart('worker');
  }
}
