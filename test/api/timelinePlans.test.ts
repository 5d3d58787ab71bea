import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { RANDOM_PAGE_COST } from '../../db/orm.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { see } from '../support/listPlans.ts';
import { fill } from '../support/manyRows.ts';

// A timeline looks at the rows of its object alone, however many others there are.

const TABLES = [
  ...['customer', 'subscription', 'invoice', 'payment_source', 'payment', 'charge', 'attempt', 'attempt_invoice'],
  ...['ledger_entry', 'event', 'wakeup', 'estimate', 'credit_note', 'line_item'],
];

let api: TestApi;
let sql: pg.Client;
beforeAll(async () => {
  api = await startApi();
  sql = new pg.Client({ connectionString: api.databaseUrl, options: `-c random_page_cost=${RANDOM_PAGE_COST}` });
  await sql.connect();
  await sql.query('drop index attempt_invoice_undecided'); // the rows are none that could be
  await fill(api.databaseUrl, api.sandbox.account.id, TABLES);
  await sql.query(`update event set subject_id = sequence::text`);
  await sql.query(`update wakeup set process = 'invoice'`);
  await sql.query('analyze event; analyze wakeup');
}, 60_000);
afterAll(async () => {
  await sql?.end();
  await api?.close();
});

test.each([
  ['/invoices/1500/timeline', 2],
  ['/subscriptions/1500/timeline', 20],
  ['/customers/1500/timeline', 20],
])('%s', async (path, least) => {
  const { answer, faults } = await see(api, sql, path);
  expect(answer.status).toBe(200);
  expect(answer.body.length).toBeGreaterThanOrEqual(least);
  expect(faults).toEqual([]);
});
