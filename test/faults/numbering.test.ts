import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { auditDatabase } from '../../bin/audit.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { until } from '../support/wait.ts';

// Fifty documents are issued at the same time, several times, while requests are refused and connections are cut. The committed numbers
// have no gap.

const AT_ONCE = 50;
const ROUNDS = 3;
let api: TestApi;
let owner: pg.Client;
let customers: number[];
/** One invoice of each customer. Some credit notes correct it. */
let corrected: number[];

beforeAll(async () => {
  api = await startApi();
  owner = new pg.Client({ connectionString: api.databaseUrl });
  await owner.connect();
  const names = Array.from({ length: 10 }, (_, n) => `Customer ${n}`);
  const made = await Promise.all(names.map((name) => api.sandbox.post('/customers', { name })));
  customers = made.map(({ body }) => body.id);
  const issued = customers.map((customer) => api.sandbox.post('/invoices', { customer, items: [{ unit_cost: 5 }] }));
  corrected = (await Promise.all(issued)).map(({ body }) => body.id);
});

afterAll(async () => {
  await owner?.end();
  await api?.close();
});

/** Pseudorandom numbers from 0 to below 1, the same in every run. */
function* randoms(seed: number): Generator<number> {
  for (let state = seed; ; ) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    yield state / 2_147_483_648;
  }
}

const random = randoms(20_270_301);
const nextRandom = () => random.next().value ?? 0;

/** Records a payment. Some are refused, one of them after all rows are written. */
function pay(n: number) {
  const chance = nextRandom();
  const post = (body: object) => api.sandbox.post('/payments', { amount: 5, ...body });
  const unknown = [{ type: 'invoice', invoice: 4711, amount: 1 }];
  if (chance < 0.2) return post({ customer: customers[0], applied_to: unknown });
  // The invoice takes one of these.
  if (chance < 0.5) return post({ applied_to: [{ type: 'invoice', invoice: corrected[n % 10], amount: 5 }] });
  return post({ customer: chance < 0.6 ? null : customers[n % customers.length] });
}

function issue(path: string, n: number) {
  const customer = customers[n % customers.length];
  if (path === '/receipts') return pay(n);
  const chance = nextRandom();
  const post = (body: object) => api.sandbox.post(path, { customer, ...body });
  if (chance < 0.1) return post({ items: [{ unit_cost: -1 }] });
  if (chance < 0.2) return post({ items: [{ catalog_item: 'none' }] });
  if (chance < 0.3) return post({ attachments: [4711] }); // refused after all rows are written
  const invoice = path === '/credit_notes' && chance < 0.7 ? { invoice: corrected[n % customers.length] } : {};
  return post({ ...invoice, items: [{ unit_cost: 1 }] });
}

/** Cuts one connection of the API that is in a transaction. Returns the number of cut connections: 0 or 1. */
async function cut(): Promise<number> {
  const { rowCount } = await owner.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
     and usename <> 'postgres' and xact_start is not null order by random() limit 1`,
  );
  return rowCount ?? 0;
}

test.each([
  ['invoice', 'INV-'],
  ['credit_note', 'CN-'],
  ['receipt', 'REC-'],
])('numbers have no gap: %s', async (series, prefix) => {
  let cuts = 0;
  const statuses = new Map<number, number>();
  for (let round = 0; round < ROUNDS; round++) {
    const issued = Array.from({ length: AT_ONCE }, async (_, n) => {
      const { status } = await issue(`/${series}s`, n);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (n % 6 === 0) cuts += await cut();
    });
    await Promise.all(issued);
  }
  const column = series === 'receipt' ? 'receipt_number' : 'number';
  const { rows } = await owner.query(
    `select ${column} as number from ${series === 'receipt' ? 'payment' : series} where ${column} is not null order by 1`,
  );
  const numbers = rows.map(({ number }) => number);
  expect(numbers).toEqual(numbers.map((_, index) => `${prefix}${String(index + 1).padStart(5, '0')}`));
  expect(numbers.length).toBeGreaterThan(AT_ONCE);
  expect([statuses.get(400) ?? 0, cuts, AT_ONCE * ROUNDS - (statuses.get(201) ?? 0)].map((count) => count > 5)).toEqual(
    [true, true, true],
  );
  const { body } = await api.sandbox.get('/numbering/audit');
  const audited = body.series.find((one: { series: string }) => one.series === series);
  expect(audited).toMatchObject({ first: `${prefix}00001`, last: numbers.at(-1), missing: [] });
  expect(await auditDatabase(api.databaseUrl)).toEqual([]);
});

test('a series skips a number that is supplied simultaneously', async () => {
  const { rows } = await owner.query(`select next from numbering where series = 'invoice' and account_id = $1`, [
    api.sandbox.account.id,
  ]);
  const { body: issued } = await api.sandbox.post('/invoices', { customer: customers[0] });
  const [supplied, next] = [2, 3].map((n) => `INV-${String(rows[0].next + n - 1).padStart(5, '0')}`);
  await owner.query('begin');
  await owner.query(
    `insert into invoice select (jsonb_populate_record(i, jsonb_build_object('id', nextval('invoice_id_seq'), 'number', $1::text, 'number_key', $1::text))).*
     from invoice i where id = $2`,
    [supplied, issued.id],
  );
  const issuing = api.sandbox.post('/invoices', { customer: customers[1] });
  await until(async () => (await waiting()) > 0, { what: 'the series to reach the supplied number' });
  await owner.query('commit');
  expect(await issuing).toMatchObject({ status: 201, body: { number: next } });
});

/** Number of connections that wait for the transaction of another one. */
async function waiting(): Promise<number> {
  const { rows } = await owner.query(
    `select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event = 'transactionid'`,
  );
  return rows[0].count;
}
