import type { EntityDictionary } from '@mikro-orm/core';
import type { EntityManager } from '../orm.ts';
import { Account } from '../schema/account.ts';

/** A valid key and its account. */
export interface Credential {
  id: number;
  scope: 'read' | 'read_write';
  account: Account;
}

interface CredentialRow {
  key_id: number;
  key_scope: 'read' | 'read_write';
}

/** The key with this hash and its account, in one statement; null when there is none, or it is revoked or expired. */
export async function findCredential(em: EntityManager, hash: string, systemNow: Date): Promise<Credential | null> {
  const [row] = await em.execute<(EntityDictionary<Account> & CredentialRow)[]>(
    `select account.*, api_key.id as key_id, api_key.scope as key_scope
     from api_key join account on account.id = api_key.account_id
     where api_key.hash = ? and api_key.revoked_at is null and (api_key.expires_at is null or api_key.expires_at > ?)`,
    [hash, systemNow],
  );
  if (!row) return null;
  const { key_id: id, key_scope: scope, ...account } = row;
  return { id, scope, account: em.map(Account, account) };
}
