import type { Environment } from '../../../billing/environments.ts';
import type { EntityManager } from '../../orm.ts';
import type { OauthTokenKind } from '../../schema/oauthToken.ts';

/** A stored code or token. `payload` comes from oidc-provider. */
export interface FoundToken {
  payload: object;
  consumedAt: Date | null;
}

export interface KeptToken {
  kind: OauthTokenKind;
  hash: string;
  /** Key of its grant. */
  grantKey: string;
  scope: string;
  payload: object;
  expiresAt: Date;
}

/** Stores a token of a grant; false if the grant has ended meanwhile. */
export async function keepToken(em: EntityManager, token: KeptToken, systemNow: Date): Promise<boolean> {
  const { kind, hash, grantKey, scope, payload, expiresAt } = token;
  const kept = await em.execute(
    `insert into oauth_token (account_id, grant_id, kind, hash, scope, payload, expires_at, created_at)
     select account_id, id, ?, ?, ?, ?::jsonb, ?, ? from oauth_grant where key = ? for key share returning 1`,
    [kind, hash, scope, JSON.stringify(payload), expiresAt, systemNow, grantKey],
  );
  return kept.length > 0;
}

/** Null when there is none, it has expired, or it belongs to the other environment. */
export async function findToken(
  em: EntityManager,
  token: { kind: OauthTokenKind; hash: string; environment: Environment },
  systemNow: Date,
): Promise<FoundToken | null> {
  const [row] = await em.execute<{ payload: object; consumed_at: string | null }[]>(
    `select t.payload, t.consumed_at from oauth_token t join account a on a.id = t.account_id
     where t.hash = ? and t.kind = ? and a.environment = ? and t.expires_at > ?`,
    [token.hash, token.kind, token.environment, systemNow],
  );
  return row ? { payload: row.payload, consumedAt: row.consumed_at === null ? null : new Date(row.consumed_at) } : null;
}

/** Marks a code or token as used; false when it already was. */
export async function consumeToken(em: EntityManager, hash: string, systemNow: Date): Promise<boolean> {
  const consumed = await em.execute(
    'update oauth_token set consumed_at = ? where hash = ? and consumed_at is null returning 1',
    [systemNow, hash],
  );
  return consumed.length > 0;
}

export async function deleteToken(em: EntityManager, hash: string): Promise<void> {
  await em.execute('delete from oauth_token where hash = ?', [hash]);
}

export async function deleteTokensOf(em: EntityManager, of: { grantKey: string; kind: OauthTokenKind }): Promise<void> {
  await em.execute(
    `delete from oauth_token t using oauth_grant g
     where g.key = ? and t.account_id = g.account_id and t.grant_id = g.id and t.kind = ?`,
    [of.grantKey, of.kind],
  );
}
