import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { keyFingerprint } from '../../../adapters/cipher.ts';
import { backup } from '../../../bin/backup/backup.ts';
import { restore } from '../../../bin/backup/restore.ts';
import { rowsOf, tablesOf } from '../../../bin/backup/tables.ts';
import { ensureDeployment } from '../../../commands/accounts/deployments.ts';
import { type Connection, connect } from '../../../workers/connection.ts';
import { createEmptyDatabase, TEST_KEY } from '../../support/database.ts';
import { seedCatalog, seedEverything } from '../../support/everything.ts';
import { printedLines } from '../../support/printedLines.ts';
import { testConfig } from '../../support/product.ts';
import { startWorld } from '../../support/world.ts';

/** A backup of a database with rows in every table is restored whole. */

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'perennial-restored-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The rows of each table, sorted. */
async function rowsIn(connection: Connection): Promise<Record<string, string[]>> {
  const rows: Record<string, string[]> = {};
  for (const schema of ['public', 'test_gateway'])
    for (const one of await tablesOf(connection, schema)) {
      const lines: string[] = [];
      await connection.transaction(async () => {
        for await (const batch of rowsOf(connection, one)) lines.push(...batch);
      });
      rows[`${schema}.${one.table}`] = lines.sort();
    }
  return rows;
}

interface Column {
  name: string;
  type: string;
  /** The column of another table whose values it has; null: it is no foreign key. */
  references: string | null;
}

/** Values of columns that are no foreign keys, by their name or the beginning of their type. */
const NAMED: Readonly<Record<string, string>> = {
  'public.logo.type': `'image/png'`,
  'public.oauth_token.kind': `'access'`,
  'public.payment_method.method': `'ach'`,
  'public.service_token.method': `'ach'`,
};
const TYPED: Readonly<Record<string, string>> = {
  integer: '7',
  bigint: '7',
  smallint: '7',
  numeric: '7',
  double: '7',
  boolean: 'true',
  timestamp: 'now()',
  date: 'now()',
  json: `'{}'`,
  uuid: 'gen_random_uuid()',
  bytea: `'a'`,
};

/** Adds a row to a table that no object of the API has a row in. */
async function addRow(connection: Connection, table: string): Promise<void> {
  const columns = await connection.query<Column>(
    `select a.attname as name, format_type(a.atttypid, null) as type, (
       select min(format('(select %I from %s limit 1)', f.attname, c.confrelid::regclass))
       from pg_constraint c join pg_attribute f on f.attrelid = c.confrelid and f.attnum = c.confkey[array_position(c.conkey, a.attnum)]
       where c.contype = 'f' and c.conrelid = a.attrelid and a.attnum = any(c.conkey)) as references
     from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
     where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped and a.attnotnull and d.oid is null and a.attidentity = ''`,
    [table],
  );
  const values = columns.map(({ name, type, references }) => {
    const known = Object.entries(TYPED).find(([start]) => type.startsWith(start))?.[1];
    return references ?? NAMED[`${table}.${name}`] ?? (type.endsWith('[]') ? `'{}'` : (known ?? `'x'`));
  });
  await connection.query(
    `insert into ${table} (${columns.map(({ name }) => `"${name}"`).join()}) values (${values.join()})`,
  );
}

test('a backup with rows in every table is restored whole, with the record of the test gateway from it or from the original', async () => {
  const { api, client } = await startWorld();
  await seedCatalog(client);
  await seedEverything(api, client, {});
  await client.make('/pdf_templates', { id: 'export', name: 'Export', layout: 'modern' });
  await ensureDeployment(api.em.fork(), keyFingerprint(TEST_KEY), new Date());
  const connection = await connect(api.databaseUrl);
  for (const [table, found] of Object.entries(await rowsIn(connection)))
    if (found.length === 0) await addRow(connection, table);
  const { 'public.rate_limit_bucket': _, ...rows } = await rowsIn(connection); // the API may write it after its answer
  expect(Object.entries(rows).filter(([, all]) => all.length === 0)).toEqual([]);
  const config = testConfig({ DATABASE_URL: api.databaseUrl, FILES_FOLDER: api.filesFolder });
  await printedLines(() => backup(config, [join(folder, 'backup')]));
  for (const how of [[], ['--test-gateway-of', new URL(api.databaseUrl).pathname.slice(1)]]) {
    const database = await createEmptyDatabase();
    const target = testConfig({ DATABASE_URL: database.url, FILES_FOLDER: join(folder, 'files') });
    await printedLines(() => restore(target, [join(folder, 'backup'), ...how]));
    const copy = await connect(database.url);
    const restored = await rowsIn(copy);
    const differing = Object.keys(rows).filter((name) => String(rows[name]) !== String(restored[name]));
    // A restored database is another deployment, and was migrated at another time.
    expect(differing).toEqual(['public.deployment', 'public.mikro_orm_migrations']);
    await copy.close();
    await database.drop();
  }
  await connection.close();
  await api.close();
});
