import type { Sql } from '../../db/queries/kernel/sql.ts';
import { copyInvoice } from '../copiedInvoices.ts';
import { numberOf } from '../database.ts';
import { headersOf } from '../insideApi.ts';
import { cpuMilliseconds } from '../processes.ts';
import { addCustomers } from '../sampleData.ts';
import type { Stage } from '../stage.ts';
import { until, untilQuiet } from '../wait.ts';
import { waking } from './renewals.ts';

const CUSTOMERS = 10_000;
const LONGEST_SECONDS = 900;

/** Seconds and CPU milliseconds for each customer. */
export interface ChasingCost {
  seconds: number;
  cpu: number;
}

export interface ChasingMeasured {
  customers: number;
  /** Each customer is planned, and is sent its first reminder. */
  run: ChasingCost;
  /** Each customer is planned anew after a change of the cadence. */
  replanned: ChasingCost;
}

/** Customers that follow a cadence, each with an open invoice: a run that asks them all, and a change of the cadence. */
export async function measureChasing(stage: Stage, sql: Sql): Promise<ChasingMeasured> {
  const customers = await addCustomers(sql, { count: CUSTOMERS, autopay: false });
  const items = [{ name: 'Support', quantity: 1, unit_cost: 100 }];
  const { id: invoice } = await send(stage, 'POST /invoices', {
    customer: customers.first,
    items,
    number: 'CHASED 0',
  });
  await until(async () => (await waking(sql)) === 0, { what: 'quiet', withinSeconds: 60 });
  await copyInvoice(sql, { invoice, customers, count: CUSTOMERS - 1, each: 1, word: 'CHASED' });
  const steps = [
    { name: 'Reminder', action: 'email', schedule: 'age:0' },
    { name: 'Call', action: 'phone', schedule: 'age:3000' },
  ];
  await send(stage, 'PATCH /account', { chasing_days: 'every' });
  const time_of_day = new Date().getUTCHours();
  const cadence = await send(stage, 'POST /chasing_cadences', { name: 'Bench', steps, time_of_day, paused: true });
  await sql.query('update customer set chasing_cadence_id = $1 where id >= $2 and id < $2 + $3', [
    cadence.id,
    customers.first,
    customers.count,
  ]);
  const path = `/chasing_cadences/${cadence.id}`;
  const run = await measured(stage, sql, async () => {
    await send(stage, `PATCH ${path}`, { paused: false });
    await until(async () => (await numberOf(sql, 'select count(*) from reminder')) >= CUSTOMERS, {
      what: 'every customer asked',
      withinSeconds: LONGEST_SECONDS,
    });
  });
  const replanned = await measured(stage, sql, async () => {
    await send(stage, `PATCH ${path}`, {
      steps: [{ ...cadence.steps[0] }, { ...cadence.steps[1], schedule: 'age:2000' }],
    });
    const left = `select (select count(*) from wakeup where rule = 'chase_plan')
      + (select count(*) from chasing_cadence where planning_after is not null)`;
    await until(async () => (await numberOf(sql, left)) === 0, {
      what: 'every customer planned anew',
      withinSeconds: LONGEST_SECONDS,
    });
  });
  return { customers: CUSTOMERS, run, replanned };
}

async function measured(stage: Stage, sql: Sql, work: () => Promise<void>): Promise<ChasingCost> {
  const pids = [stage.postgres.pid, stage.temporal.pid, stage.api.pid, stage.worker.pid];
  await untilQuiet(pids, 60);
  const [cpu, begun] = [cpuMilliseconds(pids), performance.now()];
  await work();
  const queued = `select count(*) from email where state = 'queued'`;
  await until(async () => (await waking(sql)) + (await numberOf(sql, queued)) === 0, {
    what: 'all mail sent',
    withinSeconds: LONGEST_SECONDS,
  });
  return { seconds: (performance.now() - begun) / 1000, cpu: (cpuMilliseconds(pids) - cpu) / CUSTOMERS };
}

/** `request`: method and path, as in `POST /invoices`. */
async function send(stage: Stage, request: string, body: object) {
  const [method = '', path] = request.split(' ');
  const url = `${stage.origin}/sandbox/api${path}`;
  const answer = await fetch(url, { method, headers: headersOf(stage), body: JSON.stringify(body) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${request}: ${answer.status} ${text}`);
  return JSON.parse(text);
}
