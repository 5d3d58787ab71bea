import pg from 'pg';

/** Number of rows of each table. In the last `RARE` of them, columns with few values have the rare one. */
export const ROWS = 12_000;
const RARE = 300;

/** Events are those of invoices, except one of a credit note and one of a payment, which have the same id. */
const [OF_NOTE, OF_PAYMENT, SUBJECT] = [2291, 2292, 2290];

/** Tables of which an account has one row at most. */
const single = new Set(['mail_sender', 'message_provider']);

/** Values of columns with few values: the common one, and the rare one of the last rows. */
const words: Record<string, readonly [string, string]> = {
  'chasing_cadence.kind': ['customer', 'invoice'],
  'custom_field.object': ['invoice', 'customer'],
  'customer.type': ['company', 'person'],
  'invoice.status': ['paid', 'sent'],
  'invoice.payment_failure_code': ['insufficient_funds', 'expired'],
  'invoice.promise': ['kept', 'broken'],
  'estimate.status': ['invoiced', 'sent'],
  'credit_note.status': ['paid', 'open'],
  'task.action': ['phone', 'review'],
  'email.state': ['sent', 'queued'],
  'charge.status': ['succeeded', 'failed'],
  'refund.status': ['succeeded', 'failed'],
  'customer_balance.currency': ['eur', 'usd'],
  'saved_view.list': ['customers', 'invoices'],
  'dispute.status': ['won', 'open'],
  'payment.method': ['credit_card', 'check'],
  'subscription.status': ['canceled', 'active'],
  'plan.interval': ['month', 'year'],
  'plan.pricing_mode': ['per_unit', 'custom'],
  'problem.subject_type': ['invoice', 'charge'],
  'test_clock.status': ['ready', 'stopped'],
  'job.status': ['done', 'failed'],
  'event.type': ['task.created', 'task.completed'], // the timeline shows these without their object, which is missing here
  'event.reason': ['on_page', 'on_page'],
  'suppression.reason': ['hard_bounce', 'complaint'],
  'text_message.state': ['sent', 'failed'],
  'wakeup.reason': ['soft_decline', 'hard_decline'],
  'gl_account.type': ['asset', 'income'],
  'wakeup.process': ['invoice', 'invoice'],
  currency: ['usd', 'eur'],
  country: ['US', 'DE'],
  gateway: ['test', 'stripe'],
  type: ['one', 'two'],
  source: ['api', 'import'],
  gl_account: ['4000', '5000'],
  language: ['en', 'de'],
  time_zone: ['UTC', 'UTC'],
  environment: ['sandbox', 'live'],
};

interface Column {
  name: string;
  type: string;
  nullable: boolean;
  most: number | null;
}

/**
 * Fills tables with rows that no list should have to scan. Rare values, and rows that are not archived or deleted, are among the last ones.
 * Twenty rows share a time. Most nullable columns are null in every third row. Foreign keys and check constraints are off.
 */
export async function fillTables(url: string, accountId: number, tables: Iterable<string>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`set session_replication_role = 'replica'`);
    for (const table of tables) await fillOne(client, accountId, table);
    await client.query('vacuum (analyze)');
  } finally {
    await client.end();
  }
}

async function fillOne(client: pg.Client, accountId: number, table: string): Promise<void> {
  const { rows: checks } = await client.query<{ name: string }>(
    `select conname as name from pg_constraint where conrelid = $1::regclass and contype = 'c'`,
    [table],
  );
  for (const { name } of checks) await client.query(`alter table "${table}" drop constraint "${name}"`);
  if (single.has(table)) await client.query(`drop index ${table}_once`);
  const { rows: columns } = await client.query<Column>(
    `select column_name as name, case udt_name when '_int4' then 'int[]' else data_type end as type, is_nullable = 'YES' as nullable, character_maximum_length as most
     from information_schema.columns where table_name = $1 and table_schema = 'public' order by ordinal_position`,
    [table],
  );
  const names = columns.map(({ name }) => `"${name}"`).join(', ');
  const values = columns.map((column) => expressionOf(table, column)).join(', ');
  await client.query(
    `insert into "${table}" (${names}) select ${values} from (select $1::int as account, n from generate_series(1001, ${1000 + ROWS}) n) row`,
    [accountId],
  );
}

const isRare = `n > ${1000 + ROWS - RARE}`;

/** SQL: a report that is asked for without limits. */
const NO_LIMITS = `'{"metadata": {}, "options": {}, "fields": []}'::jsonb`;

