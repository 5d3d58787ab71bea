import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { databaseUrls } from '../adapters/databaseLogins.ts';
import { openAccount } from '../commands/accounts/accounts.ts';
import { openDatabase } from '../db/database.ts';
import { ApiKey } from '../db/schema/apiKey.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Config } from './config.ts';

const MEMBER_EMAIL = 'owner@perennial.localhost';

interface Keys {
  liveKey: string;
  sandboxKey: string;
  /** Email of the first member, for the sign-in page. */
  email: string;
  password: string;
}

/**
 * Returns the keys of the first business, which are stored in the data folder, because the database stores only hashes. Creates the business,
 * live and sandbox, if that file is missing or the database has no API keys.
 */
export async function ensureFirstAccount(config: Config): Promise<Keys> {
  const file = join(config.dataFolder, 'keys.json');
  const kept = readKeys(file);
  const urls = databaseUrls(config.databaseUrl, config.encryptionKey);
  const orm = openDatabase({ urls, poolSize: 1, tenant: 'system' });
  try {
    if (kept && (await orm.em.fork().count(ApiKey)) > 0) return kept;
    const email = MEMBER_EMAIL;
    const { liveKey, sandboxKey, memberPassword } = await inTransaction(orm.em, (em) =>
      openAccount(em, { name: 'My company', memberEmail: email }, new Date()),
    );
    const keys = { liveKey, sandboxKey, email, password: memberPassword ?? '' };
    writeFileSync(file, `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600 });
    return keys;
  } finally {
    await orm.close(true);
  }
}

function readKeys(file: string): Keys | null {
  try {
    const { liveKey, sandboxKey, email, password }: Partial<Keys> = JSON.parse(readFileSync(file, 'utf8'));
    return liveKey && sandboxKey && email && password ? { liveKey, sandboxKey, email, password } : null;
  } catch {
    return null;
  }
}
