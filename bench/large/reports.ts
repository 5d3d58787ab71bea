import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'undici';
import { type Database, numberOf } from '../database.ts';
import { headersOf } from '../insideApi.ts';
import { percentiles } from '../load.ts';
import { cpuMilliseconds, residentMiB } from '../processes.ts';
import type { Asked } from './lists.ts';

/**
 * Figures of one report: seconds, lines of its CSV, rows of tables and entries of indexes that PostgreSQL read for it, CPU of API and PostgreSQL
 * in seconds, the p99 of others' reads meanwhile in ms, and the most memory that the API had, MiB. `refused`: it has no lines.
 */
export interface ReportFigures {
  what: string;
  seconds: number;
  lines: number | 'refused';
  read: number;
  cpu: number;
  others: number;
  memory: number;
}

/** Paths of the measured reports. The rows begin in 2024, one invoice each 40 seconds. */
const paths = [
  '/reports/aging?as_of=2024-12-31',
  '/reports/open_items?as_of=2024-12-31&currency=eur',
  '/reports/roll_forward?start=2024-02-01&end=2024-02-29',
  '/reports/cash_received?start=2024-02-01&end=2024-02-29',
  '/reports/unapplied?as_of=2024-01-31',
  '/reports/dso?start=2024-02-01&end=2024-02-29',
  '/reports/trial_balance?start=2024-02-01&end=2024-02-29',
  '/reports/credits?as_of=2024-12-31',
  '/reports/refunds_and_disputes?start=2024-02-01&end=2024-02-29',
  '/reports/write_offs?start=2024-02-01&end=2024-02-29',
  '/reports/journal?start=2024-02-01&end=2024-02-01',
  '/reports/journal?start=2024-01-01&end=2025-12-31&customer=7000',
  '/reports/promises?start=2024-02-01&end=2024-02-29',
  '/reports/recovery?start=2024-02-01&end=2024-02-29',
  '/reports/mrr?start=2024-01-01&end=2025-12-31',
  '/reports/customers?start=2024-01-01&end=2025-12-31',
  '/reports/churn?start=2024-01-01&end=2025-12-31',
  '/reports/cohorts?start=2024-01-01&end=2025-12-31',
  '/reports/mrr_movements?start=2024-02-01&end=2024-02-29',
  '/reports/upcoming',
  '/reports/scheduled_mrr',
  '/reports/sales?start=2024-02-01&end=2024-02-29',
  '/reports/tax?start=2024-02-01&end=2024-02-29',
  '/reports/deferred_revenue?start=2024-02-01&end=2024-02-29',
  '/reports/usage?start=2024-02-01&end=2024-02-29',
  // Twice: memory that the first one leaves to the garbage collector is not needed again.
  '/invoices?format=csv',
  '/invoices?format=csv&sort=id%20asc',
];

/** Measures each report once, as CSV, while somebody else reads an invoice again and again. */
export async function measureReports(stage: Asked, sql: Database): Promise<ReportFigures[]> {
  const eachRead = await rowsOfRead(stage, sql);
  const figures: ReportFigures[] = [];
  for (const path of paths) {
    const before = await rowsRead(sql);
    const { reads, ...found } = await measured(stage, path);
    const read = Math.max(0, Math.round((await rowsRead(sql)) - before - reads * eachRead));
    console.log(
      `${path}: ${found.seconds.toFixed(2)} s, ${found.lines} lines, ${read} rows read, API at most ${Math.round(found.memory)} MiB`,
    );
    figures.push({ ...found, read });
  }
  return figures;
}

/** PostgreSQL notes what an idle connection read within ten seconds. */
const NOTED_MILLISECONDS = 11_000;

/** Rows of tables and entries of indexes that all connections have read so far. */
async function rowsRead(sql: Database): Promise<number> {
  await pause(NOTED_MILLISECONDS);
  return numberOf(
    sql,
    `select (select sum(seq_tup_read) from pg_stat_user_tables) + (select sum(idx_tup_read) from pg_stat_user_indexes)`,
  );
}

/** Rows that one read of the other client reads. */
async function rowsOfRead(stage: Asked, sql: Database): Promise<number> {
  const before = await rowsRead(sql);
  const { count } = await readsUntil(stage, () => true);
  return ((await rowsRead(sql)) - before) / count;
}

async function measured(stage: Asked, path: string): Promise<Omit<ReportFigures, 'read'> & { reads: number }> {
  const pids = [stage.postgres.pid, stage.api.pid];
  const before = cpuMilliseconds(pids);
  const begun = performance.now();
  let isOver = false;
  let seconds = 0;
  const [lines, others, memory] = await Promise.all([
    linesOf(stage, path).finally(() => {
      isOver = true;
      seconds = (performance.now() - begun) / 1000;
    }),
    readsUntil(stage, () => isOver),
    mostMemory(stage, () => isOver),
  ]);
  const cpu = (cpuMilliseconds(pids) - before) / 1000;
  return { what: path, seconds, lines, cpu, others: others.p99, reads: others.count, memory };
}

/** The most resident memory of the API until the work is over, MiB. Looks four times a second, and prints it every ten seconds. */
async function mostMemory(stage: Asked, isOver: () => boolean): Promise<number> {
  let most = 0;
  for (let look = 0; !isOver(); look++) {
    const now = residentMiB(stage.api.pid);
    most = Math.max(most, now);
    if (look % 40 === 39) console.log(`  after ${(look + 1) / 4} s: ${Math.round(now)} MiB`);
    await pause(250);
  }
  return most;
}

async function linesOf(stage: Asked, path: string): Promise<number | 'refused'> {
  const response = await fetch(`${stage.origin}/sandbox/api${path}`, {
    headers: { ...headersOf(stage), accept: 'text/csv' },
  });
  if (!response.ok || !response.body) {
    console.log(`${path}: ${response.status} ${await response.text()}`);
    return 'refused';
  }
  let lines = 0;
  for await (const chunk of response.body) lines += Buffer.from(chunk).filter((byte) => byte === 10).length;
  return lines;
}

/** Reads invoices, one after another, until the work is over. Returns their number and the 99th percentile of the times, milliseconds. */
async function readsUntil(stage: Asked, isOver: () => boolean): Promise<{ count: number; p99: number }> {
  const client = new Client(stage.origin);
  const times: number[] = [];
  for (let n = 1; !isOver() || times.length < 20; n++) {
    const begun = performance.now();
    const { body } = await client.request({
      method: 'GET',
      path: `/sandbox/api/invoices/${n}`,
      headers: headersOf(stage),
    });
    await body.text();
    times.push(performance.now() - begun);
    await pause(5);
  }
  await client.close();
  return { count: times.length, p99: percentiles(times).p99 };
}
