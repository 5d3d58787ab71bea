import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { RANDOM_PAGE_COST } from '../../../db/database.ts';
import { type Client, linkOf, startApi, type TestApi } from '../../support/api.ts';
import { rowsReadFor } from '../../support/listPlans.ts';

// Among 100,000 open invoices the worklist reads what waits, and not the invoices.

const CUSTOMERS = 10_000;
const INVOICES = 100_000;
const [CALLS, PROMISES, FAILED, UNAPPLIED, PROBLEMS] = [400, 50, 200, 300, 50];
const ITEMS = CALLS + PROMISES + FAILED + UNAPPLIED + PROBLEMS;
/** Rows that may be read for each item: itself, its customer, its tasks, invoices and balances, each once for the page and once for the total. */
const MOST_EACH = 20;

let api: TestApi;
let client: Client;
let sql: pg.Client;

beforeAll(async () => {
  api = await startApi();
  client = api.sandbox;
  sql = new pg.Client({ connectionString: api.databaseUrl, options: `-c random_page_cost=${RANDOM_PAGE_COST}` });
  await sql.connect();
  await fill();
});
afterAll(async () => {
  await sql?.end();
  await api?.close();
});

/** Copies one object of each kind. The amounts of the copies differ; a third of the invoices and payments are in euros. */
async function fill(): Promise<void> {
  const { id: customer } = await client.make('/customers', { name: 'Payer' });
  const invoice = await client.make('/invoices', { customer, items: [{ name: 'Work', unit_cost: 77 }] });
  const payment = await client.make('/payments', { customer, amount: 5 });
  const task = await client.make('/tasks', { customer, name: 'Call', action: 'phone', due_date: 1 });
  const copy = (table: string, { id, count, changes }: { id: number; count: number; changes: string }) =>
    sql.query(
      `insert into ${table} select copied.* from ${table} t, generate_series(1, ${count}) n,
         jsonb_populate_record(null::${table}, to_jsonb(t) || jsonb_build_object('id', 100 + n, ${changes})) copied
       where t.account_id = ${client.account.id} and t.id = ${id}`,
    );
  const currency = `'currency', case when n % 3 = 0 then 'eur' else 'usd' end`;
  const someone = `'customer_id', 101 + n % ${CUSTOMERS}`;
  await sql.query('set session_replication_role = replica');
  await copy('customer', {
    id: customer,
    count: CUSTOMERS,
    changes: `'number', 'C-' || n, 'number_key', 'C_' || n, 'name', 'Customer ' || n`,
  });
  const isFailed = `n > ${INVOICES - FAILED}`;
  await copy('invoice', {
    id: invoice.id,
    count: INVOICES,
    changes: `${someone}, ${currency}, 'number', 'N-' || n, 'number_key', 'N_' || n, 'token', md5('i' || n), 'total', 10 + n, 'balance', 10 + n, 'past_due', true,
      'payment_failure_code', case when ${isFailed} then 'expired' end, 'payment_failed_at', case when ${isFailed} then now() end`,
  });
  await sql.query(`insert into customer_balance (account_id, customer_id, currency, balance, overdue, oldest_due_at)
    select account_id, customer_id, currency, sum(balance), sum(balance), min(due_at) from invoice where id > 100 group by 1, 2, 3`);
  const applied = 50_000;
  await copy('payment', {
    id: payment.id,
    count: applied,
    changes: `${someone}, ${currency}, 'amount', 5 + n, 'balance', case when n <= ${UNAPPLIED} then 5 + n else 0 end, 'token', md5('p' || n), 'receipt_number', 'R-' || n, 'receipt_number_key', 'R_' || n`,
  });
  const done = 50_000;
  await copy('task', {
    id: task.id,
    count: done,
    changes: `${someone}, 'complete', n > ${CALLS + PROMISES}, 'completed_at', case when n > ${CALLS + PROMISES} then timestamptz '2026-01-01' end,
      'chase_step_id', case when n <= ${CALLS / 2} then 7 end, 'promised_invoice_id', case when n > ${CALLS} and n <= ${CALLS + PROMISES} then 100 + n end`,
  });
  await sql.query(`insert into task_invoice (account_id, task_id, invoice_id)
    select account_id, id, 101 + id % ${CUSTOMERS} + k * ${CUSTOMERS} from task, generate_series(0, 2) k where chase_step_id = 7`);
  await sql.query(`insert into problem (account_id, subject_type, subject_id, step, message, money_at_risk, currency, since, tries, updated_at, closed_at)
    select ${client.account.id}, 'invoice', 50000 + n, 'issue', 'no', 3 + n, 'usd', now(), 1, now(), case when n > ${PROBLEMS} then now() end
    from generate_series(1, 5000) n`);
  await sql.query(`delete from task where id = ${task.id}`);
  await sql.query(`update payment set balance = 0 where id = ${payment.id}`);
  await sql.query('set session_replication_role = origin');
  await sql.query('vacuum analyze');
}

interface Item {
  id: string;
  currency: string | null;
  money_at_risk: number | null;
}

/** The order of the docs, computed here once more. */
function inOrder(items: readonly Item[]): Item[] {
  const group = ({ money_at_risk: amount, currency }: Item) =>
    amount === null ? 'z' : currency === 'usd' ? '' : currency;
  return items.toSorted((one, other) => {
    const [left, right] = [group(one) ?? '', group(other) ?? ''];
    if (left !== right) return left < right ? -1 : 1;
    const less = Number(other.money_at_risk) - Number(one.money_at_risk);
    return less === 0 ? (one.id < other.id ? -1 : 1) : less;
  });
}

test('a page of the worklist reads rows by what waits, not by what is open', async () => {
  const measured: string[] = [];
  const look = async (query: string) => {
    const { answer, rows, milliseconds } = await rowsReadFor(api, sql, `/worklist?${query}`);
    expect([query, answer.status]).toEqual([query, 200]);
    measured.push(`${query}: ${rows} rows, ${Math.round(milliseconds)} ms`);
    expect([query, rows < MOST_EACH * ITEMS]).toEqual([query, true]);
    return answer;
  };
  const found: Item[] = [];
  for (let path = '/worklist?per_page=100'; path; ) {
    const page = await look(path.split('?')[1] ?? '');
    expect(page.headers.get('X-Total-Count')).toBe(String(ITEMS));
    found.push(...page.body);
    path = linkOf(page, 'next') ?? '';
  }
  expect(found).toHaveLength(ITEMS);
  expect(new Set(found.map(({ id }) => id)).size).toBe(ITEMS);
  expect(found.map(({ id }) => id)).toEqual(inOrder(found).map(({ id }) => id));
  for (const query of ['filter[kind]=task', 'filter[assignee]=unassigned', 'filter[currency]=eur', 'sort=due_at'])
    await look(query);
  // biome-ignore lint/suspicious/noConsole: the figures of docs/performance.md
  console.log(measured.join('\n'));
});
