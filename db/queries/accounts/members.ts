import type { Environment } from '../../../billing/environments.ts';
import type { EntityManager } from '../../orm.ts';
import { Account } from '../../schema/account.ts';

/** The signed-in member, and its account in the environment. */
export interface SignedIn {
  memberId: number;
  email: string;
  account: Account;
}

/** A member by its id, with its account in an environment. */
export async function findMember(
  em: EntityManager,
  of: { memberId: number; environment: Environment },
): Promise<SignedIn | null> {
  const [row] = await em.execute(
    `select a.*, m.email as member_email from member m
     join account a on a.environment = ? and (a.id = m.account_id or a.twin_id = m.account_id) where m.id = ?`,
    [of.environment, of.memberId],
  );
  if (!row) return null;
  const { member_email: email, ...account } = row;
  return { memberId: of.memberId, email, account: em.map(Account, account) };
}

export interface KeptSession {
  hash: string;
  uid: string;
  environment: Environment;
  memberId: number;
  payload: object;
  expiresAt: Date;
}

/** Stores a browser session, or its new payload and expiry. */
export async function keepSession(em: EntityManager, session: KeptSession, systemNow: Date): Promise<void> {
  const { hash, uid, environment, memberId, payload, expiresAt } = session;
  await em.execute(
    `insert into member_session (account_id, member_id, environment, hash, uid, payload, expires_at, created_at)
     select account_id, id, ?, ?, ?, ?::jsonb, ?, ? from member where id = ?
     on conflict (hash) do update set payload = excluded.payload, expires_at = excluded.expires_at`,
    [environment, hash, uid, JSON.stringify(payload), expiresAt, systemNow, memberId],
  );
}

/** The payload of a session, by the hash of its cookie or by its uid; null if it has ended. */
export async function findSession(
  em: EntityManager,
  of: { environment: Environment } & ({ hash: string } | { uid: string }),
  systemNow: Date,
): Promise<object | null> {
  const [column, value] = 'hash' in of ? ['hash', of.hash] : ['uid', of.uid];
  const [row] = await em.execute<{ payload: object }[]>(
    `select payload from member_session where ${column} = ? and environment = ? and expires_at > ?`,
    [value, of.environment, systemNow],
  );
  return row?.payload ?? null;
}

export async function deleteSession(em: EntityManager, hash: string): Promise<void> {
  await em.execute('delete from member_session where hash = ?', [hash]);
}
