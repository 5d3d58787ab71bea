import { type Database, numberOf } from '../database.ts';
import { sandboxAccount } from '../sampleData.ts';
import { DUE, dueAt, ENDS, rareTables, wakeUps } from './rareRows.ts';
import { at, BEGIN, byPart, oneIn, PART, type Table, timeOf, times } from './table.ts';

const BATCH = 250_000;
const metadata = oneIn(500, `jsonb_build_object('order', (n / 5000)::text)`, `'{}'::jsonb`);

/**
 * There are as many payments, events and customers as invoices. Each invoice has one line. The first tenth of the customers has all of
 * them.
 */
const tables: Table[] = [
  {
    name: 'customer',
    columns: {
      name: `'Customer ' || n::bigint * 7919 % 1000003`,
      number: `'L-' || n`,
      number_key: `'L-' || n`,
      email: oneIn(3, 'null', `'c' || n || '@example.com'`),
      autopay: 'n % 100 = 0',
      autopay_delay_days: '-1',
      type: `'company'`,
      currency: `'usd'`,
      country: oneIn(100, `'DE'`, `'US'`),
      metadata,
      ...times,
    },
  },
  {
    name: 'invoice',
    columns: {
      customer_id: '1 + n / 10',
      name: `'Invoice'`,
      number: `'L-' || n`,
      number_key: `'L-' || n`,
      currency: oneIn(100, `'eur'`, `'usd'`),
      status: oneIn(100, `'past_due'`, `'paid'`),
      autopay: 'false',
      date: at,
      issued_at: at,
      time_zone: `'UTC'`,
      due_at: oneIn(3, 'null', `${at} + interval '30 days'`),
      subtotal: '10',
      total: '10',
      balance: oneIn(100, '10', '0'),
      paid: 'n % 100 > 0',
      closed: 'n % 100 > 0',
      metadata,
      ...times,
    },
  },
  {
    name: 'line_item',
    columns: {
      invoice_id: 'n',
      position: '0',
      name: `'Seats'`,
      currency: `'usd'`,
      quantity: '1',
      unit_cost: '10',
      amount: '10',
      net: '10',
      discountable: 'true',
      taxable: 'true',
      discounts: `'[]'::jsonb`,
      taxes: `'[]'::jsonb`,
      item_code: `'item-' || n % 20`,
      plan_code: oneIn(2, `'plan-' || n % 10`, 'null'),
      gl_account: `(4000 + n % 5)::text`,
      period_start_at: oneIn(2, at, 'null'),
      period_end_at: oneIn(2, `${at} + interval '1 month'`, 'null'),
      metadata,
      ...times,
    },
  },
  {
    name: 'payment',
    columns: {
      customer_id: '1 + n / 10',
      date: at,
      currency: oneIn(100, `'eur'`, `'usd'`),
      amount: '10',
      balance: '0',
      method: oneIn(100, `'check'`, `'credit_card'`),
      reference: `'ref ' || n`,
      source: `'api'`,
      voided: 'n % 100 = 0',
      metadata,
      ...times,
    },
  },
  {
    name: 'event',
    columns: {
      type: oneIn(100, `'invoice.voided'`, `'invoice.created'`),
      subject_type: `'invoice'`,
      subject_id: 'n::text',
      sequence: '1',
      object: `'{"object": "invoice"}'::json`,
      user_id: '-2',
      occurred_at: at,
      created_at: at,
    },
  },
];

const PLANS = 10;
/** A subscription for each so many invoices, with four movements of revenue: new, expansion, churn, reactivation. */
const INVOICES_OF_SUBSCRIPTION = 20;
const MOVES = 4;
const MOVE = `((n - 1) % ${MOVES})`;
const moveAt = `${BEGIN} + (1 + (n - 1) / ${MOVES}) * interval '14 minutes' + ${MOVE} * interval '40 days'`;

