import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createCipher } from '../../adapters/cipher.ts';
import { auditDatabase } from '../../bin/audit.ts';
import { backup } from '../../bin/backup/backup.ts';
import { restore } from '../../bin/backup/restore.ts';
import { SYSTEM_ROLE } from '../../db/tenant.ts';
import { dueAgain } from '../faults/money/past.ts';
import type { TestApi } from '../support/api.ts';
import { createEmptyDatabase, TEST_KEY, TEST_LOGINS, type TestDatabase } from '../support/database.ts';
import { fromRun } from '../support/environment.ts';
import { useEveryTable, useWorkers } from '../support/everyTable.ts';
import { printedLines } from '../support/printedLines.ts';
import { type Product, startProduct, testConfig } from '../support/product.ts';
import { until } from '../support/wait.ts';
import { constraintsIn, type Rows, rowsIn, sequencesIn, withConnection } from '../support/wholeDatabase.ts';
import { startWorld } from '../support/world.ts';

/** A backup of a used instance, with rows in every table, is restored whole, and the instance goes on. */

/** Columns that a restore changes. */
const CHANGED = {
  // A restored database is another deployment, whose workers start all processes anew.
  'public.deployment': ['id', 'temporal_namespace_id'],
  // A restore fills the table of the migrations by migrating.
  'public.mikro_orm_migrations': ['executed_at'],
};
/** Settings of a database that change how PostgreSQL writes values as text. */
const SETTINGS = { datestyle: 'German', timezone: 'Europe/Berlin', extra_float_digits: '-15', bytea_output: 'escape' };

let folder: string;
let api: TestApi;
let name: string;
let subscription: number;
let original: { rows: Rows; folder: string };
/** Restored with the record of the test gateway of the original. */
let copy: TestDatabase;

/** API and worker of this business, on a database of it. */
function openProduct(database: TestDatabase, filesFolder: string): Promise<Product> {
  const { sandbox, live } = api;
  const env = { FILES_FOLDER: filesFolder, SWEEP_INTERVAL: '1000' };
  const keys = { accountId: sandbox.account.id, liveKey: live.key, sandboxKey: sandbox.key };
  return startProduct({ restored: { ...keys, database }, worker: false, env });
}

/** Restores the backup of the original into a database. Returns the folder of its files. */
async function restoreInto(url: string, ...options: string[]): Promise<string> {
  const files = join(folder, randomBytes(4).toString('hex'));
  const target = testConfig({ DATABASE_URL: url, FILES_FOLDER: files });
  await printedLines(() => restore(target, [original.folder, ...options]));
  return files;
}

/** The contents of files, by their path. */
async function contentsOf(root: string): Promise<Record<string, string>> {
  const found = await readdir(root, { recursive: true, withFileTypes: true });
  const paths = found.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
  const contents = await Promise.all(paths.map(async (path) => [path.slice(root.length), await readFile(path, 'hex')]));
  return Object.fromEntries(contents.toSorted());
}

/** Expects that a restored database is as the original one was at the backup. */
async function expectWhole(url: string, files: string): Promise<void> {
  const restored = await rowsIn(url, CHANGED);
  expect(Object.keys(restored)).toEqual(Object.keys(original.rows));
  const differing = Object.keys(restored).filter((table) => String(restored[table]) !== String(original.rows[table]));
  expect(differing).toEqual([]);
  expect(await constraintsIn(url)).toEqual(await constraintsIn(api.databaseUrl));
  const lasts = Object.entries(await sequencesIn(api.databaseUrl));
  const skipped = lasts.map(([sequence, last]) => [sequence, last + (sequence.startsWith('public.') ? 1_000_000 : 0)]);
  expect(await sequencesIn(url)).toEqual(Object.fromEntries(skipped));
  expect(await contentsOf(files)).toEqual(await contentsOf(api.filesFolder));
  expect(await auditDatabase(url)).toEqual([]);
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'perennial-restored-'));
  const world = await startWorld({ cipher: createCipher(TEST_KEY) });
  api = world.api;
  name = new URL(api.databaseUrl).pathname.slice(1);
  await useEveryTable(api, world.client);
  const database = { url: api.databaseUrl, urls: api.databaseUrls, drop: async () => undefined };
  const product = await openProduct(database, api.filesFolder);
  await product.startWorker();
  subscription = await useWorkers(product);
  await product.close();
  await api.sandbox.make('/invoices', { customer: world.world.customers, items: [{ unit_cost: 1 }] }); // waits in the outbox
  expect(await auditDatabase(api.databaseUrl)).toEqual([]);
  for (const [setting, value] of Object.entries(SETTINGS))
    await withConnection(api.databaseUrl, (sql) => sql.query(`alter database ${name} set ${setting} = '${value}'`));
  original = await until(quietBackup, { what: 'a backup during which nothing is written' });
});
afterAll(async () => {
  await api?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Backs the original up. Throws if rows have changed meanwhile: the API gives leases of its rate limit back after its answers. */
async function quietBackup(): Promise<{ rows: Rows; folder: string }> {
  const rows = await rowsIn(api.databaseUrl, CHANGED);
  const to = join(folder, randomBytes(4).toString('hex'));
  const config = testConfig({ DATABASE_URL: api.databaseUrl, FILES_FOLDER: api.filesFolder });
  await printedLines(() => backup(config, [to]));
  const after = await rowsIn(api.databaseUrl, CHANGED);
  const written = Object.keys(rows).filter((table) => String(rows[table]) !== String(after[table]));
  if (written.length > 0) throw new Error(`written meanwhile: ${written.join()}`);
  return { rows, folder: to };
}

test('every table has a row: `useEveryTable` uses a new one', () => {
  const tables = Object.entries(original.rows);
  expect(tables.filter(([, rows]) => rows.length === 0).map(([table]) => table)).toEqual([]);
});

test('an owner that is no superuser restores all tables, with the record of the test gateway from the backup', async () => {
  const database = await createEmptyDatabase();
  const owner = `owner_${randomBytes(4).toString('hex')}`;
  const logins = [TEST_LOGINS.app, TEST_LOGINS.system, TEST_LOGINS.gateway].map(({ user }) => user);
  await withConnection(fromRun('POSTGRES_URL'), async (sql) => {
    await sql.query(`create role ${owner} login createrole nosuperuser password 'of-the-owner'`);
    await sql.query(`grant ${[SYSTEM_ROLE, ...logins].join()} to ${owner} with admin option`);
    await sql.query(`alter database ${new URL(database.url).pathname.slice(1)} owner to ${owner}`);
  });
  const { href } = Object.assign(new URL(database.url), { username: owner, password: 'of-the-owner' });
  await expectWhole(database.url, await restoreInto(href));
  await database.drop();
});

test('the record of the test gateway is restored from the original', async () => {
  copy = await createEmptyDatabase();
  await expectWhole(copy.url, await restoreInto(copy.url, '--test-gateway-of', name));
});

test('API and worker go on with a restored database: a due renewal is billed and paid once', async () => {
  const product = await openProduct(copy, join(folder, 'files'));
  const bills = `select status from invoice where subscription_id = ${subscription}`;
  await dueAgain(product, subscription, { weeks: 1 });
  await product.startWorker();
  await product.row(`select count(*)::int as paid from (${bills} and status = 'paid') b`, ({ paid }) => paid === 2);
  await product.row(
    `select 1 from wakeup where process = 'subscription' and subject_id = ${subscription} and at > now()`,
  );
  expect(await product.rows(bills)).toEqual([{ status: 'paid' }, { status: 'paid' }]);
  expect(await product.audit()).toEqual([]);
  await product.close();
});
