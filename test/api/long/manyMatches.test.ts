import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { matchesOf as suggestionsOf } from '../../../commands/payments/matches.ts';
import type { EntityManager } from '../../../db/orm.ts';
import { withAccount } from '../../../db/tenant.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { type Client, startApi, type TestApi } from '../../support/api.ts';
import { planOf } from '../../support/listPlans.ts';

let api: TestApi;
let client: Client;
beforeAll(async () => {
  api = await startApi();
  client = api.sandbox;
});
afterAll(() => api.close());

const idsOf = (matches: { applied_to: { invoice: number }[] }[]) =>
  matches.map(({ applied_to }) => applied_to.map(({ invoice }) => invoice));

test('among a hundred thousand open invoices, suggestions are found by indexes', async () => {
  const { id: customer } = await client.make('/customers', { name: 'Payer Inc' });
  const items = [{ name: 'x', unit_cost: 77.77 }];
  const invoice = await client.make('/invoices', { customer, items, number: 'NEEDLE-1' });
  const accountId = client.account.id;
  await api.em.fork().execute(
    `insert into invoice (account_id, customer_id, name, number, number_key, currency, status, autopay, date, issued_at, time_zone,
       subtotal, total, balance, paid, closed, metadata, created_at, updated_at)
     select account_id, customer_id, name, 'N-' || n, 'N-' || n, currency, status, autopay, date, issued_at, time_zone,
       1000 + n, 1000 + n, 1000 + n, false, false, jsonb_build_object('order', n::text, 'region', (n % 4)::text), created_at, updated_at
     from invoice, generate_series(1, 100000) n where account_id = ? and id = ?`,
    [accountId, invoice.id],
  );
  await api.em.fork().execute('analyze invoice');
  const payment = await client.make('/payments', { amount: 77.77, reference: 'needle 1' });
  expect(payment.matched).toBe(true);
  const { body } = await client.get(`/payments/${payment.id}/matches`);
  expect(idsOf(body)).toEqual([[invoice.id]]);
  expect(await entriesReadFor({ accountId, id: payment.id })).toBeLessThan(1000);
});

test('among as many invoices with metadata, those with a rare value are found by its index, and those with a usual one by the list', async () => {
  const sql = new pg.Client({ connectionString: api.databaseUrl });
  await sql.connect();
  try {
    for (const value of ['777', 'none']) {
      const rare = await planOf(api, sql, `/invoices?metadata[order]=${value}`);
      expect(rare.answer.body).toHaveLength(value === 'none' ? 0 : 1);
      expect([value, rare.faults]).toEqual([value, []]);
      expect(rare.access).toContain('Bitmap Index Scan invoice_metadata');
    }
    const usual = await planOf(api, sql, '/invoices?metadata[region]=3&sort=id desc');
    expect(usual.answer.body[0].metadata).toEqual({ order: '99999', region: '3' });
    expect(usual.access).toContain('Index Scan invoice_pkey');
  } finally {
    await sql.end();
  }
});

/** Number of rows and index entries of invoices that are read for the suggestions of a payment. */
function entriesReadFor(key: { accountId: number; id: number }): Promise<number> {
  const reading = async (em: EntityManager) => {
    await suggestionsOf(em, key);
    const [row] = await em.execute<{ count: number }[]>(
      `select sum(pg_stat_get_xact_tuples_returned(oid))::float8 as count from pg_class where oid = 'invoice'::regclass
       or oid in (select indexrelid from pg_index where indrelid = 'invoice'::regclass)`,
    );
    return row?.count ?? 0;
  };
  return withAccount(key.accountId, () => inTransaction(api.deps.em, reading));
}
