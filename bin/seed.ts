import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { databaseUrls } from '../adapters/databaseLogins.ts';
import { isLoopback } from '../api/limits/clientAddress.ts';
import { openAccount } from '../commands/accounts/accounts.ts';
import { hashSecret } from '../commands/kernel/secrets.ts';
import { LIFETIMES } from '../commands/people/secrets.ts';
import { isGenerated, newStartLink } from '../commands/people/startLink.ts';
import { openDatabase } from '../db/database.ts';
import type { EntityManager } from '../db/orm.ts';
import { ApiKey } from '../db/schema/apiKey.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Config } from './config.ts';

const MEMBER_EMAIL = 'owner@perennial.localhost';

interface Keys {
  liveKey: string;
  sandboxKey: string;
  /** Email of the first member, and the password that it got, for the sign-in page. Empty: it had one of its own already. */
  email: string;
  password: string;
}

/** The first business, and how its first administrator signs in. */
export interface FirstAccount extends Keys {
  /** A link that signs in once; null: it is not for everybody who can reach the public address. */
  startLink: { url: string; endsAt: string } | null;
  /** Whether the password still counts. */
  isPasswordKept: boolean;
}

/**
 * Returns the keys of the first business, which are stored in the data folder, because the database stores only hashes. Creates the business,
 * live and sandbox, if that file is missing or the database has no API keys. The file is written before the commit, and gets its name after
 * it: a crash in between neither loses the keys nor opens a second business.
 */
export async function ensureFirstAccount(
  config: Pick<Config, 'dataFolder' | 'databaseUrl' | 'encryptionKey' | 'publicUrl'>,
): Promise<FirstAccount> {
  const file = join(config.dataFolder, 'keys.json');
  const urls = databaseUrls(config.databaseUrl, config.encryptionKey);
  const orm = openDatabase({ urls, poolSize: 1, tenant: 'system' });
  try {
    const uncommitted = `${file}.new`;
    const written = readKeys(uncommitted);
    if (written && (await isKnown(orm.em, written))) renameSync(uncommitted, file);
    const kept = readKeys(file);
    const isOpen = kept && (await orm.em.fork().count(ApiKey)) > 0;
    const keys = isOpen ? kept : await openFirst(orm.em, uncommitted);
    if (!isOpen) renameSync(uncommitted, file);
    const startLink = isLoopback(new URL(config.publicUrl).hostname) ? await makeLink(orm.em, config, keys) : null;
    return { ...keys, startLink, isPasswordKept: await isGenerated(orm.em.fork(), keys) };
  } finally {
    await orm.close(true);
  }
}

/** Whether the business of these keys was opened. */
async function isKnown(to: EntityManager, { liveKey }: Keys): Promise<boolean> {
  return (await to.fork().count(ApiKey, { hash: hashSecret(liveKey) })) > 0;
}

/** Opens the first business, and writes its keys to a file before the commit. */
function openFirst(to: EntityManager, file: string): Promise<Keys> {
  return inTransaction(to, async (em) => {
    const email = MEMBER_EMAIL;
    const opened = await openAccount(em, { name: 'My company', memberEmail: email }, new Date());
    const { liveKey, sandboxKey, memberPassword } = opened;
    const keys = { liveKey, sandboxKey, email, password: memberPassword ?? '' };
    writeFileSync(file, `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600, flush: true });
    return keys;
  });
}

async function makeLink(
  to: EntityManager,
  { publicUrl }: Pick<Config, 'publicUrl'>,
  { liveKey, password: generated }: Keys,
): Promise<FirstAccount['startLink']> {
  const now = new Date();
  const key = await to.fork().findOne(ApiKey, { hash: hashSecret(liveKey) });
  if (!key) return null;
  const { accountId } = key;
  const secret = await inTransaction(to, (em) => newStartLink(em, { accountId, generated }, now));
  if (secret === null) return null;
  return { url: `${publicUrl}/start/${secret}`, endsAt: new Date(now.getTime() + LIFETIMES.console).toISOString() };
}

function readKeys(file: string): Keys | null {
  try {
    const { liveKey, sandboxKey, email, password }: Partial<Keys> = JSON.parse(readFileSync(file, 'utf8'));
    return liveKey && sandboxKey && email && password !== undefined ? { liveKey, sandboxKey, email, password } : null;
  } catch {
    return null;
  }
}
