import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { keyFingerprint } from '../../../adapters/cipher.ts';
import { auditDatabase } from '../../../bin/audit.ts';
import { backup } from '../../../bin/backup/backup.ts';
import { restore } from '../../../bin/backup/restore.ts';
import type { Config } from '../../../bin/config.ts';
import { printGatewayAudit } from '../../../bin/gatewayAudit.ts';
import { recover } from '../../../bin/recover.ts';
import { migrate, PATIENT } from '../../../db/migrate.ts';
import { migrationNames } from '../../../db/migrations/names.ts';
import type { Answer } from '../../support/api.ts';
import { type Credits, cash, startCredits } from '../../support/credits.ts';
import { createEmptyDatabase, TEST_KEY, type TestDatabase } from '../../support/database.ts';
import { printedLines } from '../../support/printedLines.ts';
import { testConfig } from '../../support/product.ts';

/** A backup, the charges and refunds that it does not have, and their recovery after a restore. */

const SINCE = new Date(Date.now() - 3_600_000).toISOString();
/** Characters that end lines or texts somewhere. */
const BYTES = `two\u2028lines, "quoted"\n\t\\n, {a,b}`;

let books: Credits;
let target: TestDatabase;
let parent: string;
let backedUp: string;
/** Contents of the tables when the backup was made. */
let before: Record<string, unknown>[];
/** References of the lost charges and refunds. */
let lost: string[];

const configOf = (databaseUrl: string, files: string, key = TEST_KEY): Config =>
  testConfig({
    DATABASE_URL: databaseUrl,
    FILES_FOLDER: join(parent, files),
    PERENNIAL_ENCRYPTION_KEY: key.toString('base64'),
  });
const original = () => configOf(books.api.databaseUrl, 'files');
const restored = () => configOf(target.url, 'restored');
const originalName = () => new URL(books.api.databaseUrl).pathname.slice(1);

async function rows(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return (await client.query(text).finally(() => client.end())).rows;
}

/** A hash of each table's rows. */
async function contents(url: string): Promise<Record<string, unknown>[]> {
  const tables = await rows(
    url,
    `select tablename as name from pg_tables where schemaname = 'public'
     and tablename not in ('mikro_orm_migrations', 'deployment', 'rate_limit_bucket', 'api_key') order by 1`,
  );
  const hash = (name: unknown) =>
    `select '${name}' as name, count(*)::int as rows, md5(string_agg(t::text, ';' order by t::text)) as hash from "${name}" t`;
  return rows(url, `${tables.map(({ name }) => hash(name)).join(' union all ')} order by 1`);
}

async function charge(amount: number, more: object = {}): Promise<Answer['body']> {
  const asked = { customer: books.customer, method: 'credit_card', gateway_token: 'tok_4242424242424242' };
  return books.api.sandbox.make('/charges', { ...asked, amount, applied_to: [], ...more });
}

async function refund(payment: Answer['body'], amount: number): Promise<Answer['body']> {
  return books.api.sandbox.make(`/charges/${payment.charge.id}/refunds`, { amount });
}

