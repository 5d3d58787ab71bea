import { Refusal } from '../../billing/refusal.ts';
import { lockCountOf } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import { type Account, liveIdOf } from '../../db/schema/account.ts';
import { ApiKey } from '../../db/schema/apiKey.ts';
import { Member } from '../../db/schema/member.ts';
import type { Caller } from '../kernel/caller.ts';
import { Missing } from '../kernel/missing.ts';
import { hashSecret, randomText } from '../kernel/secrets.ts';

export interface NewApiKey {
  account: Account;
  name: string;
  /** Default secret. */
  kind?: 'secret' | 'publishable';
  /** Scope of a secret key. A publishable key always has `read`; a route marked `publishable` accepts it whatever its scope. */
  scope: 'read' | 'read_write';
  /** Real time, in the future. */
  expiresAt: Date | null;
  /** Id of the member whose rights bound it; null or absent: a key of the account itself. */
  memberId?: number | null;
}

const RANDOM_LETTERS = 40;
/** Maximum number of keys per account that are neither revoked nor expired. */
const MOST_KEYS = 100;

/** Creates a key. Returns it in plain text; the database stores only its hash. Refuses an expiry in the past and a key above the limit. */
export async function createApiKey(
  em: EntityManager,
  input: NewApiKey,
  systemNow: Date,
): Promise<{ apiKey: ApiKey; key: string }> {
  const { account, name, kind = 'secret', expiresAt, memberId = null } = input;
  await lockCountOf(em, 'api_key', account.id);
  const isUsable = { revokedAt: null, $or: [{ expiresAt: null }, { expiresAt: { $gt: systemNow } }] };
  const count = await em.count(ApiKey, { accountId: account.id, ...isUsable });
  if (count >= MOST_KEYS)
    throw new Refusal('limit_exceeded', `An account has at most ${MOST_KEYS} API keys; revoke one first`);
  if (expiresAt !== null && expiresAt <= systemNow)
    throw new Refusal('parameter_invalid', 'Expires at must be in the future', 'expires_at');
  const scope = kind === 'publishable' ? 'read' : input.scope;
  const environment = account.environment === 'live' ? 'live' : 'test';
  const key = `${kind === 'secret' ? 'sk' : 'pk'}_${environment}_${randomText(RANDOM_LETTERS)}`;
  const known = { hash: hashSecret(key), last4: key.slice(-4), createdAt: systemNow };
  const member = memberId === null ? null : em.getReference(Member, [liveIdOf(account), memberId]);
  const row = { accountId: account.id, member, name, kind, scope, expiresAt, ...known };
  return { apiKey: em.create(ApiKey, row), key };
}

/** Revokes a key at once. Throws Missing, also for a key that is already revoked. */
export async function revokeApiKey(
  em: EntityManager,
  { caller, id }: { caller: Caller; id: number },
  systemNow: Date,
): Promise<void> {
  const live = { accountId: caller.account.id, id, revokedAt: null };
  const revoked = await em.nativeUpdate(ApiKey, live, { revokedAt: systemNow });
  if (revoked === 0) throw new Missing('API key', id);
}
