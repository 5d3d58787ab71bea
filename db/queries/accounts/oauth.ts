import type { Environment } from '../../../billing/environments.ts';
import type { EntityManager } from '../../orm.ts';
import type { OauthTokenKind } from '../../schema/oauth.ts';

export interface OauthClient {
  clientId: string;
  name: string;
  /** The business that registered it. */
  business: string;
  redirectUris: string[];
  secretHash: string | null;
  createdAt: Date;
}

/** The application with this client id in an environment, whichever business registered it. */
export async function findClient(
  em: EntityManager,
  of: { clientId: string; environment: Environment },
): Promise<OauthClient | null> {
  const [row] = await em.execute<
    { name: string; business: string; redirect_uris: string[]; secret_hash: string | null; created_at: string }[]
  >(
    `select o.name, a.name as business, o.redirect_uris, o.secret_hash, o.created_at from oauth_application o
     join account a on a.id = o.account_id where o.client_id = ? and a.environment = ?`,
    [of.clientId, of.environment],
  );
  if (!row) return null;
  const { name, business, redirect_uris: redirectUris, secret_hash: secretHash } = row;
  return { clientId: of.clientId, name, business, redirectUris, secretHash, createdAt: new Date(row.created_at) };
}

export interface KeptGrant {
  key: string;
  environment: Environment;
  clientId: string;
  memberId: number;
  scope: string;
  expiresAt: Date;
}

/**
 * Stores a grant to the account of a member in an environment, or its new scope and expiry. False if there is no such member or
 * application.
 */
export async function keepGrant(em: EntityManager, grant: KeptGrant, systemNow: Date): Promise<boolean> {
  const { key, environment, clientId, memberId, scope, expiresAt } = grant;
  const kept = await em.execute(
    `insert into oauth_grant (account_id, key, application_account_id, application_id, client_id, application_name,
       member_account_id, member_id, granted_by, scope, expires_at, created_at)
     select a.id, ?, o.account_id, o.id, o.client_id, o.name, m.account_id, m.id, m.email, ?, ?, ? from member m
     join account a on a.environment = ? and (a.id = m.account_id or a.twin_id = m.account_id)
     join oauth_application o on o.client_id = ? where m.id = ?
     on conflict (key) do update set scope = excluded.scope, expires_at = excluded.expires_at returning 1`,
    [key, scope, expiresAt, systemNow, environment, clientId, memberId],
  );
  return kept.length > 0;
}

export interface FoundGrant {
  clientId: string;
  memberId: number;
  scope: string;
  expiresAt: Date;
}

export async function findGrant(em: EntityManager, key: string, systemNow: Date): Promise<FoundGrant | null> {
  const [row] = await em.execute<{ client_id: string; member_id: number; scope: string; expires_at: string }[]>(
    'select client_id, member_id, scope, expires_at from oauth_grant where key = ? and expires_at > ?',
    [key, systemNow],
  );
  if (!row) return null;
  return {
    clientId: row.client_id,
    memberId: row.member_id,
    scope: row.scope,
    expiresAt: new Date(row.expires_at),
  };
}

/** Deletes a grant and its tokens. */
export async function deleteGrant(em: EntityManager, key: string): Promise<void> {
  await em.execute('delete from oauth_grant where key = ?', [key]);
}

export interface KeptInteraction {
  hash: string;
  clientId: string;
  payload: object;
  expiresAt: Date;
}

/** Stores an authorization that waits for a person, or its new payload and expiry. */
export async function keepInteraction(em: EntityManager, interaction: KeptInteraction): Promise<void> {
  const { hash, clientId, payload, expiresAt } = interaction;
  await em.execute(
    `insert into oauth_interaction (account_id, application_id, hash, payload, expires_at)
     select account_id, id, ?, ?::jsonb, ? from oauth_application where client_id = ?
     on conflict (hash) do update set payload = excluded.payload, expires_at = excluded.expires_at`,
    [hash, JSON.stringify(payload), expiresAt, clientId],
  );
}

export async function findInteraction(
  em: EntityManager,
  of: { hash: string; environment: Environment },
  systemNow: Date,
): Promise<object | null> {
  const [row] = await em.execute<{ payload: object }[]>(
    `select i.payload from oauth_interaction i join account a on a.id = i.account_id
     where i.hash = ? and a.environment = ? and i.expires_at > ?`,
    [of.hash, of.environment, systemNow],
  );
  return row?.payload ?? null;
}

export async function deleteInteraction(em: EntityManager, hash: string): Promise<void> {
  await em.execute('delete from oauth_interaction where hash = ?', [hash]);
}

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

/** The access that a person gave an application to an account, in one environment. */
export interface GrantOfPerson {
  id: number;
  accountId: number;
  account: string;
  environment: Environment;
  application: string;
  /** The business that registered the application. */
  business: string;
  scope: string;
  lastUsedAt: Date | null;
  createdAt: Date;
  memberId: number;
  email: string;
}

/** Grants that are shown. */
const MOST_GRANTS = 200;

/** The access that a person gave in accounts where it is an active member, by the name of the application. `id`: only this grant. */
export async function grantsOfPerson(
  em: EntityManager,
  { personId, id = null }: { personId: number; id?: number | null },
  now: Date,
): Promise<GrantOfPerson[]> {
  const rows = await em.execute<
    (Omit<GrantOfPerson, 'lastUsedAt' | 'createdAt'> & { lastUsedAt: string | null; createdAt: string })[]
  >(
    `select g.id, g.account_id as "accountId", a.name as account, a.environment, g.application_name as application,
       o.name as business, g.scope, g.last_used_at as "lastUsedAt", g.created_at as "createdAt", m.id as "memberId", m.email
     from member m join oauth_grant g on g.member_account_id = m.account_id and g.member_id = m.id
     join account a on a.id = g.account_id join account o on o.id = g.application_account_id
     where m.person_id = ? and m.status = 'active' and g.expires_at > ? and g.id = coalesce(?, g.id)
     order by lower(g.application_name), g.id limit ?`,
    [personId, now, id, MOST_GRANTS],
  );
  return rows.map(({ lastUsedAt, createdAt, ...row }) => ({
    ...row,
    lastUsedAt: lastUsedAt === null ? null : new Date(lastUsedAt),
    createdAt: new Date(createdAt),
  }));
}