function expressionOf(table: string, column: Column): string {
  const { name, nullable, type } = column;
  if (name === 'account_id') return 'account';
  if (/^(invoice|estimate|credit_note)\.deleted_at$/.test(`${table}.${name}`)) return 'null::timestamptz'; // deleted documents are rare
  if (/^(archived|revoked|deleted|closed)_at$/.test(name)) return `case when ${isRare} then null else now() end`;
  if (/^(job\.(file_\w+|store_key)|report_schedule\.(day|last_run))$/.test(`${table}.${name}`)) return `null::${type}`;
  const value = sqlValueOf(table, column);
  if (`${table}.${name}` === 'job.expires_at') return value; // set once it has ended
  return nullable && !/_id$|^number(_key)?$|^amount$|currency|country|gateway|type|gl_account|reference/.test(name)
    ? `case when n % 3 > 0 then ${value} end`
    : value;
}

function sqlValueOf(table: string, { name, type, most }: Column): string {
  if (`${table}.${name}` === 'saved_view.shared') return 'true'; // a member has few private ones
  if (`${table}.${name}` === 'attempt_invoice.undecided') return 'false'; // an invoice has at most one
  if (['late_fee_schedule.is_default', 'theme.is_default'].includes(`${table}.${name}`)) return 'false'; // an account has at most one
  if (/^chasing_cadence\.(steps|assignment_conditions|run_days)$/.test(`${table}.${name}`)) return `'[]'::jsonb`;
  if (`${table}.${name}` === 'chasing_cadence.assignment_mode') return `'none'`; // an account has at most one default
  if (`${table}.${name}` === 'chasing_cadence.is_default') return 'false'; // an account has at most one
  if (`${table}.${name}` === 'customer_balance.customer_id') return 'n'; // a customer has one of each currency
  if (`${table}.${name}` === 'event.subject_id')
    return `case when n in (${OF_NOTE}, ${OF_PAYMENT}) then '${SUBJECT}' else n::text end`;
  if (`${table}.${name}` === 'event.subject_type')
    return `case n when ${OF_NOTE} then 'credit_note' when ${OF_PAYMENT} then 'payment' else 'invoice' end`;
  if (`${table}.${name}` === 'report_schedule.every') return `'day'`; // other intervals have a day
  if (`${table}.${name}` === 'report_schedule.hour') return '7';
  if (`${table}.${name}` === 'job.input')
    return `jsonb_build_object('report', 'aging', 'format', 'csv', 'asked', ${NO_LIMITS} || '{"lastDay": "2026-01-01", "knownAt": "2026-01-01"}')`;
  if (`${table}.${name}` === 'report_schedule.parameters') return `${NO_LIMITS} || '{"range": "previous_day"}'`;
  if (type === 'date') return `date '2026-01-01'`;
  if (name === 'number_key') return `'NUMBER_' || n`;
  const isWord = type === 'character varying' || type === 'text';
  const word = isWord ? (words[`${table}.${name}`] ?? words[name]) : undefined;
  if (word) return `case when ${isRare} then '${word[1]}' else '${word[0]}' end`;
  if (name === 'metadata') return `case when n % 3 = 0 then jsonb_build_object('batch', (n / 50)::text) else '{}' end`;
  if (type === 'boolean') return isRare;
  if (type.startsWith('timestamp')) return `timestamptz '2026-01-01' + (n / 20) * interval '1 hour'`;
  // These references are unique.
  if (
    /^(estimate\.invoice|task\.follows_task|line_item\.(invoice|estimate|credit_note)|usage_total\.rate)_id$/.test(
      `${table}.${name}`,
    )
  )
    return 'n';
  if (type === 'integer' || type === 'bigint')
    return /^(id|event_id|file_id|position|period|sequence|subject_id|attempt_id|charge_id)$/.test(name)
      ? 'n'
      : '1001 + n / 10';
  if (type === 'numeric') return '10';
  if (name === 'discounts' || name === 'taxes') return `'[]'::jsonb`;
  if (name === 'tiers' || name === 'ship_to') return 'null::jsonb';
  if (/^(addons|bcc|fields|files|openings|refunds|refused|usage_thresholds|disputed_lines|columns)$/.test(name))
    return `'[]'::jsonb`;
  if (type === 'jsonb' || type === 'json') return `'{}'::${type}`;
  if (type === 'int[]') return 'array[1001 + n / 10]';
  if (type === 'ARRAY') return `array['${name}_' || n]`;
  if (type === 'uuid') return 'gen_random_uuid()';
  const isShort = most !== null && most < 20;
  return isShort ? `left(n::text, ${most})` : `'${name}_' || n`;
}
