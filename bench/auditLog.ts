import { Client } from 'undici';
import { createCipher } from '../adapters/cipher.ts';
import { stopRequested } from '../bin/stopSignal.ts';
import { auditSigner, endOldMonths, linkActs, type Sign, signatureOfHead } from '../commands/kernel/auditChain.ts';
import { AUDIT_MONTHS } from '../db/auditMonths.ts';
import { connect } from '../workers/connection.ts';
import { type Database, numberOf } from './database.ts';
import { headersOf } from './insideApi.ts';
import type { Asked } from './large/lists.ts';
import { openLarge } from './large.ts';
import { percentiles } from './load.ts';
import { fixed } from './report.ts';
import { sandboxAccount } from './sampleData.ts';

/** Months of the generated log: two more than are kept. */
const MONTHS = AUDIT_MONTHS + 2;
const BATCH = 500_000;
const LINKED = 50_000;
const INSERTED = 2_000;
const WARM_UP = 5;
const TIMES = 100;
/** What `openLarge` gives to the API. */
const KEY = Buffer.alloc(32, 1);

type Progress = (line: string) => void;

/**
 * Measures the audit log of one account with many rows, spread over all months that are kept and two older ones: inserts, lists, links, and the
 * end of the two months. Removes everything that it has created.
 */
export async function auditLog(progress: Progress, rows: number): Promise<number> {
  const stopped = stopRequested().then(() => 'stopped' as const);
  const parts: (() => Promise<void>)[] = [];
  try {
    const measuring = measure(parts, progress, rows);
    measuring.catch(() => undefined); // an interruption makes it fail, which is not an error to report
    return (await Promise.race([measuring, stopped])) === 'stopped' ? 1 : 0;
  } finally {
    for (const stop of parts.toReversed()) await stop();
  }
}

async function measure(parts: (() => Promise<void>)[], progress: Progress, rows: number): Promise<void> {
  const { stage, sql } = await openLarge(parts, progress);
  const accountId = await sandboxAccount(sql);
  const sign = await auditSigner(sql, createCipher(KEY));
  if (!sign) throw new Error('the database is no deployment');
  // Only a key of a member reads the log.
  await sql.query('update api_key k set member_account_id = m.account_id, member_id = m.id from member m');
  await inserts(sql, accountId); // the first ones are slower
  progress(`insert with an empty log: ${await inserts(sql, accountId)}`);
  const filled = await timed(() => fill(sql, { accountId, rows, sign }));
  progress(`filled with ${rows.toLocaleString('en')} rows and links in ${fixed(filled.seconds)} s`);
  for (const table of ['log', 'link']) progress(`${table}: ${await sizeOf(sql, table)}`);
  progress(`insert with ${rows.toLocaleString('en')} rows: ${await inserts(sql, accountId)}`);
  for (const line of await lists(stage, sql)) progress(line);
  progress(`links: ${await links(stage, sql, { accountId, sign })}`);
  progress(`end of the months beyond ${AUDIT_MONTHS}: ${await endings(stage, sql, sign)}`);
}

async function timed<Result>(work: () => Promise<Result>): Promise<{ seconds: number; result: Result }> {
  const begun = performance.now();
  const result = await work();
  return { seconds: (performance.now() - begun) / 1000, result };
}

const sizeOf = async (sql: Database, name: string) => {
  const [row] = await sql.query<{ heap: string; indexes: string }>(
    `select pg_size_pretty(sum(pg_table_size(c.oid))) as heap, pg_size_pretty(sum(pg_indexes_size(c.oid))) as indexes
     from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'audit' and c.relkind = 'r' and c.relname like $1`,
    [`${name}\\_%`],
  );
  return `${row?.heap} and ${row?.indexes} of indexes`;
};