/** Sells, backs up, and sells more. */
beforeAll(async () => {
  parent = mkdtempSync(join(tmpdir(), 'perennial-backup-'));
  backedUp = join(parent, 'backups', 'first');
  books = await startCredits();
  await books.begin();
  await books.api.sandbox.patch(`/customers/${books.customer}`, { email: 'ada@example.com' });
  await books.rows(`update customer set notes = ?, metadata = '{"a": null}' where id = ?`, [BYTES, books.customer]);
  await books.rows(
    `insert into deployment (singleton, id, key_fingerprint, created_at) values (1, 'original', ?, now())`,
    [keyFingerprint(TEST_KEY)],
  );
  mkdirSync(join(parent, 'files', '2'), { recursive: true });
  writeFileSync(join(parent, 'files', '2', '0123456789abcdef'), BYTES);
  writeFileSync(join(parent, 'files', '2', '0123456789abcdef.part'), 'unfinished');
  const invoice = await books.invoice(40);
  await refund(await charge(40, { applied_to: [cash(invoice, 40)] }), 10);
  const kept = await charge(60);
  before = await contents(books.api.databaseUrl);
  await printedLines(() => backup(original(), [backedUp]));
  const first = await charge(25);
  const given = [await refund(kept, 15), await refund(first, 3)];
  const bank = { method: 'ach', gateway_token: 'tok_123123123_123123893' };
  const pending = await charge(7, bank);
  const declined = { customer: books.customer, method: 'credit_card', gateway_token: 'tok_4000000000000002' };
  await books.api.sandbox.post('/charges', { ...declined, amount: 9, applied_to: [] });
  lost = [first.charge, pending.charge, ...given].map(({ gateway_id }) => gateway_id);
  target = await createEmptyDatabase();
  await printedLines(() => restore(restored(), [backedUp, '--test-gateway-of', originalName()]));
});
afterAll(async () => {
  await books.api.close();
  await target.drop();
  rmSync(parent, { recursive: true, force: true });
});

test('a restored database and its files are as they were at the time of the backup', async () => {
  expect(await contents(target.url)).toEqual(before);
  expect(before.filter(({ rows: count }) => Number(count) > 0).length).toBeGreaterThan(10);
  expect(readFileSync(join(parent, 'restored', '2', '0123456789abcdef'), 'utf8')).toBe(BYTES);
  expect(readdirSync(join(parent, 'restored', '2'))).toEqual(['0123456789abcdef']);
});

test('a restore skips ids that may have been handed out, and makes workers rebuild the processes', async () => {
  const [next] = await rows(target.url, `select nextval('payment_id_seq') as id, max(id) as last from payment`);
  expect(Number(next?.id)).toBeGreaterThan(Number(next?.last) + 1_000_000);
  const [deployment] = await rows(target.url, 'select id, temporal_namespace_id as kept from deployment');
  expect(deployment).toEqual({ id: expect.stringMatching(/^p[0-9a-f]{8}$/), kept: 'restored' });
});

test('a backup says nothing secret, and only its owner reads it', () => {
  const text = readFileSync(join(backedUp, 'manifest.json'), 'utf8');
  expect(text).not.toContain(TEST_KEY.toString('base64'));
  expect(text).not.toContain(TEST_KEY.toString('hex'));
  expect(text).not.toContain('postgres://');
  expect(JSON.parse(text)).toMatchObject({ format: 1, migration: migrationNames.at(-1), file_store: 'disk' });
  expect(readdirSync(join(parent, 'backups'))).toEqual(['first']);
});

test('recover lists exactly what was lost, records it once, and the gateway audit is clean', async () => {
  const lines: string[] = [];
  const run = (...args: string[]) => {
    lines.length = 0;
    return recover(restored(), ['--since', SINCE, ...args], (line) => lines.push(line));
  };
  const audit = () => printGatewayAudit(restored(), ['--gateway'], (line) => lines.push(line));
  expect(await audit()).toBe(1);
  expect(lines.filter((line) => lost.some((reference) => line.includes(reference)))).toHaveLength(lost.length);
  expect(await run()).toBe(1);
  expect(lines.slice(0, -1).map((line) => /(?:charge|refund) (\S+) of/.exec(line)?.[1])).toEqual(lost);
  expect(lines.at(-1)).toBe('4 lost. Record them with --apply');
  expect(await run('--apply')).toBe(0);
  expect(lines.at(-1)).toBe('4 recorded, 0 not');
  const recorded = await contents(target.url);
  expect(await run('--apply')).toBe(0);
  expect(lines).toEqual([`The database has lost nothing of the gateways since ${SINCE}`]);
  expect(await contents(target.url)).toEqual(recorded);
  lines.length = 0;
  expect(await audit()).toBe(0);
  expect(lines).toEqual([expect.stringContaining('Books and gateways agree')]);
  expect(await auditDatabase(target.url)).toEqual([]);
});

