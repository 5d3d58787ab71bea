import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { keyFingerprint } from '../../../adapters/cipher.ts';
import { auditDatabase } from '../../../bin/audit.ts';
import { backup } from '../../../bin/backup/backup.ts';
import { ensureDeployment } from '../../../commands/accounts/deployments.ts';
import { LIMITED_ROLE, SYSTEM_ROLE } from '../../../db/tenant.ts';
import type { TestApi } from '../../support/api.ts';
import { createEmptyDatabase, TEST_KEY, TEST_LOGINS } from '../../support/database.ts';
import { type Drill, startDrill } from '../../support/drill.ts';
import { fromRun } from '../../support/environment.ts';
import { useEveryTable } from '../../support/everyTable.ts';
import { printedLines } from '../../support/printedLines.ts';
import { testConfig } from '../../support/product.ts';
import { until } from '../../support/wait.ts';
import { withConnection } from '../../support/wholeDatabase.ts';
import { startWorld } from '../../support/world.ts';

/** A backup of a database with rows in every table is restored whole. */

/** Settings of the original's database that change how PostgreSQL writes values as text. */
const SETTINGS = { datestyle: 'German', timezone: 'Europe/Berlin', extra_float_digits: '-15', bytea_output: 'escape' };

const nameOf = (url: string) => new URL(url).pathname.slice(1);

let api: TestApi;
let drill: Drill;

beforeAll(async () => {
  const world = await startWorld();
  api = world.api;
  await useEveryTable(api, world.client);
  await ensureDeployment(api.em.fork(), keyFingerprint(TEST_KEY), new Date());
  expect(await auditDatabase(api.databaseUrl)).toEqual([]);
  await withConnection(api.databaseUrl, async (sql) => {
    for (const [setting, value] of Object.entries(SETTINGS))
      await sql.query(`alter database ${nameOf(api.databaseUrl)} set ${setting} = '${value}'`);
  });
  drill = await startDrill(api);
});
afterAll(async () => {
  await drill?.remove();
  await api.close();
});

test('every table has a row; `useEveryTable` uses new ones', () => {
  const empty = Object.entries(drill.rows).filter(([, rows]) => rows.length === 0);
  expect(empty.map(([table]) => table)).toEqual([]);
});

test('limits of time that a database has end no backup', async () => {
  const name = nameOf(api.databaseUrl);
  const config = testConfig({ DATABASE_URL: api.databaseUrl, FILES_FOLDER: api.filesFolder });
  await withConnection(api.databaseUrl, async (sql) => {
    await sql.query(`alter database ${name} set statement_timeout = '1s'`);
    const made = await sql.transaction(async () => {
      await sql.query('lock table public.webhook in access exclusive mode');
      const printed = printedLines(() => backup(config, [join(tmpdir(), name)]));
      const waits = `select 1 from pg_stat_activity where datname = '${name}' and cardinality(pg_blocking_pids(pid)) > 0
        and clock_timestamp() - query_start > interval '2 s'`;
      const what = 'the backup to wait for longer than a statement may take';
      await Promise.race([until(async () => (await api.em.fork().execute(waits)).length > 0, { what }), printed]);
      return [printed];
    });
    await sql.query(`alter database ${name} reset statement_timeout`);
    expect(await made[0]).toContainEqual(expect.stringContaining('Backup of'));
  });
  await rm(join(tmpdir(), name), { recursive: true });
});

test('an owner that is no superuser restores all tables, with the record of the test gateway from the backup', async () => {
  const database = await createEmptyDatabase();
  const owner = `owner_${randomBytes(4).toString('hex')}`;
  const logins = [TEST_LOGINS.app, TEST_LOGINS.system, TEST_LOGINS.gateway].map(({ user }) => user);
  await withConnection(fromRun('POSTGRES_URL'), async (sql) => {
    await sql.query(`create role ${owner} login createrole nosuperuser password 'of-the-owner'`);
    await sql.query(`grant ${[SYSTEM_ROLE, LIMITED_ROLE, ...logins].join()} to ${owner} with admin option`);
    await sql.query(`alter database ${nameOf(database.url)} owner to ${owner}`);
  });
  const { href } = Object.assign(new URL(database.url), { username: owner, password: 'of-the-owner' });
  await drill.expectWhole(database.url, await drill.restoreInto(href));
  await database.drop();
});

test('all tables are restored with the record of the test gateway from the original', async () => {
  const { url, drop } = await createEmptyDatabase();
  const files = await drill.restoreInto(url, '--test-gateway-of', nameOf(api.databaseUrl));
  await drill.expectWhole(url, files);
  await drop();
});
