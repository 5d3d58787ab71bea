import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { explainFailure } from '../../bin/explainFailure.ts';
import { migrate, openDatabaseAsOwner } from '../../db/migrate.ts';
import { ForeignDatabase } from '../../db/migrations/initial.ts';
import type { MikroORM } from '../../db/orm.ts';
import { readCatalog } from '../support/catalog.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let migrated: TestDatabase;
let fresh: TestDatabase;
let orm: MikroORM;

/** `fresh` is created from the entities, without migrations. */
beforeAll(async () => {
  [migrated, fresh] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  orm = await openDatabaseAsOwner(migrated.url);
  const freshOrm = await openDatabaseAsOwner(fresh.url);
  await freshOrm.em.getConnection().execute('drop schema public cascade; create schema public');
  await freshOrm.schema.create();
  await freshOrm.close(true);
});

afterAll(async () => {
  await orm.close(true);
  await Promise.all([migrated.drop(), fresh.drop()]);
});

test('the migrations create exactly what the entities describe', async () => {
  expect(await orm.migrator.getPending()).toEqual([]);
  expect(await orm.schema.getUpdateSchemaSQL({ wrap: false })).toBe('');
  expect(await readCatalog(migrated.url)).toEqual(await readCatalog(fresh.url));
});

test.each([
  ['column', 'alter table invoice add column forgotten text'],
  ['column type', 'alter table invoice alter column total type numeric(10, 2)'],
  ['default', 'alter table invoice alter column total set default 1'],
  ['check', 'alter table account drop constraint account_environment'],
  ['index condition', 'drop index item_code; create unique index item_code on item (account_id, code)'],
  ['trigger', 'drop trigger ledger_entry_append_only on ledger_entry'],
  ['policy', 'alter policy tenant on invoice using (true)'],
  ['row security', 'alter table invoice disable row level security'],
])('a difference in a %s is detected', async (_, statement) => {
  const before = await readCatalog(migrated.url);
  await orm.em.getConnection().execute(statement);
  expect(await readCatalog(migrated.url)).not.toEqual(before);
});

test('migrating again, and twice at once, changes nothing', async () => {
  const before = await readCatalog(migrated.url);
  await Promise.all([migrate(migrated.url), migrate(migrated.url)]);
  expect(await readCatalog(migrated.url)).toEqual(before);
});

test('a database of an earlier development state is refused with instructions', async () => {
  const execute = (sql: string) => orm.em.getConnection().execute(sql);
  const [marked] = await execute(`select obj_description('mikro_orm_migrations'::regclass) as mark`);
  for (const mark of ['null', `'${'0'.repeat(64)}'`]) {
    await execute(`comment on table mikro_orm_migrations is ${mark}`);
    const refusal: unknown = await migrate(migrated.url).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(ForeignDatabase);
    expect(explainFailure(refusal)).toMatch(/^This database was made by a development state .*PERENNIAL_DATA\)\.$/);
  }
  await execute(`comment on table mikro_orm_migrations is '${marked?.mark}'`);
  await migrate(migrated.url);
});
