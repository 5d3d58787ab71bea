import { loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { playDemo } from '../../bin/demo/demo.ts';
import { type Client, createClient } from '../../client/index.ts';
import type { Sql } from '../../db/queries/kernel/sql.ts';
import { percentiles } from '../load.ts';
import { cpuMilliseconds } from '../processes.ts';
import { addEndpoint, removeEndpoint } from '../sampleData.ts';
import type { Stage } from '../stage.ts';
import { until } from '../wait.ts';
import { ask } from './webhooks.ts';

const START = Date.UTC(2027, 0, 31, 10) / 1000;
const YEAR = Date.UTC(2028, 0, 31, 10) / 1000 - 1;
const DECADE = Date.UTC(2037, 0, 31, 10) / 1000 - 1;
const CROWD = 100;
const SAMPLES = 40;
const PACE_MILLISECONDS = 250;

/** Cost of one advance of a test clock. */
export interface Advanced {
  subscriptions: number;
  /** Number of distinct times at which something happened. */
  rounds: number;
  seconds: number;
  invoices: number;
  /** Milliseconds of CPU of all parts, per invoice. */
  cpuEach: number;
  load: number;
}

/** Latency in milliseconds. */
export interface Latency {
  p50: number;
  p99: number;
}

/** Latency of work in the live environment. */
export interface Live {
  /** From the start of a subscription to its first invoice: through Temporal. */
  issued: Latency;
  /** From the invoice to the arrival of its event at the endpoint: through relay and pump. */
  delivered: Latency;
}

export interface Clocks {
  year: Advanced;
  decade: Advanced;
  crowd: Advanced;
  /** A daily plan without AutoPay: one round per day with little work. */
  days: Advanced;
  quiet: Live;
  racing: Live;
  /** Duration in seconds of the first `npm run demo` on an instance. */
  demoSeconds: number;
}

interface Asked {
  subscriptions: number;
  plan: string;
  autopay: boolean;
  until: number;
}

/** Advances test clocks with AutoPay charges, mail, and an endpoint that gets all events. Measures live work with and without them. */
export async function measureClocks(stage: Stage, sql: Sql): Promise<Clocks> {
  const client = createClient({ baseUrl: `${stage.origin}/sandbox/api`, apiKey: stage.sandboxKey });
  const live = createClient({ baseUrl: `${stage.origin}/api`, apiKey: stage.liveKey });
  const endpoint = await addEndpoint(stage, sql);
  const demoSeconds = await demo(stage);
  await client.post('/plans', { id: 'clock-month', name: 'Month', amount: 12.5, interval: 'month' });
  await client.post('/plans', { id: 'clock-day', name: 'Day', amount: 1, interval: 'day' });
  await live.post('/plans', { id: 'clock-live', name: 'Live', amount: 12.5, interval: 'month' });
  const advance = (asked: Asked) => advanced({ stage, sql, client }, asked);
  const month = { plan: 'clock-month', autopay: true, until: YEAR };
  await advance({ ...month, subscriptions: 1 }); // not measured, because the first advance also compiles code and plans statements
  const year = await advance({ ...month, subscriptions: 1 });
  const decade = await advance({ ...month, subscriptions: 1, until: DECADE });
  const days = await advance({ plan: 'clock-day', autopay: false, until: YEAR, subscriptions: 1 });
  const liveEndpoint = await addEndpoint(stage, sql, 'live');
  const measure = () => liveLatency(live, sql, stage);
  await measure();
  const quiet = await measure();
  const crowd = await advance({ ...month, subscriptions: CROWD });
  let racing = quiet;
  await advanced({ stage, sql, client }, { ...month, subscriptions: CROWD / 2 }, async () => {
    racing = await measure();
  });
  await removeEndpoint(sql, endpoint);
  await removeEndpoint(sql, liveEndpoint);
  return { year, decade, crowd, days, quiet, racing, demoSeconds };
}

async function demo({ origin, sandboxKey }: Stage): Promise<number> {
  const urls = { sandbox_api_url: `${origin}/sandbox/api`, docs_url: `${origin}/docs` };
  const startedAt = performance.now();
  await playDemo({ ...urls, sandbox_key: sandboxKey, mailbox_url: null, temporal_ui_url: null }, () => undefined);
  return (performance.now() - startedAt) / 1000;
}

interface Bench {
  stage: Stage;
  sql: Sql;
  client: Client;
}

async function advanced(
  { stage, sql, client }: Bench,
  asked: Asked,
  meanwhile: () => Promise<void> = async () => undefined,
): Promise<Advanced> {
  const clock = await client.post('/test_clocks', { name: 'Bench', frozen_time: START });
  for (let n = 0; n < asked.subscriptions; n++) await subscribe(client, clock.id, asked);
  const isIdle = async () => {
    const [left] = await sql.query<{ open: number }>(
      `select ((select count(*) from wakeup where clock_id = $1 and at <= to_timestamp($2)) + (select count(*) from webhook_lane
         where due_at is not null) + (select count(*) from email where state = 'queued'))::int as open`,
      [clock.id, START],
    );
    return left?.open === 0;
  };
  await until(isIdle, { what: 'the first invoices', withinSeconds: 60 });
  const { postgres, temporal, worker, api } = stage;
  const pids = [postgres.pid, temporal.pid, worker.pid, api.pid];
  const before = cpuMilliseconds(pids);
  const startedAt = performance.now();
  await client.post('/test_clocks/{id}/advance', { frozen_time: asked.until }, { id: clock.id });
  let seconds = 0;
  const arrived = until(
    async () => {
      const [row] = await sql.query<{ status: string; reason: string | null }>(
        'select status, stop_reason as reason from test_clock where id = $1',
        [clock.id],
      );
      if (row?.status === 'stopped') throw new Error(`the clock stopped: ${row.reason}`);
      seconds = (performance.now() - startedAt) / 1000;
      return row?.status === 'ready';
    },
    { what: 'the clock to arrive', withinSeconds: 300, everyMilliseconds: 20 },
  );
  await Promise.all([arrived, meanwhile()]);
  const [done] = await sql.query<{ rounds: number; invoices: number }>(
    `select count(distinct at)::int as rounds, (count(*) filter (where did like '%issued%'))::int as invoices
     from test_clock_step where test_clock_id = $1`,
    [clock.id],
  );
  const invoices = done?.invoices ?? 0;
  const cpuEach = (cpuMilliseconds(pids) - before) / invoices;
  const { subscriptions } = asked;
  return { subscriptions, rounds: done?.rounds ?? 0, seconds, invoices, cpuEach, load: loadavg()[0] ?? 0 };
}

async function subscribe(client: Client, test_clock: number, { plan, autopay }: Asked): Promise<void> {
  const customer = await client.post('/customers', { name: 'Clocked', email: 'c@example.com', autopay, test_clock });
  const card = { method: 'credit_card', gateway_token: 'tok_4242424242424242', make_default: true } as const;
  if (autopay) await client.post('/customers/{id}/payment_sources', card, { id: customer.id });
  await client.post('/subscriptions', { customer: customer.id, plan, start_date: START });
}

/** Creates subscriptions of the live account at an even rate, each starting a second later. Measures how soon after their start they are billed. */
async function liveLatency(live: Client, sql: Sql, stage: Stage): Promise<Live> {
  await ask(stage, 'reset');
  const customer = await live.post('/customers', { name: 'Live' });
  for (let n = 0; n < SAMPLES; n++) {
    const start_date = Math.ceil(Date.now() / 1000) + 1;
    await live.post('/subscriptions', { customer: customer.id, plan: 'clock-live', start_date });
    await pause(PACE_MILLISECONDS);
  }
  const waits = async () =>
    (await sql.query<{ milliseconds: number }>(latencies, [customer.id])).map((row) => row.milliseconds);
  await until(async () => (await waits()).length >= SAMPLES, { what: 'live invoices', withinSeconds: 60 });
  const delivered = () => deliveryLatencies(stage, sql, customer.id);
  await until(async () => (await delivered()).length >= SAMPLES, { what: 'their deliveries', withinSeconds: 60 });
  return { issued: percentiles(await waits()), delivered: percentiles(await delivered()) };
}

/** Milliseconds from the command that issued an invoice to the arrival of its event, for each invoice. */
async function deliveryLatencies(stage: Stage, sql: Sql, customer: number): Promise<number[]> {
  const { arrivals } = await ask(stage, 'arrivals');
  const arrivedAt = new Map(arrivals);
  const issued = await sql.query<{ name: string; at: number }>(issuedEvents, [customer]);
  return issued.flatMap(({ name, at }) => {
    const arrived = arrivedAt.get(name);
    return arrived === undefined ? [] : [arrived - at];
  });
}

const issuedEvents = `
  select 'evt_' || e.id as name, (extract(epoch from e.created_at) * 1000)::float8 as at
  from invoice i join event e on e.account_id = i.account_id and e.type = 'invoice.created' and e.subject_type = 'invoice'
    and e.subject_id = i.id::text
  where i.customer_id = $1`;

/** SQL: milliseconds from the command that created a subscription to the one that issued its first invoice. */
const latencies = `
  select (extract(epoch from b.created_at - s.anchor_at) * 1000)::float8 as milliseconds
  from subscription s join invoice i on i.account_id = s.account_id and i.subscription_id = s.id and i.period = 0
  join event b on b.account_id = i.account_id and b.type = 'invoice.created' and b.subject_type = 'invoice' and b.subject_id = i.id::text
  where s.customer_id = $1`;
