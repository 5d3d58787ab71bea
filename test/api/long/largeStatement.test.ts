import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { MOST_STATEMENT_LINES } from '../../../billing/documents/statement.ts';
import { startApi, type TestApi } from '../../support/api.ts';

/** The statement of a customer with 100,000 entries. */

const INVOICES = 50_000;

let api: TestApi;
let customer: number;
beforeAll(async () => {
  api = await startApi({ systemNow: () => new Date('2027-06-20T15:00:00Z') });
  const { make } = api.sandbox;
  customer = (await make('/customers', { name: 'Large' })).id;
  const { id } = await make('/invoices', { customer, items: [{ name: 'x', unit_cost: 11 }] });
  await fill(id);
});
afterAll(() => api.close());

/** Copies an invoice of 11 with its entry, and splits the entries of the copies in two: 10 at its issue, and a late fee of 1. */
async function fill(invoice: number): Promise<void> {
  const client = new pg.Client({ connectionString: api.databaseUrl });
  await client.connect();
  await client.query(
    `insert into invoice select r.* from generate_series(1, $1::int) n join invoice i on i.id = $2,
       lateral jsonb_populate_record(i, jsonb_build_object(
         'id', 1000000 + n, 'number', 'COPY-' || n, 'number_key', 'COPY-' || n, 'token', md5(n::text),
         'date', '2027-01-01T00:00:00Z'::timestamptz + n * interval '4 minutes')) r`,
    [INVOICES, invoice],
  );
  await client.query(
    `insert into ledger_entry (account_id, posting, ledger_account, currency, amount, reason, customer_id, invoice_id, document_at, posted_at)
     select i.account_id, md5(i.id || part.reason)::uuid, side.name, 'usd', part.amount * side.sign, part.reason, i.customer_id, i.id, i.date, i.date
     from invoice i, (values ('issue', 10), ('late_fee', 1)) part (reason, amount),
       (values ('receivable', 1), ('revenue', -1)) side (name, sign) where i.id > 1000000`,
  );
  await client.query('analyze invoice, ledger_entry');
  await client.end();
}

test('a customer with 100,000 entries has a statement, which lists the latest 1,000 lines and sums up the others', async () => {
  for (const type of ['balance_forward', 'open_item']) {
    const start = Date.parse('2027-01-01T00:00:00Z') / 1000;
    const begun = performance.now();
    const { status, body } = await api.sandbox.get(`/customers/${customer}/statement?type=${type}&start=${start}`);
    const took = Math.round(performance.now() - begun);
    // biome-ignore lint/suspicious/noConsole: the figure of docs/performance.md
    console.log(`${type}: ${took} ms`);
    const count = (type === 'open_item' ? INVOICES : 2 * INVOICES) + 1 - MOST_STATEMENT_LINES;
    expect([status, body.lines.length, body.earlier_count]).toEqual([200, MOST_STATEMENT_LINES, count]);
    // 50,000 invoices of 10 with a fee of 1, and the first one of 11
    expect([body.closing_balance, body.total_outstanding]).toEqual([550_011, 550_011]);
    expect(body.lines.at(-1).balance).toBe(550_011);
  }
});
