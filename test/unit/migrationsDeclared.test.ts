import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Declared, lockLevels, works } from '../../db/migrations/changes.ts';
import { declared } from '../../db/migrations/declared.ts';
import { type MigrationName, migrationNames } from '../../db/migrations/names.ts';
import { LIMITED_ROLE, SYSTEM_ROLE } from '../../db/tenant.ts';
import { restoreRelease } from '../replay/releases/release.ts';
import { projectFolder } from '../suites.ts';
import { createEmptyDatabase, type TestDatabase } from '../support/database.ts';
import { type Effects, effectsOf } from '../support/migrationEffects.ts';

const read = (file: string) => readFileSync(join(projectFolder, file), 'utf8');
const statementsOf = (name: MigrationName) => read(`db/migrations/${name}.sql`);
/** Number of migrations in the first release. Later migrations run on its rows. */
const RELEASED = 3;
let released: TestDatabase;
let empty: TestDatabase;

beforeAll(async () => {
  [released, empty] = await Promise.all([restoreRelease('0.1.0'), createEmptyDatabase()]);
});
afterAll(async () => {
  await Promise.all([released.drop(), empty.drop()]);
});

/** The strongest declared lock and the heaviest declared work of each table. */
function declaredEffects({ changes }: Declared): Effects['tables'] {
  const tables: Effects['tables'] = {};
  for (const { table, lock, work } of changes) {
    const other = tables[table] ?? { lock, work };
    tables[table] = {
      lock: lockLevels[Math.max(lockLevels.indexOf(lock), lockLevels.indexOf(other.lock))] ?? lock,
      work: works[Math.max(works.indexOf(work), works.indexOf(other.work))] ?? work,
    };
  }
  return tables;
}

test('each migration locks and works on the tables that it declares, and expands unless it declares to contract', async () => {
  for (const role of [SYSTEM_ROLE, LIMITED_ROLE])
    await effectsOf(
      empty.url,
      `do $$ begin create role ${role} nologin; exception when others then null; end $$`,
      'commit',
    );
  for (const [index, name] of migrationNames.entries()) {
    const { url } = index < RELEASED ? empty : released;
    const { tables, contracts } = await effectsOf(url, statementsOf(name), 'commit');
    const { unusedSince, changes, harmlessChecks = {} } = declared[name];
    const isHarmless = (demand: string) => Object.keys(harmlessChecks).some((check) => demand.startsWith(`${check} `));
    const demands = contracts.filter((demand) => !isHarmless(demand));
    expect(contracts.filter(isHarmless)).toHaveLength(Object.keys(harmlessChecks).length);
    // An update that matches no row of the kept database only reads the table.
    for (const { table, work } of changes) {
      const seen = tables[table];
      if (work === 'update' && seen?.work === 'scan') seen.work = 'update';
    }
    expect({ name, tables, contracts: unusedSince === null ? demands : [] }).toEqual({
      name,
      tables: declaredEffects(declared[name]),
      contracts: [],
    });
  }
});

test('a migration that contracts names the release that first stopped using what it removes', () => {
  const releases = [...read('CHANGELOG.md').matchAll(/^## (\d+\.\d+\.\d+) \(\d{4}-\d\d-\d\d\)$/gm)].map(
    ([, version]) => version,
  );
  expect(releases).toContain('0.1.0');
  const named = Object.values(declared).flatMap(({ unusedSince }) => unusedSince ?? []);
  expect(named.filter((version) => !releases.includes(version))).toEqual([]);
});

test.each([
  ['alter table note add column a int', 'ACCESS EXCLUSIVE', 'catalog', []],
  ['alter table note add column a int not null default 5', 'ACCESS EXCLUSIVE', 'catalog', []],
  ['alter table note add column a int not null generated always as (1) stored', 'ACCESS EXCLUSIVE', 'rewrite', []],
  ['alter table note add column a int check (a > 1)', 'ACCESS EXCLUSIVE', 'scan', []],
  ['create index a on note (created_at)', 'SHARE', 'index', []],
  ['update note set created_at = now()', 'ROW EXCLUSIVE', 'update', []],
  ['alter table note drop column created_at', 'ACCESS EXCLUSIVE', 'catalog', ['note.created_at is gone']],
  ['alter table note add constraint a check (id > 0)', 'ACCESS EXCLUSIVE', 'scan', ['a is a new demand on note']],
  ['create unique index a on note (created_at)', 'SHARE', 'index', ['a is a new demand on note']],
  ['alter table note alter column id drop default', 'ACCESS EXCLUSIVE', 'catalog', ['note.id needs a value']],
  [
    'alter table note alter column user_id type bigint',
    'ACCESS EXCLUSIVE',
    'rewrite',
    ['note.user_id has another type'],
  ],
])('the lock, work and contraction of "%s" are detected', async (statement, lock, work, contracts) => {
  const effects = await effectsOf(released.url, statement, 'rollback');
  expect(effects).toEqual({ tables: expect.objectContaining({ note: { lock, work } }), contracts });
});
