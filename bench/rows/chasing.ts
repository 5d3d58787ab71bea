import type { Sql } from '../../db/queries/kernel/sql.ts';
import { copyInvoice } from '../copiedInvoices.ts';
import { numberOf } from '../database.ts';
import { cpuMilliseconds } from '../processes.ts';
import { addCustomers } from '../sampleData.ts';
import { send } from '../send.ts';
import type { Stage } from '../stage.ts';
import { until, untilQuiet } from '../wait.ts';
import { waking } from './renewals.ts';

const CUSTOMERS = 10_000;
/** Customers whose step is due, among few and among many. */
const DUE = 1000;
const MANY = 1_000_000;
const PLANS = 1000;
const INSTALLMENTS = 12;
/** Rarely enough that the rows read by looking do not count. */
const LOOKING = { withinSeconds: 3600, everyMilliseconds: 5000 };
const DAY_SECONDS = 86_400;

/** Seconds in all. For each customer: CPU milliseconds, and rows that PostgreSQL reads in tables. */
export interface ChasingCost {
  seconds: number;
  cpu: number;
  rows: number;
}

export interface ChasingMeasured {
  customers: number;
  /** Each customer is planned, and is sent its first reminder. */
  run: ChasingCost;
  /** Each customer is planned anew after a change of the cadence. */
  replanned: ChasingCost;
  /** Customers whose step is due, among `customers` and among `many`. */
  due: number;
  amongFew: ChasingCost;
  many: number;
  amongMany: ChasingCost;
}

/** Payment plans on a test clock, each installment charged. The cost is for each installment. */
export interface PlansMeasured {
  count: number;
  installments: number;
  cost: ChasingCost;
}

/**
 * Customers that follow a cadence, each with an open invoice: a run that asks them all, a change of the cadence, and a step of a thousand of
 * them before and after other customers are added.
 */
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
  // A step is due from midnight on, and made up until 20:00: in one of these zones it is earlier.
  const time_zone = new Date().getUTCHours() < 12 ? 'UTC' : 'Pacific/Honolulu';
  await send(stage, 'PATCH /account', { chasing_days: 'every', time_zone });
  const cadence = await send(stage, 'POST /chasing_cadences', { name: 'Bench', steps, time_of_day: 0, paused: true });
  await sql.query('update customer set chasing_cadence_id = $1 where id >= $2 and id < $2 + $3', [
    cadence.id,
    customers.first,
    customers.count,
  ]);
  const path = `/chasing_cadences/${cadence.id}`;
  const run = await measured({ stage, sql, count: CUSTOMERS }, async () => {
    await send(stage, `PATCH ${path}`, { paused: false });
    await until(async () => (await numberOf(sql, 'select count(*) from reminder')) >= CUSTOMERS, {
      what: 'every customer asked',
      ...LOOKING,
    });
  });
  const replanned = await measured({ stage, sql, count: CUSTOMERS }, async () => {
    await send(stage, `PATCH ${path}`, {
      steps: [{ ...cadence.steps[0] }, { ...cadence.steps[1], schedule: 'age:2000' }],
    });
    const left = `select (select count(*) from wakeup where rule = 'chase_plan')
      + (select count(*) from chasing_cadence where planning_after is not null)`;
    await until(async () => (await numberOf(sql, left)) === 0, {
      what: 'every customer planned anew',
      ...LOOKING,
    });
  });
  const amongFew = await oneStep(stage, sql, customers.first);
  await addCustomers(sql, { count: MANY - CUSTOMERS, autopay: false });
  await sql.query('vacuum analyze customer');
  const amongMany = await oneStep(stage, sql, customers.first + DUE);
  return { customers: CUSTOMERS, run, replanned, due: DUE, amongFew, many: MANY, amongMany };
}

