import type { EntityDictionary } from '@mikro-orm/core';
import type { Environment } from '../../../billing/environments.ts';
import { keyPermissions, type Permission, permissionsOf } from '../../../billing/people/permissions.ts';
import { isFresh, type Proof } from '../../../billing/people/proofs.ts';
import { LOOKUP_SCHEMA } from '../../lookups.ts';
import type { EntityManager } from '../../orm.ts';
import { Account } from '../../schema/account.ts';
import type { UsedCredential } from '../../schema/event.ts';
import { CONFINED_TO } from '../../tenant.ts';

/** A valid key or access token, and its account. */
export interface Credential {
  /**
   * For a token: the negative id of its grant, which all tokens of a grant share. For a session: a smaller one, which all sessions of the
   * member share. No key has a negative id.
   */
  id: number;
  /** For a token: current name of its application. */
  name: string;
  kind: 'secret' | 'publishable' | 'token' | 'session';
  scope: 'read' | 'read_write';
  lastUsedAt: Date | null;
  /** The member who made the key or gave the application access; null for a key of the account itself. */
  member: ActingMember | null;
  /** What it may do: within the rights of its member at this time, and within its scope. */
  permissions: readonly Permission[];
  /** The session of a person; null for keys and tokens. */
  session: UsedSession | null;
  account: Account;
}

/** The session by which a request acts. */
export interface UsedSession {
  id: number;
  personId: number;
  /** When the member was seen last in the account; null: never. */
  memberSeenAt: Date | null;
  /** What the person proved, and whether within the last ten minutes. */
  proofs: Proof[];
  isFresh: boolean;
  needsTwoFactors: boolean;
}

/** The member for whom a request acts. */
export interface ActingMember {
  id: number;
  email: string;
  role: string;
  /** Whether it sees only the customers that it owns. */
  isLimited: boolean;
}

interface CredentialRow {
  credential_id: number;
  credential_name: string;
  credential_kind: Credential['kind'];
  credential_scope: string;
  credential_used: string | null;
  member_id: number | null;
  member_email: string;
  member_role: string;
  member_is_limited: boolean;
  role_permissions: Permission[] | null;
  session: {
    id: number;
    person_id: number;
    member_seen: string | null;
    proofs: Proof[];
    proven_at: string;
    needs_two_factors: boolean;
  } | null;
  [CONFINED_TO]: number;
}

/** The key with this hash and its account, in one statement; null when there is none, or it is revoked or expired. */
export function findCredential(em: EntityManager, hash: string, systemNow: Date): Promise<Credential | null> {
  return findOne(em, 'holder_of_key', [hash, systemNow]);
}

/** The access token with this hash and its account, in one statement; null when there is none, or it is revoked or expired. */
export function findTokenCredential(em: EntityManager, hash: string, systemNow: Date): Promise<Credential | null> {
  return findOne(em, 'holder_of_token', [hash, systemNow]);
}

/**
 * The session with this hash of its cookie, as member of a live account, in an environment. Null: it has ended, or its person is no active
 * member.
 */
export function findSessionCredential(
  em: EntityManager,
  { hash, accountId, environment }: { hash: string; accountId: number; environment: Environment },
  systemNow: Date,
): Promise<Credential | null> {
  return findOne(em, 'holder_of_session', [hash, systemNow, accountId, environment]);
}

async function findOne(
  em: EntityManager,
  lookup: string,
  values: [string, Date, ...(string | number)[]],
): Promise<Credential | null> {
  const sql = `select (found.account).*, credential_id, credential_name, credential_kind, credential_scope, credential_used,
      member_id, member_email, member_role, member_is_limited, role_permissions, session, ${CONFINED_TO}
    from ${LOOKUP_SCHEMA}.${lookup}(${values.map(() => '?').join(', ')}) as found`;
  const [row] = await em.execute<(EntityDictionary<Account> & CredentialRow)[]>(sql, values);
  if (!row) return null;
  const { credential_id: id, credential_name: name, credential_kind: kind, credential_scope, ...others } = row;
  const { member_id, member_email: email, member_role: role, member_is_limited: isLimited, ...rest } = others;
  const { role_permissions: own, session: browser, credential_used: used, [CONFINED_TO]: _confined, ...account } = rest;
  const session = browser && sessionOf(browser, values[1]);
  const scope = credential_scope.split(' ').includes('read_write') ? 'read_write' : 'read';
  const lastUsedAt = used === null ? null : new Date(used);
  const member = member_id === null ? null : { id: member_id, email, role, isLimited };
  const held = member === null ? keyPermissions : permissionsOf({ role, permissions: own, isLimited });
  const permissions = scope === 'read' ? held.filter((one) => one.endsWith('.read')) : held;
  return { id, name, kind, scope, lastUsedAt, member, permissions, session, account: em.map(Account, account) };
}

/** A key that was revoked or has expired, by its hash; null: there is none. As the system: it belongs to any account. */
export async function findEndedKey(
  em: EntityManager,
  hash: string,
): Promise<{ accountId: number; id: number; name: string; memberId: number | null } | null> {
  const [row] = await em.execute<{ accountId: number; id: number; name: string; memberId: number | null }[]>(
    `select account_id as "accountId", id, name, member_id as "memberId" from api_key where hash = ?`,
    [hash],
  );
  return row ?? null;
}

function sessionOf(browser: NonNullable<CredentialRow['session']>, now: Date): UsedSession {
  const { id, person_id: personId, member_seen: seen, proofs, proven_at: provenAt, needs_two_factors } = browser;
  const memberSeenAt = seen === null ? null : new Date(seen);
  const needsTwoFactors = needs_two_factors;
  return { id, personId, memberSeenAt, proofs, isFresh: isFresh(new Date(provenAt), now), needsTwoFactors };
}

/** The row that identifies the credential: the key, the grant of the token, or the member of the session. */
export function usedCredential({
  kind,
  id,
  name,
  member,
}: Pick<Credential, 'kind' | 'id' | 'name' | 'member'>): UsedCredential {
  if (kind === 'session') return { kind: 'member', id: member?.id ?? 0, name };
  return kind === 'token' ? { kind: 'oauth_grant', id: -id, name } : { kind: 'api_key', id, name };
}

/** Records the last use of a key, or of a token's grant. That of a session is recorded with its end. */
export async function noteUse(
  em: EntityManager,
  credential: Pick<Credential, 'kind' | 'id' | 'name' | 'member' | 'account'>,
  at: Date,
): Promise<void> {
  const { kind: table, id } = usedCredential(credential);
  if (table === 'member') return;
  await em.execute(
    `update ${table} set last_used_at = ? where account_id = ? and id = ? and (last_used_at is null or last_used_at < ?)`,
    [at, credential.account.id, id, at],
  );
}
