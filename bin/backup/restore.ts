import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { keyFingerprint } from '../../adapters/cipher.ts';
import { migrate, PATIENT } from '../../db/migrate.ts';
import { migrationNames } from '../../db/migrations/names.ts';
import type { Connection } from '../../workers/connection.ts';
import type { Config } from '../config.ts';
import { ConfigError } from '../configError.ts';
import { createFileStore } from '../fileStore.ts';
import { assertOwner, runMigrate } from '../migrate.ts';
import { withoutConstraints } from './constraints.ts';
import { type Manifest, readManifest, refuseUnfit, type TablePart } from './manifest.ts';
import { readLines, verifyParts } from './parts.ts';
import { openSession } from './session.ts';
import { storeFiles } from './storedFiles.ts';
import { loadRows, quoted, rowsOf, tablesOf, typedColumns } from './tables.ts';
import { openTarget } from './target.ts';

const USAGE = 'Usage: perennial restore <folder> [--test-gateway-of <database>]';

/** Ids and positions that the lost time may have handed out are never given to anything else. */
const SKIPPED = 1_000_000;
const HOUR_MILLISECONDS = 3_600_000;

interface Restored {
  config: Config;
  folder: string;
  manifest: Manifest;
}

/** Command `restore <folder>`: restores a backup into an empty database. Checks everything before it writes. Returns the exit code. */
export async function restore(config: Config, args: readonly string[]): Promise<number> {
  const { folder, gatewayOf } = askedIn(args);
  const { databaseUrl, encryptionKey } = config;
  assertOwner(databaseUrl);
  const manifest = await readManifest(folder);
  refuseUnfit(manifest, { keyFingerprint: keyFingerprint(encryptionKey), migrations: migrationNames });
  await verifyParts(folder, [...manifest.tables, ...manifest.files]);
  const connection = await openTarget(databaseUrl);
  const restored = { config, folder, manifest };
  try {
    await migrate(databaseUrl, { ...PATIENT, upTo: manifest.migration });
    await loadOwnTables(connection, restored);
    await runMigrate(config);
    const gateway = await loadTestGateway(connection, restored, gatewayOf);
    const store = createFileStore(config.files);
    await storeFiles(folder, manifest.files, store).finally(() => store.close());
    console.log(inWords(manifest, gateway));
    return 0;
  } catch (error) {
    console.error('The restore has failed. The database may hold a part of the backup: restore into another one.');
    throw error;
  } finally {
    await connection.close();
  }
}

function askedIn(args: readonly string[]): { folder: string; gatewayOf: string | null } {
  try {
    const options = { 'test-gateway-of': { type: 'string' } } as const;
    const { positionals, values } = parseArgs({ args: [...args], options, allowPositionals: true });
    const [folder, ...more] = positionals;
    if (!folder || more.length > 0) throw new ConfigError(USAGE);
    return { folder: resolve(folder), gatewayOf: values['test-gateway-of'] ?? null };
  } catch {
    throw new ConfigError(USAGE);
  }
}

/** Loads the product's own tables in one transaction. The database becomes a new deployment, which starts its processes anew. */
async function loadOwnTables(connection: Connection, { folder, manifest }: Restored): Promise<void> {
  const parts = manifest.tables.filter(({ schema }) => schema === 'public');
  const tables = await tablesOf(connection, 'public');
  const own = { schema: 'public', tables: parts.map(({ table }) => table) };
  await connection.transaction(async () => {
    await withoutConstraints(connection, own, async () => {
      for (const part of parts) {
        const rows = await loadRows(connection, typedColumns(part, tables), readLines({ folder, path: part.path }));
        if (rows !== part.rows) throw new Error(`${part.path} has ${rows} rows, not ${part.rows}`);
      }
    });
    for (const { name, last } of manifest.sequences) {
      const sequence = `public.${quoted(name)}`;
      await connection.query('select setval($1::regclass, $2::bigint + $3::bigint)', [sequence, last, SKIPPED]);
    }
    // No worker of the original takes this database's work, and Temporal's namespace is another one: workers rebuild all processes.
    await connection.query(`update deployment set id = $1, temporal_namespace_id = 'restored'`, [
      `p${randomBytes(4).toString('hex')}`,
    ]);
  });
  await connection.query('analyze');
}

/**
 * Loads the record of the test gateway: from the database `other` of the same server, where the gateway has gone on, or from the backup. An
 * existing record stays, because a gateway does not go back in time with a database. Returns the place that it comes from.
 */
async function loadTestGateway(
  connection: Connection,
  { config, folder, manifest }: Restored,
  other: string | null,
): Promise<string> {
  const tables = await tablesOf(connection, 'test_gateway');
  const [existing] = await connection.query<{ count: number }>(
    'select count(*)::int as count from test_gateway.operation',
  );
  if (existing && existing.count > 0) return 'the database, which had one already';
  if (other) {
    await copyTestGateway(connection, { tables, from: databaseOf(config.databaseUrl, other) });
    return `the database ${other}`;
  }
  const parts = manifest.tables.filter(({ schema }) => schema === 'test_gateway');
  await writeTestGateway(connection, tables, async () => {
    for (const part of parts)
      await loadRows(connection, typedColumns(part, tables), readLines({ folder, path: part.path }));
  });
  return 'the backup';
}

type Tables = Awaited<ReturnType<typeof tablesOf>>;

/** Runs work that writes rows of the test gateway, in one transaction. */
function writeTestGateway(connection: Connection, tables: Tables, work: () => Promise<void>): Promise<void> {
  return connection.transaction(async () => {
    const own = { schema: 'test_gateway', tables: tables.map(({ table }) => table) };
    await withoutConstraints(connection, own, work);
    await connection.query(
      `select setval(pg_get_serial_sequence('test_gateway.operation', 'id'), max(id)) from test_gateway.operation`,
    );
  });
}

async function copyTestGateway(
  connection: Connection,
  { tables, from }: { tables: Tables; from: string },
): Promise<void> {
  const other = await openSession(from);
  try {
    const theirs = await tablesOf(other, 'test_gateway');
    await writeTestGateway(connection, tables, () =>
      other.transaction(async () => {
        await other.query('set transaction isolation level repeatable read, read only');
        for (const one of theirs) {
          const part: Pick<TablePart, 'schema' | 'table' | 'columns'> = {
            schema: 'test_gateway',
            table: one.table,
            columns: one.columns.map(({ name }) => name),
          };
          await loadRows(connection, typedColumns(part, tables), rowsOf(other, one));
        }
      }),
    );
  } finally {
    await other.close();
  }
}

/** The URL of another database of the same server. */
function databaseOf(url: string, name: string): string {
  const other = new URL(url);
  other.pathname = `/${encodeURIComponent(name)}`;
  return other.href;
}

function inWords({ created_at, migration, tables, files, file_store }: Manifest, gateway: string): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const since = new Date(Date.parse(created_at) - HOUR_MILLISECONDS).toISOString();
  return [
    `Restored the backup of ${created_at} (${migration}): ${rows} rows, ${files.length} files.`,
    ...(file_store === 's3' ? ['The backup has no files: they are in the bucket that it was made with.'] : []),
    `The record of the test gateway is from ${gateway}.`,
    'Before a worker starts, find the charges and refunds that the database has lost:',
    `  perennial recover --since ${since}`,
  ].join('\n');
}