/** Inserts rows one by one in a transaction, as writes do beside their own rows. */
async function inserts(sql: Database, accountId: number): Promise<string> {
  const one = `insert into audit_log (account_id, created_at, kind, actor, actor_id, actor_name, member_id, operation, object_type, object_id, ip, request_id)
    values ($1, now(), 'change', 'api_key', 1, 'Key', 1, 'createInvoice', 'invoice', $2, '192.0.2.7', gen_random_uuid()::text)`;
  await sql.query('begin');
  const { seconds } = await timed(async () => {
    for (let n = 0; n < INSERTED; n++) await sql.query(one, [accountId, String(n)]);
  });
  await sql.query('rollback');
  return `${fixed((seconds / INSERTED) * 1000, 3)} ms each, with its place in the queue`;
}

/** Adds rows and their links, oldest first. The links have no valid MAC, except for the signed last one. */
async function fill(sql: Database, of: { accountId: number; rows: number; sign: Sign }): Promise<void> {
  const { accountId, rows, sign } = of;
  for (let back = MONTHS; back >= 0; back--)
    await sql.query(`select lookup.open_audit_months(now() - $1 * interval '1 month')`, [back]);
  const base = await numberOf(sql, 'select coalesce(max(id), 0) from audit_log');
  const [{ position = 0 } = {}] = await sql.query<{ position: number }>(
    'select coalesce(max(position), 0)::int as position from audit_link where account_id = $1',
    [accountId],
  );
  await sql.query('alter table audit_log disable trigger audit_log_to_queue');
  const at = `date_trunc('month', now()) - interval '${MONTHS} months' + n * (now() - date_trunc('month', now()) + interval '${MONTHS} months') / ${rows + 1}`;
  for (let first = 1; first <= rows; first += BATCH) {
    const last = Math.min(rows, first + BATCH - 1);
    await sql.query(
      `insert into audit_log (account_id, id, created_at, kind, actor, actor_id, actor_name, member_id, operation, object_type, object_id,
         ip, user_agent, request_id, before, after)
       select $1, $4 + n, ${at}, case when n % 100 = 0 then 'refusal' when n % 100 = 1 then 'export' when n % 1000 = 2 then 'secret'
           when n % 50 = 3 then 'sign_in' else 'change' end,
         case when n % 50 = 3 then 'member' else 'api_key' end, n % 40, 'Key ' || n % 40, n % 40,
         (array['createInvoice', 'updateCustomer', 'createPayment', 'createCustomer', 'sendInvoice'])[1 + n % 5] || case when n % 5000 = 0 then 'Rarely' else '' end,
         (array['invoice', 'customer', 'payment', 'customer', 'invoice'])[1 + n % 5], (n / 7)::text, '192.0.2.' || n % 250,
         'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36', md5(n::text),
         case when n % 20 = 0 then '{"footer": "Old words"}'::jsonb end, case when n % 20 = 0 then '{"footer": "New words"}'::jsonb end
       from generate_series($2::int, $3::int) n`,
      [accountId, first, last, base],
    );
    await sql.query(
      `insert into audit_link (account_id, position, created_at, entry_id, entry_created_at, mac)
       select $1, $5 + n, ${at}, $4 + n, ${at}, md5(n::text) || md5((-n)::text) from generate_series($2::int, $3::int) n`,
      [accountId, first, last, base, position],
    );
  }
  await sql.query(`select setval(pg_get_serial_sequence('audit_log', 'id'), $1)`, [base + rows]);
  await sql.query('alter table audit_log enable trigger audit_log_to_queue');
  const head = { accountId, position: position + rows, mac: 'f'.repeat(64) };
  await sql.query(
    `insert into audit_head (account_id, position, mac, linked_at, signature) values ($1, $2, $3, now(), $4)
     on conflict (account_id) do update set position = $2, mac = $3, linked_at = now(), signature = $4`,
    [accountId, head.position, head.mac, signatureOfHead(sign, head)],
  );
  await sql.query('vacuum analyze audit_log, audit_link');
}

