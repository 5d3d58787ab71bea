import { createHash, randomInt } from 'node:crypto';
import type { EntityManager } from '../db/orm.ts';
import type { Account } from '../db/schema/account.ts';
import { ApiKey } from '../db/schema/apiKey.ts';
import type { Caller } from './caller.ts';
import { Missing } from './missing.ts';

export interface NewApiKey {
  account: Account;
  name: string;
  scope: 'read' | 'read_write';
  /** Real time. */
  expiresAt: Date | null;
}

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LETTERS = 40;

/** Makes a key. It is told here once; only its hash is kept. */
export function createApiKey(em: EntityManager, input: NewApiKey, systemNow: Date): { apiKey: ApiKey; key: string } {
  const { account, name, scope, expiresAt } = input;
  const prefix = account.environment === 'live' ? 'sk_live_' : 'sk_test_';
  const key = `${prefix}${Array.from({ length: RANDOM_LETTERS }, () => LETTERS[randomInt(LETTERS.length)]).join('')}`;
  const known = { hash: hashKey(key), last4: key.slice(-4), createdAt: systemNow };
  return { apiKey: em.create(ApiKey, { accountId: account.id, name, scope, expiresAt, ...known }), key };
}

/** Revokes a key at once; a second time changes nothing. Throws Missing. */
export async function revokeApiKey(
  em: EntityManager,
  input: { caller: Caller; id: number },
  systemNow: Date,
): Promise<ApiKey> {
  const apiKey = await em.findOne(ApiKey, { accountId: input.caller.account.id, id: input.id });
  if (!apiKey) throw new Missing('API key', input.id);
  apiKey.revokedAt ??= systemNow;
  return apiKey;
}

/** How a key is kept: SHA-256, hexadecimal. Keys are random enough to need no salt. */
export function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}