tables.push(
  {
    name: 'subscription',
    each: 1 / INVOICES_OF_SUBSCRIPTION,
    columns: {
      customer_id: '2 * n',
      plan_id: `1 + n % ${PLANS}`,
      status: `'active'`,
      quantity: '1',
      anchor_at: oneIn(DUE, `${dueAt} - interval '1 month'`, at),
      time_zone: `'UTC'`,
      next_period: '1',
      cancel_at_period_end: `n % ${ENDS} = 0`,
      paused: 'false',
      discounts: `'[]'::jsonb`,
      taxes: `'[]'::jsonb`,
      period_start_at: `${dueAt} - interval '1 month'`,
      period_end_at: dueAt,
      recurring_total: '10',
      mrr: '10',
      metadata: `'{}'::jsonb`,
      ...times,
    },
  },
  {
    name: 'mrr_movement',
    each: MOVES / INVOICES_OF_SUBSCRIPTION,
    columns: {
      subscription_id: `1 + (n - 1) / ${MOVES}`,
      event_id: 'n',
      currency: `'usd'`,
      amount: `(array[10, 5, -15, 10])[1 + ${MOVE}]`,
      occurred_at: moveAt,
      created_at: moveAt,
    },
  },
);

/** Each invoice has six entries: its issue, its payment and the application of it. Every hundredth is in euros and stays open. */
const ENTRIES = 6;
const NTH = `(1 + (n - 1) / ${ENTRIES})`;
const ENTRY = `((n - 1) % ${ENTRIES})`;
const byEntry = (...values: string[]) => byPart(ENTRY, values);
const entryAt = timeOf(NTH);

tables.push({
  name: 'ledger_entry',
  each: ENTRIES,
  columns: {
    posting: `md5((n - 1) / 2 || 'x')::uuid`,
    ledger_account: byEntry(`'receivable'`, `'revenue'`, `'cash'`, `'unapplied'`, `'unapplied'`, `'receivable'`),
    currency: `case when ${NTH} % 100 = 0 then 'eur' else 'usd' end`,
    amount: `case when ${NTH} % 100 = 0 and ${ENTRY} > 3 then 0.01 else 10 end * case when ${ENTRY} % 2 = 0 then 1 else -1 end`,
    reason: byEntry(`'issue'`, `'issue'`, `'receipt'`, `'receipt'`, `'application'`, `'application'`),
    customer_id: `1 + ${NTH} / 10`,
    invoice_id: `case when ${ENTRY} in (2, 3) then null else ${NTH} end`,
    payment_id: `case when ${ENTRY} > 1 then ${NTH} end`,
    document_at: entryAt,
    posted_at: entryAt,
  },
});

/** Fills each table by COPY, in the sandbox account, until it has this many rows. Then vacuums. */
export async function fillTo(sql: Database, count: number): Promise<void> {
  const accountId = await sandboxAccount(sql);
  const [folder] = await sql.query<{ data_directory: string }>('show data_directory');
  const file = `${folder?.data_directory}/large.copy`;
  await sql.query(`set session_replication_role = 'replica'`); // no foreign keys and triggers for generated rows
  await sql.query(
    `insert into plan (account_id, id, code, name, currency, amount, pricing_mode, quantity_type, interval, interval_count, metadata, created_at, updated_at)
     select $1, n, 'plan-' || n % ${PLANS}, 'Plan', 'usd', 10, 'per_unit', 'constant', 'month', 1, '{}', now(), now()
     from generate_series(1, ${PLANS}) n on conflict do nothing`,
    [accountId],
  );
  for (const { name, columns, each = 1, after = 0 } of [...tables, ...rareTables]) {
    const wanted = Math.round(count * each);
    const names = ['account_id', 'id', ...Object.keys(columns)].join(', ');
    const values = [accountId, `${after} + n`, ...Object.values(columns)].join(', ');
    const filled = `select coalesce(max(id), ${after}) - ${after} from ${name} where id > ${after} and id <= ${after + PART}`;
    for (let have = await numberOf(sql, filled); have < wanted; ) {
      const to = Math.min(wanted, have + BATCH);
      await sql.query(`copy (select ${values} from generate_series(${have + 1}, ${to}) n) to '${file}'`);
      await sql.query(`copy ${name} (${names}) from '${file}'`);
      have = to;
    }
    await sql.query(`select setval('${name}_id_seq', $1)`, [after + wanted]);
  }
  await sql.query(wakeUps, [accountId]);
  await sql.query(`set session_replication_role = 'origin'`);
  await sql.query('vacuum (analyze)');
  await sql.query('checkpoint');
}
