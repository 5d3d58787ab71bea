import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { DATES, STEPS, ZONES } from '../support/calendarSpace.ts';
import { print } from '../tally.ts';
import type { Task, Told } from './worker.ts';

const HELP = `Usage: npm run torture [-- <zone> … --months <n>]

Compares the calendar with another library in every case; \`npm run test:long\` checks a sample (docs/calendar.md).
Default: all zones and the anchors of all months, which are 20 million cases and take six minutes of CPU time. Named zones and
--months limit the run to those zones and to anchors in the first n months.`;

/** Returns the exit code: 0 when no case is wrong. */
export async function run(args: readonly string[]): Promise<number> {
  const tasks = tasksOf(args);
  if (tasks.length === 0) {
    print(HELP);
    return args.includes('--help') ? 0 : 1;
  }
  const startedAt = performance.now();
  const total: Told = { cases: 0, wrong: [] };
  const added = ({ cases, wrong }: Told) => {
    total.cases += cases;
    total.wrong.push(...wrong);
  };
  const threads = Array.from({ length: availableParallelism() }, () => takeAll(tasks, added));
  await Promise.all(threads);
  for (const line of total.wrong.slice(0, 100)) print(line);
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  print(`${total.cases} cases in ${seconds} s, ${total.wrong.length === 0 ? 'none' : 'some'} wrong`);
  return total.wrong.length === 0 && total.cases >= STEPS.length ? 0 : 1;
}

/** One task for each zone and month. Empty when the arguments are invalid. */
function tasksOf(args: readonly string[]): Task[] {
  const at = args.indexOf('--months');
  const named = at < 0 ? args : args.toSpliced(at, 2);
  const zones = named.length === 0 ? ZONES : ZONES.filter((zone) => named.includes(zone));
  if (zones.length !== (named.length || ZONES.length)) return [];
  const months = at < 0 ? monthsOf() : monthsOf().slice(0, Math.max(0, Number(args[at + 1]) || 0));
  return zones.flatMap((zone) => months.map((dates) => ({ zone, dates })));
}

/** The dates of all anchors, grouped by month. */
function monthsOf(): number[][] {
  return [...Map.groupBy(DATES, (date) => new Date(date).toISOString().slice(0, 7)).values()];
}

async function takeAll(tasks: Task[], told: (what: Told) => void): Promise<void> {
  for (let task = tasks.shift(); task !== undefined; task = tasks.shift()) {
    await inThread(task, told);
    if (tasks.length % 24 === 0) print(`${task.zone}, ${tasks.length} months to go`);
  }
}

function inThread(task: Task, told: (what: Told) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: task });
    worker.on('message', told);
    worker.on('error', reject);
    worker.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`a thread ended with ${code}`))));
  });
}
