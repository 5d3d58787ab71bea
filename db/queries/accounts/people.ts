import { ADMINISTRATOR, type Permission, permissionsOf } from '../../../billing/people/permissions.ts';
import type { Proof } from '../../../billing/people/proofs.ts';
import { needsTwoFactors } from '../../lookups.ts';
import type { EntityManager } from '../../orm.ts';
import { Account } from '../../schema/account.ts';

/**
 * Makes a person of the members with this address that have none: an earlier version opened their account. If there were several, no
 * password of theirs counts. Members whose invitation waits are left alone.
 */
export async function adoptMembers(em: EntityManager, email: string, systemNow: Date): Promise<void> {
  await em.execute(
    `insert into person (email, password_hash, created_at, updated_at)
     select email, case when count(*) = 1 then min(password_hash) end, min(created_at), ? from member
     where email = ? and person_id is null and password_hash is not null group by email
     on conflict (email) do nothing`,
    [systemNow, email],
  );
  await em.execute(
    `update member set person_id = p.id from person p
     where p.email = ? and member.email = p.email and member.person_id is null and member.password_hash is not null`,
    [email],
  );
}

/** Counts a try of a secret. Returns false when it had `most` of them. */
export async function addTry(em: EntityManager, { id, most }: { id: number; most: number }): Promise<boolean> {
  const sql = 'update person_secret set tries = tries + 1 where id = ? and tries < ? returning 1';
  return (await em.execute(sql, [id, most])).length > 0;
}

/** Whether a person is a member of another account, whatever its status there. Until the end of the transaction it joins none. */
export async function isInOtherAccounts(
  em: EntityManager,
  { personId, accountId }: { personId: number; accountId: number },
): Promise<boolean> {
  await em.execute('select 1 from person where id = ? for update', [personId]);
  const sql = 'select 1 from member where person_id = ? and account_id <> ? limit 1';
  return (await em.execute(sql, [personId, accountId])).length > 0;
}

/** A membership of a person, with its account. */
export interface Membership {
  memberId: number;
  role: string;
  isLimited: boolean;
  permissions: readonly Permission[];
  /** Id of the live account. */
  accountId: number;
  name: string;
  /** Whether the account demands a second factor. */
  needsTwoFactors: boolean;
  /** When the member was seen last in the account; null: never. */
  seenAt: Date | null;
}

/** The active memberships of a person, by the name of the account. */
export async function membershipsOf(em: EntityManager, personId: number): Promise<Membership[]> {
  const rows = await em.execute<
    {
      id: number;
      role: string;
      is_limited: boolean;
      role_permissions: Permission[] | null;
      account_id: number;
      name: string;
      needs_two_factors: boolean;
      last_seen_at: string | null;
    }[]
  >(
    `select m.id, m.role, m.is_limited, r.permissions as role_permissions, m.account_id, a.name, m.last_seen_at,
       ${needsTwoFactors('a')} as needs_two_factors
     from member m join account a on a.id = m.account_id
     left join role r on r.account_id = m.account_id and r.code = m.role
     where m.person_id = ? and m.status = 'active' order by lower(a.name), m.id`,
    [personId],
  );
  return rows.map((row) => ({
    memberId: row.id,
    role: row.role,
    isLimited: row.is_limited,
    permissions: permissionsOf({ role: row.role, permissions: row.role_permissions, isLimited: row.is_limited }),
    accountId: row.account_id,
    name: row.name,
    needsTwoFactors: row.needs_two_factors,
    seenAt: row.last_seen_at === null ? null : new Date(row.last_seen_at),
  }));
}

/** A browser in which a person is signed in. */
export interface FoundSession {
  id: number;
  personId: number;
  email: string;
  proofs: Proof[];
  provenAt: Date;
  lastSeenAt: Date;
}

/** The session with this hash of its cookie; null: it has ended. */
export async function findPersonSession(em: EntityManager, hash: string, now: Date): Promise<FoundSession | null> {
  const [row] = await em.execute<
    {
      id: number;
      person_id: number;
      email: string;
      proofs: Proof[];
      proven_at: string;
      last_seen_at: string;
    }[]
  >(
    `select s.id, s.person_id, p.email, s.proofs, s.proven_at, s.last_seen_at
     from person_session s join person p on p.id = s.person_id where s.hash = ? and s.expires_at > ?`,
    [hash, now],
  );
  if (!row) return null;
  const { id, person_id: personId, email, proofs } = row;
  return {
    id,
    personId,
    email,
    proofs,
    provenAt: new Date(row.proven_at),
    lastSeenAt: new Date(row.last_seen_at),
  };
}

/** Notes the use of a session. It ends when it is idle for too long, and after the longest lifetime in any case (milliseconds). */
export async function moveSessionEnd(
  em: EntityManager,
  { hash, idle, longest }: { hash: string; idle: number; longest: number },
  now: Date,
): Promise<void> {
  await em.execute(
    `update person_session set last_seen_at = ?, expires_at = least(?, created_at + ? * interval '1 millisecond')
     where hash = ?`,
    [now, new Date(now.getTime() + idle), longest, hash],
  );
}

/**
 * The company that runs the product here, as sender of mails to persons. It has the number 0, which no account has, and no row. Requests
 * without an account run as 0, too.
 */
export function deploymentAccount(em: EntityManager): Account {
  const none = new Date(0);
  return em.map(Account, {
    id: 0,
    environment: 'live',
    name: 'Perennial',
    language: 'en',
    currency: 'usd',
    timeZone: 'UTC',
    apiVersion: '',
    settings: {},
    createdAt: none,
    updatedAt: none,
  });
}

/** The account whose mails are sent: one with a row, or the deployment. */
export async function mailingAccount(em: EntityManager, accountId: number): Promise<Account> {
  return accountId === 0 ? deploymentAccount(em) : em.findOneOrFail(Account, { id: accountId });
}

/** A business, for the operator. */
export interface ListedBusiness {
  id: number;
  twinId: number | null;
  name: string;
  /** Number of active members. */
  members: number;
  /** Address of the first active administrator; null: there is none. */
  administrator: string | null;
}

/** All businesses, by the id of their live account. */
export function listedBusinesses(em: EntityManager): Promise<ListedBusiness[]> {
  return em.execute<ListedBusiness[]>(
    `select a.id, a.twin_id as "twinId", a.name, count(m.id)::int as members,
       (array_agg(m.email order by m.id) filter (where m.role = '${ADMINISTRATOR}' and not m.is_limited))[1] as administrator
     from account a left join member m on m.account_id = a.id and m.status = 'active'
     where a.environment = 'live' group by a.id order by a.id`,
  );
}
