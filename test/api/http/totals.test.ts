import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { startApi, type TestApi } from '../../support/api.ts';
import { until } from '../../support/wait.ts';

// Totals up to 10,000 are exact. Above, an unfiltered total may be five seconds old, and a filtered one is estimated if counting takes over 50 ms.

const ROWS = 10_050;
let now = Date.now();
let api: TestApi;
let sql: pg.Client;

beforeAll(async () => {
  api = await startApi({ systemNow: () => new Date(now) });
  sql = new pg.Client({ connectionString: api.databaseUrl });
  await sql.connect();
  await addCustomers(api.sandbox.account.id, ROWS);
  await sql.query('vacuum (analyze) customer');
});

afterAll(async () => {
  await sql?.end();
  await api?.close();
});

async function addCustomers(accountId: number, count: number): Promise<void> {
  await sql.query(
    `insert into customer (account_id, name, number, number_key, autopay, autopay_delay_days, type, metadata, created_at, updated_at)
     select $1, 'Customer ' || n, gen_random_uuid(), gen_random_uuid(), false, -1, 'company', '{}', now(), now() from generate_series(1, $2::int) n`,
    [accountId, count],
  );
}

const totalOf = async (path: string, client = api.sandbox) =>
  Number((await client.get(path)).headers.get('X-Total-Count'));

test('a total up to 10,000 is exact and current', async () => {
  await addCustomers(api.live.account.id, 9_999);
  expect(await totalOf('/customers?per_page=1', api.live)).toBe(9_999);
  await addCustomers(api.live.account.id, 1);
  expect(await totalOf('/customers?per_page=1', api.live)).toBe(10_000);
});

test('the total of a whole list is cached for five seconds, and no longer', async () => {
  expect(await totalOf('/customers')).toBe(ROWS);
  await addCustomers(api.sandbox.account.id, 10);
  now += 2_000;
  expect(await totalOf('/customers')).toBe(ROWS);
  now += 3_000;
  expect(await totalOf('/customers')).toBe(ROWS + 10);
});

test('a total that is requested all the time is recounted before it is too old', async () => {
  await addCustomers(api.sandbox.account.id, 10);
  now += 4_000;
  expect(await totalOf('/customers')).toBe(ROWS + 10);
  await until(async () => (await totalOf('/customers')) === ROWS + 20, { what: 'the new total' });
});

test('a cached total does not make a list inexact that has become short', async () => {
  await sql.query('delete from customer where account_id = $1 and name = $2', [api.sandbox.account.id, 'Customer 1']);
  const short = await sql.query('delete from customer where account_id = $1 and id % 100 = 0', [
    api.sandbox.account.id,
  ]);
  const { rows } = await sql.query('select count(*)::int as count from customer where account_id = $1', [
    api.sandbox.account.id,
  ]);
  expect(short.rowCount).toBeGreaterThan(90);
  expect(rows[0].count).toBeLessThan(10_000);
  expect(await totalOf('/customers')).toBe(rows[0].count);
  await addCustomers(api.sandbox.account.id, ROWS - rows[0].count);
});

test('the total of a filtered list is counted if that is quick', async () => {
  const counted = async () => {
    now += 5_000; // an estimate is kept for so long
    return (await totalOf('/customers?filter[autopay]=false')) === ROWS;
  };
  await until(counted, { what: 'a count within 50 ms' }); // on a busy machine the first totals may be estimates
  now += 5_000;
});

test('the total of a filtered list is estimated if counting is slow', async () => {
  await sql.query('alter table customer rename to customer_row');
  await sql.query(
    `create function is_slow() returns boolean language sql volatile as 'select count(*) > 0 from generate_series(1, 100)'`,
  );
  await sql.query('create view customer as select * from customer_row where is_slow()');
  await sql.query('grant select on customer to public');
  const { rows } = await sql.query(
    'explain (format json) select 1 from customer where account_id = $1 and autopay = false',
    [api.sandbox.account.id],
  );
  const expected = rows[0]['QUERY PLAN'][0].Plan['Plan Rows'];
  expect(expected).not.toBe(ROWS);
  expect(api.faults).toEqual([]);
  const counts = async () =>
    (await api.statements(() => api.sandbox.get('/customers?filter[autopay]=false'))).filter((text) =>
      /count\(/.test(text),
    ).length;
  expect(await counts()).toBe(2);
  expect(await totalOf('/customers?filter[autopay]=false')).toBe(expected);
  expect(await counts()).toBe(1); // no second count within five seconds
  now += 5_000;
  expect(await counts()).toBe(2);
  expect(api.faults).toEqual([]);
});
