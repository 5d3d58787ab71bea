import { Client } from 'undici';
import { headersOf } from '../insideApi.ts';
import { cpuMilliseconds } from '../processes.ts';
import { invoiceBody } from '../rows/invoices.ts';
import { until } from '../wait.ts';
import type { Side } from './checkout.ts';
import { advanceThreeYears } from './clock.ts';

const INVOICES = 600;
const EVENTS = 3000;
const CARD = {
  currency: 'usd',
  amount: 10,
  gateway_token: 'tok_4242424242424242',
  method: 'credit_card',
  applied_to: [],
};

/** A row that needs running checkouts. `measure` returns milliseconds of CPU of all processes per request, renewal, delivery or invoice. */
export interface StagedRow<Version = Side> {
  name: string;
  what: string;
  prepare?(side: Version): Promise<unknown>;
  measure(side: Version): Promise<number>;
}

interface Request {
  path: string;
  body?: object;
}

interface Load {
  clients: number;
  /** Number of requests. */
  count: number;
  /** The n-th request. */
  request(side: Side, n: number): Request;
}

const post = (load: Load) => async (side: Side) => {
  const before = cpuMilliseconds(side.pids);
  await send('POST', load, side);
  await untilProcessed(side);
  return (cpuMilliseconds(side.pids) - before) / load.count;
};

const get = (load: Load) => async (side: Side) => {
  const before = cpuMilliseconds(side.pids);
  await send('GET', load, side);
  return (cpuMilliseconds(side.pids) - before) / load.count;
};

async function send(method: 'GET' | 'POST', { clients, count, request }: Load, side: Side): Promise<void> {
  const headers = headersOf(side.stage);
  let left = count;
  const run = async () => {
    const client = new Client(side.stage.origin);
    while (left-- > 0) {
      const { path, body } = request(side, side.nextNumber());
      const sent = { method, path: `/sandbox/api${path}`, headers, body: body ? JSON.stringify(body) : null };
      const answer = await client.request(sent);
      const text = await answer.body.text();
      if (answer.statusCode >= 300) throw new Error(`${method} ${path}: ${answer.statusCode} ${text.slice(0, 300)}`);
    }
    await client.close();
  };
  await Promise.all(Array.from({ length: clients }, run));
}

/** Waits until the relay has processed all that was committed, without look-ups of charges, which wait for a minute. */
export function untilProcessed({ sql, checkout }: Side): Promise<void> {
  const left = () => checkout.database.numberOf(sql, `select count(*) from outbox where topic <> 'charge'`);
  return until(async () => (await left()) === 0, { what: 'the outbox empty', withinSeconds: 60 });
}

const customerOf = ({ customers }: Side, n: number) => customers.first + (n % customers.count);

const invoices = (load: { clients: number; count: number; lines: number }) =>
  post({
    ...load,
    request: (side, n) => ({ path: '/invoices', body: JSON.parse(invoiceBody(customerOf(side, n), load.lines)) }),
  });

interface Renewing {
  count: number;
  charged: boolean;
}

/** Subscriptions whose processes start and are due at once. `charged`: by AutoPay, with a receipt, and with an endpoint that gets all events. */
const renewals =
  ({ count, charged }: Renewing) =>
  async (side: Side) => {
    const { checkout, stage, sql, pids } = side;
    const { addCustomers, addEndpoint, addSubscriptions, removeEndpoint } = checkout.sampleData;
    const endpoint = charged ? await addEndpoint(stage, sql) : null;
    const customers = await addCustomers(sql, { count, autopay: charged });
    const before = cpuMilliseconds(pids);
    const { first } = await addSubscriptions(sql, customers, new Date());
    const left = () =>
      checkout.database.numberOf(
        sql,
        `select 2 * $2::int - (select count(*) from invoice where subscription_id >= $1 and subscription_id < $1 + $2)
         - case when $4 then (select count(*) from payment where customer_id >= $3 and customer_id < $3 + $2) else $2 end
         + (select count(*) from email where state = 'queued') + (select count(*) from webhook_lane where due_at is not null)`,
        [first, count, customers.first, charged],
      );
    await until(async () => (await left()) === 0, { what: 'all renewals done', withinSeconds: 120 });
    await untilProcessed(side);
    const used = (cpuMilliseconds(pids) - before) / count;
    if (endpoint !== null) await removeEndpoint(sql, endpoint);
    return used;
  };