/** Lets the next step of some customers be due, which makes a task, and waits until each has its task. */
async function oneStep(stage: Stage, sql: Sql, first: number): Promise<ChasingCost> {
  const whose = [first, DUE];
  await sql.query(
    `update invoice set date = date - interval '2500 days', issued_at = issued_at - interval '2500 days'
     where customer_id >= $1 and customer_id < $1 + $2`,
    whose,
  );
  await sql.query(`update chase set last_step_on = '2020-01-01' where id >= $1 and id < $1 + $2`, whose);
  const asked = `select count(*) from reminder where channel = 'phone'`;
  const before = await numberOf(sql, asked);
  return measured({ stage, sql, count: DUE }, async () => {
    await sql.query(
      `with due as (
         update wakeup set at = now() where process = 'chasing' and subject_id >= $1 and subject_id < $1 + $2
         returning account_id, subject_id
       )
       insert into outbox (account_id, topic, subject_id, due_at) select account_id, 'chasing', subject_id, now() from due`,
      whose,
    );
    await until(async () => (await numberOf(sql, asked)) >= before + DUE, {
      what: 'every customer called',
      ...LOOKING,
    });
  });
}

/** Payment plans of monthly installments on one test clock, which AutoPay charges. */
export async function measurePlans(stage: Stage, sql: Sql): Promise<PlansMeasured> {
  const start = Date.UTC(2027, 0, 4, 10) / 1000;
  const clock = await send(stage, 'POST /test_clocks', { name: 'Plans', frozen_time: start });
  const installments = Array.from({ length: INSTALLMENTS }, (_, n) => {
    return { date: start + (n + 1) * 30 * DAY_SECONDS, amount: 10 };
  });
  for (let n = 0; n < PLANS; n += 1) {
    const person = { name: `Planned ${n}`, test_clock: clock.id, autopay: true, autopay_delay_days: 365 };
    const { id: customer } = await send(stage, 'POST /customers', person);
    const card = { method: 'credit_card', gateway_token: 'tok_4242424242424242', make_default: true };
    await send(stage, `POST /customers/${customer}/payment_sources`, card);
    const items = [{ name: 'Course', unit_cost: 10 * INSTALLMENTS }];
    const { id: invoice } = await send(stage, 'POST /invoices', { customer, items });
    await send(stage, `POST /invoices/${invoice}/payment_plan`, { installments });
  }
  const cost = await measured({ stage, sql, count: PLANS * INSTALLMENTS }, async () => {
    const end = start + (INSTALLMENTS + 1) * 30 * DAY_SECONDS;
    await send(stage, `POST /test_clocks/${clock.id}/advance`, { frozen_time: end });
    const finished = `select count(*) from payment_plan where status = 'finished'`;
    await until(async () => (await numberOf(sql, finished)) >= PLANS, {
      what: 'every plan finished',
      ...LOOKING,
    });
  });
  return { count: PLANS, installments: INSTALLMENTS, cost };
}

const ROWS_READ = `select sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) from pg_stat_user_tables`;

interface Measuring {
  stage: Stage;
  sql: Sql;
  /** Customers or installments among which the cost is divided. */
  count: number;
}

async function measured({ stage, sql, count }: Measuring, work: () => Promise<void>): Promise<ChasingCost> {
  const pids = [stage.postgres.pid, stage.temporal.pid, stage.api.pid, stage.worker.pid];
  await untilQuiet(pids, LOOKING.withinSeconds);
  const [cpu, read, begun] = [cpuMilliseconds(pids), await numberOf(sql, ROWS_READ), performance.now()];
  await work();
  const queued = `select count(*) from email where state = 'queued'`;
  await until(async () => (await waking(sql)) + (await numberOf(sql, queued)) === 0, {
    what: 'all mail sent',
    ...LOOKING,
  });
  const [seconds, used] = [(performance.now() - begun) / 1000, cpuMilliseconds(pids) - cpu];
  await untilQuiet(pids, LOOKING.withinSeconds); // sessions that rest report what they have read
  const rows = (await numberOf(sql, ROWS_READ)) - read;
  return { seconds, cpu: used / count, rows: rows / count };
}
