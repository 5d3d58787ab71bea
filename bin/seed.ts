import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openAccount } from '../commands/accounts.ts';
import { openDatabase } from '../db/orm.ts';
import { ApiKey } from '../db/schema/apiKey.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Config } from './config.ts';

interface Keys {
  liveKey: string;
  sandboxKey: string;
}

/** The first business of a new database, live and sandbox; its keys, kept in the data folder because the database has only their hashes. */
export async function ensureFirstAccount(config: Config): Promise<Keys> {
  const file = join(config.dataFolder, 'keys.json');
  const kept = readKeys(file);
  const orm = await openDatabase({ url: config.databaseUrl, poolSize: 1 });
  try {
    if (kept && (await orm.em.fork().count(ApiKey)) > 0) return kept;
    const { liveKey, sandboxKey } = await inTransaction(orm.em, (em) =>
      openAccount(em, { name: 'My company' }, new Date()),
    );
    writeFileSync(file, `${JSON.stringify({ liveKey, sandboxKey }, null, 2)}\n`, { mode: 0o600 });
    return { liveKey, sandboxKey };
  } finally {
    await orm.close(true);
  }
}

function readKeys(file: string): Keys | null {
  try {
    const keys: Partial<Keys> = JSON.parse(readFileSync(file, 'utf8'));
    return keys.liveKey && keys.sandboxKey ? { liveKey: keys.liveKey, sandboxKey: keys.sandboxKey } : null;
  } catch {
    return null;
  }
}
