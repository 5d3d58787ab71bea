import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { keyFingerprint } from '../../adapters/cipher.ts';
import { migrationNames } from '../../db/migrations/names.ts';
import { rights } from '../../db/rights.ts';
import type { Connection } from '../../workers/connection.ts';
import type { Config } from '../config.ts';
import { ConfigError } from '../configError.ts';
import { assertEncryptionKey } from '../encryptionKey.ts';
import { assertOwner } from '../migrate.ts';
import { type Manifest, manifestFile, newManifest, type TablePart } from './manifest.ts';
import { writeLines } from './parts.ts';
import { openSession } from './session.ts';
import { copyFiles } from './storedFiles.ts';
import { rowsOf, tablesOf } from './tables.ts';

const USAGE = 'Usage: perennial backup <folder>';

/** The table of the migrations. A restore fills it by migrating. */
const MIGRATIONS = 'mikro_orm_migrations';

/**
 * Command `backup <folder>`: writes everything that a restore needs into a new folder, which has a temporary name until it is complete.
 * Returns the exit code.
 */
export async function backup(config: Config, args: readonly string[]): Promise<number> {
  const [name, ...more] = args;
  if (!name || name.startsWith('-') || more.length > 0) throw new ConfigError(USAGE);
  assertOwner(config.databaseUrl);
  const folder = resolve(name);
  refuseExisting(folder);
  await mkdir(dirname(folder), { recursive: true });
  const unfinished = await mkdtemp(`${folder}.unfinished-`);
  try {
    const manifest = await writeParts(config, unfinished);
    await writeFile(manifestFile(unfinished), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600, flush: true });
    refuseExisting(folder);
    await rename(unfinished, folder);
    await syncFolder(dirname(folder));
    console.log(inWords(folder, manifest));
    return 0;
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

function refuseExisting(folder: string): void {
  if (existsSync(folder)) throw new ConfigError(`${folder} exists already: name a new folder`);
}

async function writeParts(config: Config, folder: string): Promise<Manifest> {
  const { encryptionKey, files: store } = config;
  const connection = await openSession(config.databaseUrl);
  try {
    const { migration, version } = await checked(connection, encryptionKey);
    const { tables, createdAt } = await writeTables(connection, folder);
    // Read after the rows: each value is at least that of the newest row.
    const sequences = await connection.query<{ name: string; last: string }>(
      `select sequencename as name, last_value::text as last from pg_sequences
       where schemaname = 'public' and last_value is not null and sequencename <> '${MIGRATIONS}_id_seq' order by 1`,
    );
    const files = 'folder' in store ? await copyFiles(store.folder, folder) : [];
    return newManifest({
      version,
      migration,
      created_at: createdAt,
      key_fingerprint: keyFingerprint(encryptionKey),
      file_store: 'folder' in store ? 'disk' : 's3',
      tables,
      sequences,
      files,
    });
  } finally {
    await connection.close();
  }
}

/** Writes all tables as they are at one moment. */
async function writeTables(connection: Connection, folder: string) {
  return connection.transaction(async () => {
    await connection.query('set transaction isolation level repeatable read, read only');
    const [moment] = await connection.query<{ at: string }>(
      `select to_char(now(), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at`,
    );
    const own = (await tablesOf(connection, 'public')).filter(({ table }) => table in rights && table !== MIGRATIONS);
    const tables: TablePart[] = [];
    for (const table of [...own, ...(await tablesOf(connection, 'test_gateway'))]) {
      const path = `tables/${table.schema}.${table.table}.json.gz`;
      const part = await writeLines({ folder, path }, rowsOf(connection, table));
      const schema = table.schema === 'public' ? 'public' : 'test_gateway';
      tables.push({ ...part, schema, table: table.table, columns: table.columns.map(({ name }) => name) });
    }
    return { tables, createdAt: moment?.at ?? '' };
  });
}

/** Throws a ConfigError if the secrets of the database need another key, or if a later version has migrated it. */
async function checked(connection: Connection, key: Uint8Array): Promise<{ migration: string; version: string }> {
  const [found] = await connection.query<{ exists: boolean }>(
    `select to_regclass('public.${MIGRATIONS}') is not null and to_regclass('public.deployment') is not null as exists`,
  );
  if (!found?.exists) throw new ConfigError('The database is empty: there is nothing to back up');
  const [deployment] = await connection.query<{ fingerprint: string }>(
    'select key_fingerprint as fingerprint from deployment',
  );
  if (deployment) assertEncryptionKey(deployment.fingerprint, key);
  const rows = await connection.query<{ name: string }>(`select name from ${MIGRATIONS} order by id`);
  const names: readonly string[] = migrationNames;
  const unknown = rows.find(({ name }) => !names.includes(name));
  if (unknown)
    throw new ConfigError(`A later version has migrated the database (${unknown.name}): back it up with that version`);
  return { migration: rows.at(-1)?.name ?? '', version: await ownVersion() };
}

/** The version of the product. */
async function ownVersion(): Promise<string> {
  const { version }: { version: string } = JSON.parse(
    await readFile(new URL('../../package.json', import.meta.url), 'utf8'),
  );
  return version;
}

/** Syncs a folder, because a rename in it is durable only then. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  await folder.sync().finally(() => folder.close());
}

function inWords(folder: string, { created_at, tables, files, file_store, key_fingerprint }: Manifest): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const megabytes = [...tables, ...files].reduce((sum, { bytes }) => sum + bytes, 0) / 1e6;
  const stored = file_store === 's3' ? 'no files: the bucket has them' : `${files.length} files`;
  return [
    `Backup of ${created_at} in ${folder}: ${rows} rows, ${stored}, ${megabytes.toFixed(1)} MB`,
    `A restore needs the encryption key with the fingerprint ${key_fingerprint}, which is not in the backup.`,
  ].join('\n');
}
