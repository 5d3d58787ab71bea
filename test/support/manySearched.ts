import pg from 'pg';

/** Customers and invoices that are searched; the id of each is its place, counted from 1. */
export interface SearchedRows {
  customers: readonly { name: string; number: string; email: string | null }[];
  /** `customer`: the id of the customer. */
  invoices: readonly { name: string; number: string | null; purchase_order: string | null; customer: number }[];
}

/** Writes customers and invoices of an account as rows, because as many requests would take minutes. */
export async function seedSearched(url: string, accountId: number, rows: SearchedRows): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`set session_replication_role = 'replica'`);
    await client.query(
      `insert into customer (account_id, id, name, number, number_key, email, autopay, autopay_delay_days, type, metadata, created_at, updated_at)
       select $1, n, row->>'name', row->>'number', row->>'number', row->>'email', false, -1, 'company', '{}', now(), now()
       from jsonb_array_elements($2::jsonb) with ordinality as given(row, n)`,
      [accountId, JSON.stringify(rows.customers)],
    );
    await client.query(
      `insert into invoice (account_id, id, customer_id, name, number, number_key, purchase_order, currency, status, autopay, date, issued_at,
         time_zone, subtotal, total, balance, paid, closed, metadata, created_at, updated_at)
       select $1, n, (row->>'customer')::int, row->>'name', row->>'number', row->>'number', row->>'purchase_order', 'usd', 'sent', false,
         now(), now(), 'UTC', 10, 10, 10, false, false, '{}', now(), now()
       from jsonb_array_elements($2::jsonb) with ordinality as given(row, n)`,
      [accountId, JSON.stringify(rows.invoices)],
    );
    await client.query('vacuum (analyze) customer, invoice');
  } finally {
    await client.end();
  }
}
