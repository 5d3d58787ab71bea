import { newLogins } from '../adapters/databaseLogins.ts';
import { installTestGateway } from '../adapters/gateways/test/schema.ts';
import { grantLogins } from '../db/logins.ts';
import { migrate, PATIENT } from '../db/migrate.ts';
import { connect } from '../workers/connection.ts';
import type { Config } from './config.ts';
import { ConfigError } from './configError.ts';
import { assertEncryptionKey } from './encryptionKey.ts';
import { printMigrationCheck } from './migrationCheck.ts';

/**
 * Migrates the database to this version and creates the logins for its encryption keys, as the database's owner. It is a separate step, so
 * that replicas of API and worker neither race for it nor have the owner's password.
 */
export async function runMigrate({ databaseUrl, encryptionKey, otherEncryptionKey }: Config): Promise<void> {
  assertOwner(databaseUrl);
  await migrate(databaseUrl, {
    ...PATIENT,
    onLocked: (oldest) => console.error(`A table is locked; trying again. ${oldest}`),
  });
  const stored = await storedFingerprint(databaseUrl);
  if (stored) assertEncryptionKey(stored, encryptionKey, otherEncryptionKey);
  const keys = otherEncryptionKey ? [encryptionKey, otherEncryptionKey] : [encryptionKey];
  const logins = keys.map(newLogins);
  await grantLogins(databaseUrl, logins);
  for (const each of logins) await installTestGateway(databaseUrl, each);
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

async function storedFingerprint(databaseUrl: string): Promise<string | null> {
  const owner = await connect(databaseUrl);
  try {
    const [row] = await owner.query<{ fingerprint: string }>('select key_fingerprint as fingerprint from deployment');
    return row?.fingerprint ?? null;
  } finally {
    await owner.close();
  }
}
