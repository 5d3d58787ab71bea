import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Database } from '../database.ts';
import type { Range } from '../sampleData.ts';
import type { Stage } from '../stage.ts';

const CUSTOMERS = 1000;

/** The bench of a checkout. It starts the programs of that checkout and knows its tables. */
export interface Checkout {
  folder: string;
  audit: typeof import('../../bin/audit.ts');
  database: typeof import('../database.ts');
  stage: typeof import('../stage.ts');
  sampleData: typeof import('../sampleData.ts');
  calculation: typeof import('../rows/calculation.ts');
  pdfs: typeof import('../rows/pdfs.ts');
  renewals: typeof import('../rows/renewals.ts');
  webhooks: typeof import('../rows/webhooks.ts');
}

/** Loads the bench of a checkout. Throws if a module or a dependency is missing. */
export async function loadCheckout(folder: string): Promise<Checkout> {
  const load = (file: string) => import(pathToFileURL(join(resolve(folder), 'bench', file)).href);
  return {
    folder: resolve(folder),
    audit: await load('../bin/audit.ts'),
    database: await load('database.ts'),
    stage: await load('stage.ts'),
    sampleData: await load('sampleData.ts'),
    calculation: await load('rows/calculation.ts'),
    pdfs: await load('rows/pdfs.ts'),
    renewals: await load('rows/renewals.ts'),
    webhooks: await load('rows/webhooks.ts'),
  };
}

/** A running checkout. */
export interface Side {
  checkout: Checkout;
  stage: Stage;
  sql: Database;
  /** Customers without AutoPay. */
  customers: Range;
  /** Ids of the processes of PostgreSQL, Temporal, API and worker. */
  pids: number[];
  /** Returns 0, 1, 2, … so that each request differs from the one before it. */
  nextNumber(): number;
  close(): Promise<void>;
}

/** Starts the programs of a checkout. The caller closes it. */
export async function openSide(
  checkout: Checkout,
  options: { cacheFolder: string; progress: (line: string) => void },
): Promise<Side> {
  const stage = await checkout.stage.openStage(options);
  let sql: Database | null = null;
  const close = () => Promise.resolve(sql?.close()).finally(() => stage.stop());
  try {
    sql = await checkout.database.openOwner(stage.config.databaseUrl);
    let numbers = 0;
    return {
      checkout,
      stage,
      sql,
      customers: await checkout.sampleData.addCustomers(sql, { count: CUSTOMERS, autopay: false }),
      pids: [stage.postgres.pid, stage.temporal.pid, stage.api.pid, stage.worker.pid],
      nextNumber: () => numbers++,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