/** Commits events at once, each about another object, and waits until an endpoint has received them. */
async function deliver(side: Side): Promise<number> {
  const { checkout, stage, sql, pids } = side;
  const endpoint = await checkout.sampleData.addEndpoint(stage, sql);
  await checkout.webhooks.ask(stage, 'reset');
  const before = cpuMilliseconds(pids);
  await sql.query(
    `insert into event (account_id, type, subject_type, subject_id, sequence, object, user_id, occurred_at, created_at)
     select $1, 'customer.updated', 'bench', 'pairs-' || $2::int || '-' || n, 1, '{"id": 1, "name": "Customer"}', -1, now(), now()
     from generate_series(1, $3::int) n`,
    [await checkout.sampleData.sandboxAccount(sql), side.nextNumber(), EVENTS],
  );
  const isDelivered = async () => (await checkout.webhooks.ask(stage, 'count')).requests >= EVENTS;
  await until(isDelivered, { what: 'all events delivered', withinSeconds: 90 });
  const used = (cpuMilliseconds(pids) - before) / EVENTS;
  await untilProcessed(side);
  await checkout.sampleData.removeEndpoint(sql, endpoint);
  return used;
}

/**
 * The rows in the order in which they run. Reads need the invoices that the first row prepares, which have consecutive ids. Each measurement
 * takes about two to five seconds of CPU. PostgreSQL's background work takes 100 to 250 ms every ten seconds, which would distort shorter ones.
 */
export const stagedRows: StagedRow[] = [
  {
    name: 'invoices',
    what: '`POST /invoices`, 3 lines, 16 clients',
    prepare: invoices({ clients: 16, count: INVOICES, lines: 3 }),
    measure: invoices({ clients: 16, count: 300, lines: 3 }),
  },
  {
    name: 'one',
    what: 'GET one invoice, 16 clients',
    measure: get({ clients: 16, count: 2000, request: (_, n) => ({ path: `/invoices/${1 + (n % INVOICES)}` }) }),
  },
  {
    name: 'list',
    what: 'GET a list of 100 invoices with lines, 16 clients',
    measure: get({
      clients: 16,
      count: 300,
      request: (_, n) => ({ path: `/invoices?per_page=100&page=${1 + (n % 5)}` }),
    }),
  },
  {
    name: 'expanded',
    what: 'the same, expand=customer',
    measure: get({
      clients: 16,
      count: 240,
      request: (_, n) => ({ path: `/invoices?per_page=100&expand=customer&page=${1 + (n % 5)}` }),
    }),
  },
  {
    name: 'account',
    what: '`GET /account`, 16 clients',
    measure: get({ clients: 16, count: 4000, request: () => ({ path: '/account' }) }),
  },
  {
    name: 'numbering',
    what: '`POST /invoices`, 3 lines, 32 clients',
    measure: invoices({ clients: 32, count: 300, lines: 3 }),
  },
  {
    name: 'subscriptions',
    what: '`POST /subscriptions` with its first invoice, 8 clients',
    prepare: post({
      clients: 1,
      count: 1,
      request: () => ({ path: '/plans', body: { id: 'pairs', name: 'Month', amount: 12.5, interval: 'month' } }),
    }),
    measure: post({
      clients: 8,
      count: 80,
      request: (side, n) => ({ path: '/subscriptions', body: { customer: customerOf(side, n), plan: 'pairs' } }),
    }),
  },
  {
    name: 'charges',
    what: '`POST /charges`, 16 clients',
    measure: post({
      clients: 16,
      count: 144,
      request: (side, n) => ({ path: '/charges', body: { customer: customerOf(side, n), ...CARD } }),
    }),
  },
  {
    name: 'lines',
    what: '`POST /invoices`, 200 lines, 16 clients',
    measure: invoices({ clients: 16, count: 120, lines: 200 }),
  },
  { name: 'webhooks', what: 'Webhook deliveries, a backlog of 3,000', measure: deliver },
  {
    name: 'renewals',
    what: '60 subscriptions that start and renew at once, issued',
    measure: renewals({ count: 60, charged: false }),
  },
  {
    name: 'charged',
    what: '30 subscriptions that start and renew at once, charged, receipt, one endpoint',
    measure: renewals({ count: 30, charged: true }),
  },
  {
    name: 'clock',
    what: 'Test clock: three years of a monthly subscription, AutoPay, mail',
    measure: advanceThreeYears,
  },
];