/** Latency of the list with each filter, one request after another. */
async function lists(stage: Asked, sql: Database): Promise<string[]> {
  const [{ middle = 0 } = {}] = await sql.query<{ middle: number }>(
    `select extract(epoch from now() - interval '1 year')::int as middle`,
  );
  const paths: Record<string, string> = {
    newest: '?per_page=100',
    'kind=refusal (1 %)': '?per_page=100&kind=refusal',
    'kind=secret (0.1 %)': '?per_page=100&kind=secret',
    'operation (19.98 %)': '?per_page=100&operation=updateCustomer',
    'operation (0.02 %)': '?per_page=100&operation=createInvoiceRarely',
    'member (2.5 %)': '?per_page=100&member=7',
    'member without entries': '?per_page=100&member=999999',
    'api_key (2.5 %)': '?per_page=100&api_key=8',
    'related_to one object': '?per_page=100&related_to=invoice,700',
    'one day a year ago': `?per_page=100&start_date=${middle}&end_date=${middle + 86_400}`,
    'member, kind and a month a year ago': `?per_page=100&member=7&kind=change&start_date=${middle}&end_date=${middle + 2_592_000}`,
    'member and operation': '?per_page=100&member=7&operation=createPayment',
    'page 100': '?per_page=100&page=100',
  };
  const client = new Client(stage.origin);
  const ask = async (path: string) => {
    const request = { method: 'GET' as const, path: `/sandbox/api/audit_log${path}`, headers: headersOf(stage) };
    const { statusCode, headers, body } = await client.request(request);
    const text = await body.text();
    if (statusCode !== 200) throw new Error(`${path}: ${statusCode} ${text.slice(0, 300)}`);
    return String(headers['x-total-count'] ?? 'not counted');
  };
  const lines: string[] = [];
  for (const [what, path] of Object.entries(paths)) {
    const first = await timed(() => ask(path));
    for (let n = 0; n < WARM_UP; n++) await ask(path);
    const took: number[] = [];
    for (let n = 0; n < TIMES; n++) took.push((await timed(() => ask(path))).seconds * 1000);
    const { p50, p99 } = percentiles(took);
    const cold = fixed(first.seconds * 1000);
    lines.push(`| ${what} | ${first.result} | ${cold} ms | ${fixed(p50, 1)} ms | ${fixed(p99, 1)} ms |`);
  }
  await client.close();
  return ['| list of 100 | total | first | p50 | p99 |', '| --- | --- | --- | --- | --- |', ...lines];
}

interface Linking {
  accountId: number;
  sign: Sign;
}

/** Links as the leading relay does, over one connection. */
async function links(stage: Asked, sql: Database, { accountId, sign }: Linking): Promise<string> {
  await sql.query(
    `insert into audit_log (account_id, created_at, kind, actor, actor_id, operation, object_type, object_id)
     select $1, now(), 'change', 'api_key', 1, 'createInvoice', 'invoice', n::text from generate_series(1, ${LINKED}) n`,
    [accountId],
  );
  const connection = await connect(stage.postgres.url);
  const link = () => connection.transaction(() => linkActs(connection, sign, { now: new Date(), limit: 500 }));
  const { seconds, result } = await timed(async () => {
    let linked = 0;
    for (let batch = await link(); batch > 0; batch = await link()) linked += batch;
    return linked;
  });
  await connection.close();
  return `${result.toLocaleString('en')} rows in ${fixed(seconds, 1)} s, ${fixed(result / seconds)}/s`;
}

async function endings(stage: Asked, sql: Database, sign: Sign): Promise<string> {
  const count = () => numberOf(sql, 'select count(*) from audit_log');
  const before = await count();
  const connection = await connect(stage.postgres.url);
  const end = () => connection.transaction(() => endOldMonths(connection, sign, new Date()));
  const { seconds, result } = await timed(end);
  await connection.close();
  const gone = (before - (await count())).toLocaleString('en');
  const anchors = await numberOf(sql, 'select count(*) from audit_anchor');
  return `${result} tables with ${gone} rows in ${fixed(seconds, 2)} s, ${anchors} anchors`;
}
