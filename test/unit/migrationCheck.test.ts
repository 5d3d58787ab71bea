import { afterEach, beforeEach, expect, test } from '@jest/globals';
import pg from 'pg';
import { explainFailure } from '../../bin/explainFailure.ts';
import { printMigrationCheck } from '../../bin/migrationCheck.ts';
import { migrate, TablesLocked } from '../../db/migrate.ts';
import { migrationNames } from '../../db/migrations/names.ts';
import { readCatalog } from '../support/catalog.ts';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/database.ts';
import { until } from '../support/wait.ts';

let database: TestDatabase;
let owner: pg.Client;

beforeEach(async () => {
  database = await createTestDatabase();
  owner = await connect();
});
afterEach(async () => {
  await owner.end();
  await database.drop();
});

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  return client;
}

async function check(url = database.url): Promise<{ code: number; lines: string[] }> {
  const lines: string[] = [];
  return { code: await printMigrationCheck(url, (line) => void lines.push(line)), lines };
}

/** Undoes the third migration. */
async function takeBack(): Promise<void> {
  await owner.query(`alter table attempt drop column credential; alter table event drop column credential;
    delete from mikro_orm_migrations where name = '0003_event_credentials'`);
}

test('the check of a migrated database finds nothing pending', async () => {
  expect(await check()).toEqual({ code: 0, lines: ['No migration is pending.'] });
});

test('the check says what each pending migration does, its locks, and how long; it changes nothing', async () => {
  await takeBack();
  const before = await readCatalog(database.url);
  expect(await check()).toEqual({
    code: 2,
    lines: [
      '1 migration is pending. Nothing has been changed.',
      '',
      '0003_event_credentials: expands the schema',
      '  attempt: add column credential; reads and writes no rows; lock ACCESS EXCLUSIVE blocks reads and writes for less than a second',
      '  event: add column credential; reads and writes no rows; lock ACCESS EXCLUSIVE blocks reads and writes for less than a second',
      '',
      'Each migration is one transaction, and holds its locks until it commits.',
      'It waits 2 s for a lock, then lets others pass and tries again.',
    ],
  });
  expect(await readCatalog(database.url)).toEqual(before);
  await migrate(database.url);
  expect(await check()).toMatchObject({ code: 0 });
});

test('the check of an empty database lists every migration; that of a later version is told', async () => {
  const empty = await createEmptyDatabase();
  const { code, lines } = await check(empty.url).finally(() => empty.drop());
  expect(code).toBe(2);
  expect(lines.filter((line) => /^\d{4}_/.test(line))).toEqual(
    migrationNames.map((name) => `${name}: expands the schema`),
  );
  await owner.query(`insert into mikro_orm_migrations (name) values ('9999_later')`);
  expect(await check()).toEqual({
    code: 0,
    lines: ['A later version of Perennial has migrated this database: 9999_later.', 'No migration is pending.'],
  });
});

test('the check waits for no lock', async () => {
  await takeBack();
  await owner.query('begin; lock table event, attempt in access exclusive mode');
  expect(await check()).toMatchObject({ code: 2 });
  await owner.query('rollback');
});

test('a migration behind a long transaction lets others pass, and goes on when that has ended', async () => {
  await takeBack();
  await owner.query('begin; select 1 from event');
  const other = await connect();
  try {
    const told: string[] = [];
    const onLocked = (oldest: string) => void told.push(oldest);
    const migrated = migrate(database.url, { tries: 1000, pauseMilliseconds: 50, onLocked });
    await until(() => told[0], { what: 'the migration to meet the lock' });
    await other.query('select 1 from event'); // while the transaction is open and the migration has not run
    expect(told[0]).toMatch(
      /^The oldest other transaction is that of perennial, process \d+, which has locks on event, open since \d\d:\d\d:\d\d\.$/,
    );
    await owner.query('commit');
    await migrated;
    expect(await check()).toMatchObject({ code: 0 });
  } finally {
    await other.end();
  }
});

test('a migration that never gets its lock gives up, and names the oldest transaction', async () => {
  await takeBack();
  await owner.query('begin; select 1 from attempt');
  const refusal = await migrate(database.url, { tries: 2, pauseMilliseconds: 1 }).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(TablesLocked);
  expect(explainFailure(refusal)).toMatch(
    /^Tables stayed locked for 2 tries\. The oldest other transaction is that of \w+, process \d+, which has locks on attempt, open since [\d:]+\. End it, then run `migrate` again\.$/,
  );
  await owner.query('rollback');
  expect(await check()).toMatchObject({ code: 2 });
});
