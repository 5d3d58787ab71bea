import { newLogins } from '../adapters/databaseLogins.ts';
import { installTestGateway } from '../adapters/gateways/test/schema.ts';
import { grantLogins } from '../db/logins.ts';
import { betweenLocks, type LockPatience, migrate, PATIENT } from '../db/migrate.ts';
import { LaterDatabase } from '../db/migrations/forecast.ts';
import { openMonths } from '../db/queries/audit/chain.ts';
import { type Connection, connect } from '../workers/connection.ts';
import type { Config } from './config.ts';
import { ConfigError } from './configError.ts';
import { assertEncryptionKey } from './encryptionKey.ts';
import { printMigrationCheck } from './migrationCheck.ts';

/**
 * Migrates the database to this version and creates the logins for its encryption keys, as the database's owner. It is a separate step, so
 * that replicas of API and worker neither race for it nor have the owner's password. Changes nothing in a database that a later version has
 * migrated, and says so: a deployment that is rolled back waits for this step.
 */
export async function runMigrate(config: Config): Promise<void> {
  try {
    await migrateToThis(config);
  } catch (error) {
    if (!(error instanceof LaterDatabase)) throw error;
    console.error(error.message);
  }
}

async function migrateToThis({ databaseUrl, encryptionKey, otherEncryptionKey }: Config): Promise<void> {
  assertOwner(databaseUrl);
  const patience: LockPatience = {
    ...PATIENT,
    onLocked: (holder) => console.error(`A table is locked; trying again. ${holder}`),
  };
  await migrate(databaseUrl, patience);
  const stored = await storedFingerprint(databaseUrl);
  if (stored) assertEncryptionKey(stored, encryptionKey, otherEncryptionKey);
  const keys = otherEncryptionKey ? [encryptionKey, otherEncryptionKey] : [encryptionKey];
  const logins = keys.map(newLogins);
  await grantLogins(databaseUrl, logins, patience);
  await asOwner(databaseUrl, (owner) =>
    betweenLocks(
      patience,
      (sql) => owner.query(sql),
      () => openMonths(owner, new Date()),
    ),
  );
  await asOwner(databaseUrl, async (owner) => {
    const install = async () => {
      for (const each of logins) await installTestGateway(databaseUrl, each);
    };
    await betweenLocks(patience, (sql) => owner.query(sql), install);
  });
}

/** Runs `migrate`, or `migrate --check`, which only says what it would do. Returns the exit code. */
export async function migrateOrCheck(config: Config, args: readonly string[]): Promise<number> {
  if (args.length === 0) return runMigrate(config).then(() => 0);
  if (args.length > 1 || args[0] !== '--check') throw new ConfigError('Usage: perennial migrate [--check]');
  assertOwner(config.databaseUrl);
  return printMigrationCheck(config.databaseUrl);
}

/** Throws a ConfigError if neither the URL nor PGUSER names a user. */
export function assertOwner(databaseUrl: string): void {
  const { username, searchParams } = new URL(databaseUrl);
  if (username || searchParams.has('user') || process.env.PGUSER) return;
  throw new ConfigError('DATABASE_URL must contain the user and password of the database owner');
}

function storedFingerprint(databaseUrl: string): Promise<string | null> {
  return asOwner(databaseUrl, async (owner) => {
    const [row] = await owner.query<{ fingerprint: string }>('select key_fingerprint as fingerprint from deployment');
    return row?.fingerprint ?? null;
  });
}

async function asOwner<T>(databaseUrl: string, work: (owner: Connection) => Promise<T>): Promise<T> {
  const owner = await connect(databaseUrl);
  try {
    return await work(owner);
  } finally {
    await owner.close();
  }
}