test('a recovered charge is a payment that is not applied, with a task and without a second mail', async () => {
  const payments = await rows(
    target.url,
    `select p.amount::float8 as amount, p.balance::float8 as balance, c.status, c.amount_refunded::float8 as refunded, p.method
     from payment p join charge c on c.account_id = p.account_id and c.id = p.charge_id where c.gateway_id = any('{${lost.join()}}')
     order by c.id`,
  );
  expect(payments).toEqual([
    { amount: 25, balance: 22, status: 'succeeded', refunded: 3, method: 'credit_card' },
    { amount: 7, balance: 0, status: 'pending', refunded: 0, method: 'ach' },
  ]);
  const tasks = await rows(target.url, `select name from task where action = 'review' order by id`);
  expect(tasks).toMatchObject([{ name: expect.stringContaining(`Recovered charge ${lost[0]} of 25.00 usd`) }, {}]);
  const mails = 'select count(*)::int as count from email';
  expect(await rows(target.url, mails)).toEqual([{ count: before.find(({ name }) => name === 'email')?.rows }]);
});

test('the gateway audit names money that only the books have, and money of another amount', async () => {
  const lines: string[] = [];
  const [known] = await rows(target.url, `select gateway_id as reference, id from charge order by id limit 1`);
  const audit = async () => {
    lines.length = 0;
    return printGatewayAudit(restored(), ['--gateway', '--since', SINCE], (line) => lines.push(line));
  };
  const move = (from: unknown, to: unknown) =>
    rows(target.url, `update test_gateway.operation set reference = '${to}' where reference = '${from}'`);
  await move(known?.reference, 'tgo_gone');
  expect(await audit()).toBe(1);
  expect(lines[0]).toContain('charge tgo_gone: the books have what the gateway charged');
  expect(lines[1]).toContain(`charge ${known?.reference}: the gateway charged or gave back what the books have`);
  expect(lines[1]).toContain('recomputed not_found');
  await move('tgo_gone', known?.reference);
  await rows(target.url, `update charge set amount = amount + 1 where id = ${known?.id}`);
  expect(await audit()).toBe(1);
  expect(lines[0]).toContain('stored succeeded: 41.00 usd, recomputed succeeded: 40.00 usd');
  await rows(target.url, `update charge set amount = amount - 1 where id = ${known?.id}`);
  expect(await audit()).toBe(0);
  const range = ['--gateway', '--since', '2020-01-01T00:00:00Z', '--until', '2020-02-01T00:00:00Z'];
  expect(await printGatewayAudit(restored(), range, () => undefined)).toBe(0);
});

test.each<{ args: string[] }>([
  { args: ['--gateway', '--since', 'yesterday'] },
  { args: ['--gateway', '--since', SINCE, '--until', '2020-01-01T00:00:00Z'] },
  { args: ['--gateway', '--at', SINCE] },
])('the gateway audit refuses $args with its usage', async ({ args }) => {
  await expect(printGatewayAudit(restored(), args)).rejects.toThrow('Usage: perennial audit --gateway');
});

test.each<{ args: string[] }>([
  { args: [] },
  { args: ['--since', '2026-11-22'] },
  { args: ['--since', SINCE, '--apply=yes'] },
])('recover refuses $args with its usage', async ({ args }) => {
  await expect(recover(restored(), args)).rejects.toThrow('Usage: perennial recover --since <time>');
});

/** A copy of the backup, changed by `change`. */
function changed(name: string, change: (folder: string) => void): string {
  const folder = join(parent, name);
  cpSync(backedUp, folder, { recursive: true });
  change(folder);
  return folder;
}

function withManifest(name: string, over: object): string {
  return changed(name, (folder) => {
    const file = join(folder, 'manifest.json');
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), ...over }));
  });
}

