import { readFileSync, writeFileSync } from 'node:fs';
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
  /** Email of the first member, and the password that it got, for the sign-in page. */
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
 * live and sandbox, if that file is missing or the database has no API keys.
 */
export async function ensureFirstAccount(
  config: Pick<Config, 'dataFolder' | 'databaseUrl' | 'encryptionKey' | 'publicUrl'>,
): Promise<FirstAccount> {
  const file = join(config.dataFolder, 'keys.json');
  const kept = readKeys(file);
  const urls = databaseUrls(config.databaseUrl, config.encryptionKey);
  const orm = openDatabase({ urls, poolSize: 1, tenant: 'system' });
  try {
    const isOpen = kept && (await orm.em.fork().count(ApiKey)) > 0;
    const keys = isOpen ? kept : await openFirst(orm.em);
    if (!isOpen) writeFileSync(file, `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600 });
    const startLink = isLoopback(new URL(config.publicUrl).hostname) ? await makeLink(orm.em, config, keys) : null;
    return { ...keys, startLink, isPasswordKept: await isGenerated(orm.em.fork(), keys) };
  } finally {
    await orm.close(true);
  }
}

async function openFirst(to: EntityManager): Promise<Keys> {
  const email = MEMBER_EMAIL;
  const { liveKey, sandboxKey, memberPassword } = await inTransaction(to, (em) =>
    openAccount(em, { name: 'My company', memberEmail: email }, new Date()),
  );
  return { liveKey, sandboxKey, email, password: memberPassword ?? '' };
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
    return liveKey && sandboxKey && email && password ? { liveKey, sandboxKey, email, password } : null;
  } catch {
    return null;
  }
}
