import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'undici';
import { headersOf } from '../insideApi.ts';
import { percentiles } from '../load.ts';
import { cpuMilliseconds, residentMiB } from '../processes.ts';
import type { Asked } from './lists.ts';

/** Figures of one report: seconds, lines of its CSV, CPU of API and PostgreSQL in seconds, and the p99 of others' reads meanwhile, ms. */
export interface ReportFigures {
  what: string;
  seconds: number;
  lines: number;
  cpu: number;
  others: number;
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
  '/invoices?format=csv',
];

/** Measures each report once, as CSV, while somebody else reads an invoice again and again. Prints the memory of the API beside the export. */
export async function measureReports(stage: Asked): Promise<ReportFigures[]> {
  const figures: ReportFigures[] = [];
  for (const path of paths) figures.push(await measured(stage, path));
  return figures;
}

async function measured(stage: Asked, path: string): Promise<ReportFigures> {
  const pids = [stage.postgres.pid, stage.api.pid];
  const before = { cpu: cpuMilliseconds(pids), memory: residentMiB(stage.api.pid) };
  const begun = performance.now();
  let isOver = false;
  const [lines, others] = await Promise.all([
    linesOf(stage, path).finally(() => {
      isOver = true;
    }),
    readsUntil(stage, () => isOver),
  ]);
  const seconds = (performance.now() - begun) / 1000;
  const memory = residentMiB(stage.api.pid);
  console.log(
    `${path}: ${seconds.toFixed(2)} s, ${lines} lines; API ${Math.round(before.memory)} to ${Math.round(memory)} MiB`,
  );
  return { what: path, seconds, lines, cpu: (cpuMilliseconds(pids) - before.cpu) / 1000, others };
}

async function linesOf(stage: Asked, path: string): Promise<number> {
  const response = await fetch(`${stage.origin}/sandbox/api${path}`, {
    headers: { ...headersOf(stage), accept: 'text/csv' },
  });
  if (!response.ok || !response.body) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  let lines = 0;
  for await (const chunk of response.body) lines += Buffer.from(chunk).filter((byte) => byte === 10).length;
  return lines;
}

/** Reads invoices, one after another, until the work is over. Returns the 99th percentile of the times, milliseconds. */
async function readsUntil(stage: Asked, isOver: () => boolean): Promise<number> {
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
  return percentiles(times).p99;
}
