import { existsSync } from 'node:fs';
import { cpus, loadavg, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { auditDatabase } from '../bin/audit.ts';
import type { Settings } from '../bin/config.ts';
import { findTemporal } from '../bin/local/temporal.ts';
import { auditLog } from './auditLog.ts';
import { requireSoundBooks } from './books.ts';
import { openOwner } from './database.ts';
import { calculationFigures, startFigures } from './figures.ts';
import { growth } from './growth.ts';
import { watchForInterruption } from './interruption.ts';
import { large } from './large.ts';
import { pairs } from './pairs.ts';
import { memoryOfPdfs, pdfFigures } from './pdfFigures.ts';
import { type Figure, fixed, lineOf, tableOf, writeBetween } from './report.ts';
import { calculate } from './rows/calculation.ts';
import { renderMany, renderPdfs } from './rows/pdfs.ts';
import { startUp } from './rows/startUp.ts';
import { stagedRows } from './rows.ts';
import { openStage, type Stage } from './stage.ts';

const PROJECT = fileURLToPath(new URL('..', import.meta.url));
const DOCUMENT = join(PROJECT, 'docs', 'performance.md');

const HELP = `Usage: npm run bench [-- <row> …] [-- --save]

Measures the named rows and prints a table. Without names it measures all rows except growth, which takes nine minutes on two cores.

Rows
  invoices     POST /invoices, and the same statements sent through raw pg
  reads        one invoice, and a list of 100
  webhooks     deliveries per second, and the latency at half of that rate
  renewals     500 and 2,000 subscriptions due in the same second, and bare Temporal timers
  subscriptions  creates with the first invoice, changes, previews, dry runs, 2,000 creates by 8 clients, renewals with add-ons
  usage        reports of usage, singly and in batches, beside raw inserts; a bill over 1,000,000 of them
  money        charges and refunds, and the same statements sent through raw pg; a slow gateway; events of gateways
  pages        payments on the page of an invoice, also by a slow gateway
  portal       the portal of a customer with 10,000 invoices, one payment of 200, and sign-ups
  previews     previews of themes, PDF templates and email templates, dry runs of invoices
  books        an audit of 100,000 open invoices, and suggestions for payments among them
  clocks       test clocks: a year, ten years, 100 subscriptions; latency of live work while 50 clocks advance
  numbering    invoices issued by 32 clients under one account, with numbers of its series and with given numbers
  lines        POST /invoices with 200 lines, and the same statements sent through raw pg
  people       sign-ins, reads of others meanwhile, a read by session beside one by key
  trips        round trips to PostgreSQL for which a list, an invoice and a charge wait, by a proxy that delays them
  startup      npm start until it answers, memory and CPU at rest
  calculation  amounts of a document of 1,000 lines
  pdf          PDFs of 3, 50 and 500 lines; if named, also memory over 10,000 PDFs
  growth       buffers accessed per renewal with 10,000 and with 1,000,000 rows (ten more minutes)

--save writes the table into docs/performance.md. A run of all rows always does.

npm run bench:large measures lists and reports on 1,000,000 rows; npm run bench:large -- reports only reports.
npm run bench -- log [rows] measures the audit log with 10,000,000 rows, which take 10 GB in the temporary folder meanwhile.
npm run bench -- pairs <folder> compares this checkout with another one; pairs --help says how.`;

const ON_STAGE = stagedRows.flatMap(({ names }) => names);
const ROWS = [...ON_STAGE, 'startup', 'calculation', 'pdf', 'growth'];

/** Runs the bench on this machine, only over the loopback interface. Stops everything that it has started. Returns the exit code. */
export async function run(settings: Settings, args: readonly string[]): Promise<number> {
  const cacheFolder = join(settings.dataFolder, 'cache');
  if (args[0] === 'large') return large({ progress: console.log, onlyReports: args[1] === 'reports', cacheFolder });
  if (args[0] === 'log') return auditLog(console.log, Number(args[1] ?? 10_000_000));
  if (args[0] === 'pairs') return pairs(settings, args.slice(1));
  const unknown = args.filter((argument) => argument !== '--save' && !ROWS.includes(argument));
  if (unknown.length > 0) {
    console.log(HELP);
    return unknown.every((argument) => ['--help', '-h', 'help'].includes(argument)) ? 0 : 1;
  }
  const named = args.filter((argument) => argument !== '--save');
  const rows = new Set(named.length > 0 ? named : ROWS.filter((row) => row !== 'growth'));
  const figures: Figure[] = [];
  const add = (...found: Figure[]) => {
    figures.push(...found);
    for (const figure of found) console.log(lineOf(figure));
  };
  const facts = machine();
  console.log(facts);
  const startedAt = performance.now();
  if (rows.has('calculation')) add(...calculationFigures(calculate()));
  if (rows.has('pdf')) add(...pdfFigures(await renderPdfs()));
  if (named.includes('pdf')) add(memoryOfPdfs(await renderMany(console.log)));
  if (rows.has('startup')) add(...startFigures(await startUp(await temporalProgram(settings), PROJECT)));
  if (ON_STAGE.some((row) => rows.has(row))) await onStage(settings, rows, add);
  if (rows.has('growth')) add(...(await growth(settings, console.log)));
  const took = `${fixed((performance.now() - startedAt) / 1000)} s; load at the end ${fixed(loadavg()[0] ?? 0, 1)}`;
  console.log(`\n${tableOf(figures)}\n\nTook ${took}.`);
  const isWhole = named.length === 0 || args.includes('--save');
  if (isWhole && existsSync(DOCUMENT))
    writeBetween(DOCUMENT, 'figures', `${facts}\n\n${tableOf(figures)}\n\nTook ${took}.`);
  return process.exitCode === 1 ? 1 : 0;
}

/** Runs the rows that need the whole product. Then audits the books. */
async function onStage(
  settings: Settings,
  rows: ReadonlySet<string>,
  add: (...found: Figure[]) => void,
): Promise<void> {
  const stage = await openStage({ cacheFolder: join(settings.dataFolder, 'cache'), progress: console.log });
  try {
    const unlessInterrupted = watchForInterruption();
    await unlessInterrupted(measure(stage, rows, add));
    requireSoundBooks(await auditDatabase(stage.config.databaseUrl));
  } finally {
    await stage.stop();
  }
}

async function measure(stage: Stage, rows: ReadonlySet<string>, add: (...found: Figure[]) => void): Promise<void> {
  const sql = await openOwner(stage.config.databaseUrl);
  try {
    for (const row of stagedRows) {
      if (!row.names.some((name) => rows.has(name))) continue;
      await row.run({ stage, sql, add, rows }).catch((error: unknown) => failed(row.names, error));
    }
  } finally {
    await sql.close();
  }
}

/** Reports a row that failed. The other rows are still measured. */
function failed(names: readonly string[], error: unknown): void {
  console.error(`No figures of ${names.join(' and ')}:`, error);
  process.exitCode = 1;
}

function temporalProgram(settings: Settings): Promise<string> {
  return findTemporal({ cacheFolder: join(settings.dataFolder, 'cache'), progress: console.log });
}

function machine(): string {
  const [first] = cpus();
  const memory = `${fixed(totalmem() / 2 ** 30)} GiB`;
  const load = `load at the start ${fixed(loadavg()[0] ?? 0, 1)}`;
  return `${cpus().length} x ${first?.model ?? 'CPU'}, ${memory}, ${type()} ${release()}, Node ${process.versions.node}; ${load}`;
}
