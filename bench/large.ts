import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readConfig } from '../bin/config.ts';
import { freePort } from '../bin/local/ports.ts';
import { stopRequested } from '../bin/stopSignal.ts';
import { openOwner } from './database.ts';
import { type JobFigures, measureJobs } from './large/jobs.ts';
import { type Asked, type ListFigures, measureLists } from './large/lists.ts';
import { measureReports, type ReportFigures } from './large/reports.ts';
import { fillTo } from './large/rows.ts';
import { fixed } from './report.ts';
import { openPostgres, openRole, openTemporal, type Part, prepare } from './servers.ts';
import { keysShape, temporaryFolder } from './stage.ts';

const SIZES = [10_000, 1_000_000];
const PAGE_SIZE = 100;
/** Number of the page that is reached by following links from the first page. In a shorter list: the last page. */
const PAGE = 1000;
/** Up to this factor, two p99 latencies count as the same: they vary that much between runs. */
const ABOUT_THE_SAME = 2;

interface Measured {
  rows: number;
  lists: ListFigures[];
  reports: ReportFigures[];
  jobs: JobFigures[];
}

interface Options {
  progress: (line: string) => void;
  onlyReports: boolean;
  /** Where Temporal's program is. */
  cacheFolder: string;
}

/**
 * Measures lists and reports of one account over HTTP, with 10,000 and with 1,000,000 rows of each kind, and prints tables. `onlyReports`: only
 * reports, with 1,000,000. Removes everything that it has created.
 */
export async function large(options: Options): Promise<number> {
  const stopped = stopRequested().then(() => 'stopped' as const);
  const parts: (() => Promise<void>)[] = [];
  try {
    const measuring = measure(parts, options);
    measuring.catch(() => undefined); // an interruption makes it fail, which is not an error to report
    const measured = await Promise.race([measuring, stopped]);
    if (measured === 'stopped') return 1;
    if (!options.onlyReports) console.log(`\n${tableOf(measured)}`);
    console.log(`\n${reportTable(measured)}\n\n${jobTable(measured)}`);
    return 0;
  } finally {
    for (const stop of parts.toReversed()) await stop();
  }
}

async function measure(
  parts: (() => Promise<void>)[],
  { progress, onlyReports, cacheFolder }: Options,
): Promise<Measured[]> {
  const { stage, sql, openWorker } = await openLarge(parts, progress);
  const measured: Measured[] = [];
  for (const rows of onlyReports ? SIZES.slice(-1) : SIZES) {
    progress(`Filling to ${rows.toLocaleString('en')} invoices, payments, events and customers …`);
    const startedAt = performance.now();
    await fillTo(sql, rows);
    progress(`  took ${fixed((performance.now() - startedAt) / 1000)} s`);
    const [time] = await sql.query<{ middle: string }>(
      'select extract(epoch from updated_at)::bigint as middle from invoice where id = $1',
      [rows / 2],
    );
    const page = Math.min(PAGE, rows / PAGE_SIZE);
    const reports = await measureReports(stage, sql);
    const lists = onlyReports ? [] : await measureLists(stage, { page, middle: Number(time?.middle) });
    const jobs = rows === SIZES.at(-1) ? await measureJobs(stage, await openWorker(cacheFolder)) : [];
    measured.push({ rows, reports, lists, jobs });
  }
  return measured;
}

/** Starts PostgreSQL and an API as `start` does. */
export async function openLarge(parts: (() => Promise<void>)[], progress: (line: string) => void) {
  const folder = temporaryFolder();
  const logFile = (name: string) => join(folder, 'logs', `${name}.log`);
  parts.push(() => rm(folder, { recursive: true, force: true }));
  const keep = <P extends Part>(part: P): P => {
    parts.push(() => part.stop());
    return part;
  };
  const postgres = keep(await openPostgres({ folder, logFile, progress }, { max_wal_size: '4GB' }));
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    PERENNIAL_DATA: folder,
    PORT: String(port),
    PUBLIC_URL: origin,
    DATABASE_URL: postgres.url,
    PERENNIAL_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
    LOG_LEVEL: 'warn',
  };
  const { sandboxKey } = keysShape.parse(await prepare(env, logFile('prepare')));
  const sql = await openOwner(postgres.url);
  parts.push(() => sql.close());
  // Raises the rate limit, because the single client sends the next request as soon as it has a response.
  await sql.query(`update account set settings = settings || '{"rate_limit": 100000, "rate_limit_burst": 100000}'`);
  const api = keep(await openRole('api', { ...env, DATABASE_URL: postgres.roleUrl }, logFile('api')));
  const stage: Asked = { config: readConfig(env), sandboxKey, origin, postgres, api };
  /** Starts Temporal and a worker. */
  const openWorker = async (cacheFolder: string): Promise<Part> => {
    const { address } = keep(await openTemporal({ folder, logFile, progress }, cacheFolder));
    const where = { ...env, DATABASE_URL: postgres.roleUrl, TEMPORAL_ADDRESS: address };
    return keep(await openRole('worker', where, logFile('worker')));
  };
  return { stage, sql, openWorker };
}

/** One row per list, with both sizes side by side. */
function tableOf([small, large]: readonly Measured[]): string {
  if (!small || !large) throw new Error('two sizes are compared');
  const sizes = [small, large].map(({ rows }) => rows.toLocaleString('en'));
  const head = [
    'list of 100',
    ...sizes.map((size) => `${size} rows: p50, p99, CPU`),
    'statements',
    'total',
    'p99 ratio',
    'the same',
  ];
  const shown = ({ p50, p99, cpuEach }: ListFigures) =>
    `${fixed(p50, 1)} ms, ${fixed(p99, 1)} ms, ${fixed(cpuEach, 1)} ms`;
  const rows = large.lists.map((list, index) => {
    const other = small.lists[index];
    if (!other) throw new Error(`${list.what} was not measured twice`);
    const ratio = list.p99 / other.p99;
    const cells = [
      String(list.statements),
      list.total.toLocaleString('en'),
      fixed(ratio, 2),
      ratio <= ABOUT_THE_SAME ? 'yes' : 'no',
    ];
    return [list.what, shown(other), shown(list), ...cells];
  });
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** One row per report, with both sizes side by side. */
function reportTable(measured: readonly Measured[]): string {
  const [first] = measured;
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const head = [
    'report',
    ...measured.map(
      ({ rows }) => `${rows.toLocaleString('en')} invoices: s, rows, rows read, CPU s, p99 of others ms, API MiB`,
    ),
  ];
  const shown = ({ seconds, lines, read, cpu, others, memory }: ReportFigures) =>
    `${fixed(seconds, 2)}, ${lines.toLocaleString('en')}, ${read.toLocaleString('en')}, ${fixed(cpu, 2)}, ${fixed(others)}, ${fixed(memory)}`;
  const rows = (first?.reports ?? []).map(({ what }, index) => [
    what,
    ...measured.map(({ reports }) => (reports[index] ? shown(reports[index]) : '')),
  ]);
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** One row per job. */
function jobTable(measured: readonly Measured[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const head = ['job', 'seconds', 'rows', 'file, MiB', 'worker, MiB'];
  const rows = measured.flatMap(({ jobs }) =>
    jobs.map(({ what, seconds, rows, size, memory }) => [
      what,
      fixed(seconds, 1),
      rows.toLocaleString('en'),
      fixed(size, 1),
      fixed(memory),
    ]),
  );
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
