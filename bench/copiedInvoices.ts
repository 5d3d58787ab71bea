import type { Sql } from '../db/queries/kernel/sql.ts';
import type { Range } from './sampleData.ts';

/** Copies of an invoice: `each` for each customer. */
export interface Copies {
  invoice: number;
  customers: Range;
  count: number;
  each: number;
  /** Begins their numbers. */
  word: string;
}

/** Copies an invoice with all rows that belong to it. */
export async function copyInvoice(sql: Sql, { invoice, customers, count, each, word }: Copies): Promise<void> {
  await sql.query('set session_replication_role = replica'); // the copies are neither checked nor announced
  const copies: [table: string, of: string, changes: string][] = [
    [
      'invoice',
      't.id = $1',
      `'id', $2 + n, 'customer_id', $3 + n / ${each}, 'number', '${word} ' || n, 'number_key', '${word} ' || n, 'token', md5('${word} ' || n)`,
    ],
    ['line_item', 't.invoice_id = $1', `'id', nextval('line_item_id_seq'), 'invoice_id', $2 + n`],
    [
      'ledger_entry',
      't.invoice_id = $1',
      `'id', nextval('ledger_entry_id_seq'), 'invoice_id', $2 + n, 'customer_id', $3 + n / ${each}, 'posting', md5(t.posting || ' ' || n)`,
    ],
    ['wakeup', `t.process = 'invoice' and t.subject_id = $1`, `'subject_id', $2 + n`],
    [
      'event',
      `t.subject_type = 'invoice' and t.subject_id = ($1::int)::text`,
      `'id', nextval('event_id_seq'), 'subject_id', ($2 + n)::text`,
    ],
  ];
  const [last] = await sql.query<{ id: number }>(
    `select setval('invoice_id_seq', nextval('invoice_id_seq') + $1)::int as id`,
    [count],
  );
  const before = Number(last?.id) - count;
  for (const [table, of, changes] of copies) {
    await sql.query(
      `insert into "${table}" select copied.* from "${table}" t, generate_series(1, ${count}) n,
         jsonb_populate_record(null::"${table}", to_jsonb(t) || jsonb_build_object(${changes})) copied
       where ${of} and $2::int > 0 and $3::int > 0`,
      [invoice, before, customers.first],
    );
  }
  await sql.query(
    `insert into event_log (account_id, event_id) select e.account_id, e.id from event e
     where not exists (select 1 from event_log l where l.account_id = e.account_id and l.event_id = e.id)`,
  );
  await sql.query('set session_replication_role = origin');
  await sql.query('vacuum analyze');
}
