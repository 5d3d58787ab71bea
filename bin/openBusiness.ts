import { databaseUrls } from '../adapters/databaseLogins.ts';
import { openAccount } from '../commands/accounts/accounts.ts';
import { openDatabase } from '../db/database.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Config } from './config.ts';
import { ConfigError } from './configError.ts';

/**
 * Command `open <name> <email>`: creates the live and the sandbox account of a business, with its first member. Prints the keys and the
 * password, because the database stores only hashes. `start` creates the first business itself.
 */
export async function openBusiness(config: Config, args: readonly string[]): Promise<number> {
  const [name, memberEmail, ...more] = args;
  if (!name || !memberEmail || more.length > 0) throw new ConfigError('Usage: perennial open "<name>" <email>');
  const urls = databaseUrls(config.databaseUrl, config.encryptionKey);
  const orm = openDatabase({ urls, poolSize: 1, tenant: 'system' });
  try {
    const opened = await inTransaction(orm.em, (em) => openAccount(em, { name, memberEmail }, new Date()));
    const { liveKey, sandboxKey, memberPassword } = opened;
    const { publicUrl } = config;
    console.log(`Live      ${publicUrl}/api           key ${liveKey}`);
    console.log(`Sandbox   ${publicUrl}/sandbox/api   key ${sandboxKey}`);
    console.log(`Sign-in   ${memberEmail}   password ${memberPassword}`);
    console.log('Store the keys and the password now: they are shown only once.');
    return 0;
  } finally {
    await orm.close(true);
  }
}

/** `perennial accounts create`: the same by its other name. Returns the exit code. */
export async function accounts(config: Config, [verb, ...args]: readonly string[]): Promise<number> {
  if (verb !== 'create') throw new ConfigError('Usage: perennial accounts create "<name>" <email>');
  return openBusiness(config, args);
}