const payments = 'tables/public.payment.json.gz';
const refusals: [string, () => string, RegExp][] = [
  ['nothing in the folder', () => parent, /is not a backup: it has no manifest\.json/],
  ['an unknown format', () => withManifest('format', { format: 7 }), /has the format 7/],
  ['a later migration', () => withManifest('later', { migration: '0999_x' }), /migration 0999_x, which this version/],
  [
    'a damaged part',
    () => changed('damaged', (folder) => writeFileSync(join(folder, payments), 'x', { flag: 'a' })),
    /damaged: tables\/public\.payment\.json\.gz is not as it was written/,
  ],
  [
    'a missing part',
    () => changed('missing', (folder) => rmSync(join(folder, payments))),
    /damaged: tables\/public\.payment\.json\.gz is missing/,
  ],
];

test.each(refusals)(
  'a restore refuses a backup with %s, and leaves the database empty',
  async (_what, folder, message) => {
    const empty = await createEmptyDatabase();
    try {
      await expect(restore(configOf(empty.url, 'refused'), [folder()])).rejects.toThrow(message);
      expect(await rows(empty.url, `select tablename from pg_tables where schemaname = 'public'`)).toEqual([]);
    } finally {
      await empty.drop();
    }
  },
);

test('a restore refuses another encryption key, and a database that is not empty', async () => {
  const key = Buffer.alloc(32, 9);
  await expect(restore(configOf(target.url, 'refused', key), [backedUp])).rejects.toThrow(/another encryption key/);
  await expect(restore(restored(), [backedUp])).rejects.toThrow(/The database is not empty/);
});

test('a restore creates a missing database, with the record of the test gateway as it was', async () => {
  const missing = new URL(target.url);
  missing.pathname = `${missing.pathname}_new`;
  const lines = await printedLines(() => restore(configOf(missing.href, 'new'), [backedUp]));
  expect(lines.at(-1)).toMatch(/^ {2}perennial recover --since \d{4}-/);
  expect(lines).toContain('The record of the test gateway is from the backup.');
  expect(await auditDatabase(missing.href)).toEqual([]);
  await rows(target.url, `drop database "${missing.pathname.slice(1)}" with (force)`);
});

test('a backup of an earlier version is restored and migrated to this one', async () => {
  const [old, empty] = [await createEmptyDatabase(), await createEmptyDatabase()];
  const [earlier = '', latest = ''] = migrationNames.slice(-2);
  const folder = join(parent, 'backups', 'earlier');
  const logo = `insert into logo (account_id, hash, type, bytes, created_at) values (1, 'ab', 'image/png', '\\x00ff5c', now())`;
  try {
    await migrate(old.url, { ...PATIENT, upTo: earlier });
    await rows(old.url, logo);
    await printedLines(() => backup(configOf(old.url, 'files'), [folder]));
    expect(JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')).migration).toBe(earlier);
    await printedLines(() => restore(configOf(empty.url, 'earlier'), [folder]));
    const names = await rows(empty.url, 'select name from mikro_orm_migrations order by id');
    expect(names.at(-1)).toEqual({ name: latest });
    expect(await rows(empty.url, 'select * from logo')).toEqual(await rows(old.url, 'select * from logo'));
  } finally {
    await old.drop();
    await empty.drop();
  }
});

test('a backup refuses a folder that exists, no folder and a key that is not the one of the database', async () => {
  await expect(backup(original(), [backedUp])).rejects.toThrow(/first exists already/);
  await expect(backup(original(), [])).rejects.toThrow('Usage: perennial backup <folder>');
  const foreign = configOf(target.url, 'restored', Buffer.alloc(32, 9));
  await expect(backup(foreign, [join(parent, 'foreign')])).rejects.toThrow(/encrypted with another key/);
  expect(readdirSync(parent).filter((name) => name.startsWith('foreign'))).toEqual([]);
});
