import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readConfig, type Settings } from '../bin/config.ts';
import { buildDeps, type Deps } from '../bin/deps.ts';
import { runAttempt } from '../commands/charges/attempts.ts';
import { advanceInvoice } from '../commands/collection/invoiceSteps.ts';
import { advanceSubscription } from '../commands/subscriptions/steps/steps.ts';
import { RANDOM_PAGE_COST } from '../db/database.ts';
import type { Sql } from '../db/queries/kernel/sql.ts';
import { withAccount } from '../db/tenant.ts';
import { inTransaction } from '../db/transaction.ts';
import { blocks } from './blocks.ts';
import { type Database, numberOf, openOwner } from './database.ts';
import { growTo } from './growthData.ts';
import { type Plan, plansOf } from './plans.ts';
import { type Figure, fixed } from './report.ts';
import { addCustomers, addSubscriptions, sandboxAccount } from './sampleData.ts';
import { openPostgres, prepare } from './servers.ts';
import { temporaryFolder } from './stage.ts';
import { captureStatements } from './statements.ts';

const SIZES = [10_000, 1_000_000];
const RENEWALS = 100;
const WARM_UP = 20;
const AIM = 1.3;

interface Measured {
  rows: number;
  /** Buffers of tables and indexes that a charged renewal accesses, in memory or on disk. */
  buffers: number;
  plans: Plan[];
}

/** Compares the buffers that a charged renewal accesses in small and in large tables. Its commands run in this process, without Temporal. */
export async function growth(settings: Settings, progress: (line: string) => void): Promise<Figure[]> {
  const folder = temporaryFolder();
  const logFile = (name: string) => join(folder, 'logs', `${name}.log`);
  const postgres = await openPostgres({ folder, logFile, progress }, {});
  try {
    const encryption = Buffer.alloc(32, 1).toString('base64');
    const env = {
      PATH: process.env.PATH,
      PERENNIAL_DATA: folder,
      DATABASE_URL: postgres.url,
      PERENNIAL_ENCRYPTION_KEY: encryption,
    };
    await prepare(env, logFile('prepare'));
    const config = { ...readConfig(env), logLevel: settings.logLevel };
    const sql = await openOwner(postgres.url);
    await sql.query(`set random_page_cost = ${RANDOM_PAGE_COST}`); // plan as in the product's own sessions
    const measured: Measured[] = [];
    for (const rows of SIZES) {
      progress(`Growing to ${rows.toLocaleString('en')} invoices …`);
      await growTo(sql, rows);
      measured.push({ rows, ...(await measure(sql, () => buildDeps(config))) });
    }
    await sql.close();
    return [compare(measured)];
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function measure(sql: Database, open: () => Promise<Deps>): Promise<Omit<Measured, 'rows'>> {
  await withDeps(open, (deps) => renewAll(deps, sql, WARM_UP));
  const before = await blocks(sql);
  await withDeps(open, (deps) => renewAll(deps, sql, RENEWALS));
  const buffers = ((await blocks(sql)) - before) / RENEWALS;
  const plans = await withDeps(open, async (deps) => {
    const statements = await captureStatements(deps.em, () => renewAll(deps, sql, 1));
    const found: Plan[] = [];
    for (const statement of statements) found.push(...(await plansOf(sql, statement)));
    return found;
  });
  return { buffers, plans };
}

/** Runs work with dependencies and closes them, because a connection reports its statistics at the latest when it ends. */
async function withDeps<Result>(open: () => Promise<Deps>, work: (deps: Deps) => Promise<Result>): Promise<Result> {
  const deps = await open();
  try {
    return await work(deps);
  } finally {
    await deps.close();
  }
}

/** Renews this many subscriptions one after another, as their processes would: bill, charge, record. */
async function renewAll(deps: Deps, sql: Sql, count: number): Promise<void> {
  const customers = await addCustomers(sql, { count, autopay: true });
  const { first } = await addSubscriptions(sql, customers, new Date(Date.now() - 1000));
  const accountId = await sandboxAccount(sql);
  const { lookUpDelay } = deps;
  const ids = Array.from({ length: count }, (_, n) => first + n);
  await withAccount(accountId, async () => {
    for (const id of ids) {
      await inTransaction(deps.em, (em) => advanceSubscription(em, { accountId, id }, deps.systemNow()));
      const invoice = await numberOf(sql, 'select id from invoice where account_id = $1 and subscription_id = $2', [
        accountId,
        id,
      ]);
      const collect = () =>
        inTransaction(deps.em, (em) => advanceInvoice(em, { accountId, id: invoice, lookUpDelay }, deps.systemNow()));
      const { call } = await collect();
      if (call === null) throw new Error(`invoice ${invoice} was not charged`);
      await runAttempt(deps, { accountId, id: call });
      await collect();
    }
  });
}

function compare([small, large]: Measured[]): Figure {
  if (!small || !large) throw new Error('two sizes are compared');
  const ratio = large.buffers / small.buffers;
  const shown = ({ plans }: Measured) => plans.map(({ text, access }) => `${text}\n${access}`);
  const known = new Set(shown(small));
  const changed = shown(large).filter((plan) => !known.has(plan));
  for (const plan of changed) console.log(`Another plan at ${large.rows} rows:\n${plan}`);
  return {
    what: `Growth: buffers per charged renewal at ${large.rows.toLocaleString('en')} invoices`,
    figure: `${fixed(large.buffers)}; ${changed.length === 0 ? 'same plans' : `${changed.length} other plans`}`,
    reference: `${fixed(small.buffers)} at ${small.rows.toLocaleString('en')}`,
    ratio: fixed(ratio, 2),
    aim: `<= ${AIM}, same plans`,
    met: ratio <= AIM && changed.length === 0,
  };
}
