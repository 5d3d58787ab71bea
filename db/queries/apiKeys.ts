import type { EntityDictionary } from '@mikro-orm/core';
import type { EntityManager } from '../orm.ts';
import { Account } from '../schema/account.ts';

/** A valid key or access token, and its account. */
export interface Credential {
  /** Of a token the negative of its grant's: tokens of one grant follow one another, and no key has that id. */
  id: number;
  kind: 'secret' | 'publishable' | 'token';
  scope: 'read' | 'read_write';
  lastUsedAt: Date | null;
  account: Account;
}

interface CredentialRow {
  credential_id: number;
  credential_kind: Credential['kind'];
  credential_scope: string;
  credential_used: string | null;
}

/** The key with this hash and its account, in one statement; null when there is none, or it is revoked or expired. */
export function findCredential(em: EntityManager, hash: string, systemNow: Date): Promise<Credential | null> {
  return findOne(em, {
    sql: `select account.*, api_key.id as credential_id, api_key.kind as credential_kind, api_key.scope as credential_scope,
            api_key.last_used_at as credential_used
          from api_key join account on account.id = api_key.account_id
          where api_key.hash = ? and api_key.revoked_at is null and (api_key.expires_at is null or api_key.expires_at > ?)`,
    values: [hash, systemNow],
  });
}

/** The access token with this hash and its account, in one statement; null when there is none, or it is revoked or expired. */
export function findTokenCredential(em: EntityManager, hash: string, systemNow: Date): Promise<Credential | null> {
  return findOne(em, {
    sql: `select account.*, -g.id as credential_id, 'token' as credential_kind, t.scope as credential_scope,
            g.last_used_at as credential_used
          from oauth_token t join oauth_grant g on g.account_id = t.account_id and g.id = t.grant_id
          join account on account.id = t.account_id
          where t.hash = ? and t.kind = 'access' and t.expires_at > ?`,
    values: [hash, systemNow],
  });
}

async function findOne(
  em: EntityManager,
  { sql, values }: { sql: string; values: unknown[] },
): Promise<Credential | null> {
  const [row] = await em.execute<(EntityDictionary<Account> & CredentialRow)[]>(sql, values);
  if (!row) return null;
  const { credential_id: id, credential_kind: kind, credential_scope, credential_used: used, ...account } = row;
  const scope = credential_scope.split(' ').includes('read_write') ? 'read_write' : 'read';
  return { id, kind, scope, lastUsedAt: used === null ? null : new Date(used), account: em.map(Account, account) };
}

/** Notes that a key, or a grant by its tokens, is in use. */
export async function noteUse(
  em: EntityManager,
  { kind, id, account }: Pick<Credential, 'kind' | 'id' | 'account'>,
  at: Date,
): Promise<void> {
  const [table, rowId] = kind === 'token' ? ['oauth_grant', -id] : ['api_key', id];
  await em.execute(
    `update ${table} set last_used_at = ? where account_id = ? and id = ? and (last_used_at is null or last_used_at < ?)`,
    [at, account.id, rowId, at],
  );
}
