import { keyPermissions, type Permission, permissionsOf, type Rights } from '../../../billing/people/permissions.ts';
import type { PortalRights } from '../../../billing/people/portal.ts';
import type { EntityManager } from '../../orm.ts';
import { PortalLink, type PortalMaker } from '../../schema/portal.ts';

/** A customer whose portal an address may use. */
export interface PortalHolder {
  customerId: number;
  name: string;
  number: string;
  rights: PortalRights;
}

/** SQL: what an address may do for customers `c`: as the customer's own, or as that of a contact. Takes the address twice. */
const HOLDERS = `cross join lateral (
    select 'manage' as rights, 0 as rank where lower(c.email) = ?
    union all
    select o.portal_role, case o.portal_role when 'pay' then 1 else 2 end from contact o
    where o.account_id = c.account_id and o.customer_id = c.id and lower(o.email) = ? and o.portal_role is not null
    order by rank limit 1
  ) held`;
const KNOWN = 'c.anonymized_at is null and c.merged_into_id is null';

/** The most customers of one address that are shown. */
const MOST_HELD = 100;

/** The customers of an address, at most 100, by name. `email`: in lower case. */
export async function holdersOf(
  em: EntityManager,
  { accountId, email }: { accountId: number; email: string },
): Promise<PortalHolder[]> {
  return em.execute<PortalHolder[]>(
    `with named as (
       select id from customer where account_id = ? and lower(email) = ? and email is not null
       union select customer_id from contact where account_id = ? and lower(email) = ? and portal_role is not null
     )
     select c.id as "customerId", c.name, c.number, held.rights
     from named n join customer c on c.account_id = ? and c.id = n.id ${HOLDERS}
     where ${KNOWN} order by lower(c.name), c.id limit ${MOST_HELD}`,
    [accountId, email, accountId, email, accountId, email, email],
  );
}

/** What an address may do for a customer now; null: nothing. */
export async function rightsOf(
  em: EntityManager,
  { accountId, customerId, email }: { accountId: number; customerId: number; email: string },
): Promise<PortalRights | null> {
  const [row] = await em.execute<{ rights: PortalRights }[]>(
    `select held.rights from customer c ${HOLDERS} where c.account_id = ? and c.id = ? and ${KNOWN}`,
    [email, email, accountId, customerId],
  );
  return row?.rights ?? null;
}

/** A session as the portal works with it. */
export interface FoundPortalSession {
  id: number;
  customerId: number;
  /** In lower case. Null: the product of the account opened it. */
  email: string | null;
  maker: PortalMaker | null;
  lastSeenAt: Date;
}

/** The session with this hash of its cookie, whether or not its holder still has rights; null: it has ended. */
export async function findPortalSession(
  em: EntityManager,
  { accountId, hash }: { accountId: number; hash: string },
  systemNow: Date,
): Promise<FoundPortalSession | null> {
  const [row] = await em.execute<(Omit<FoundPortalSession, 'lastSeenAt'> & { lastSeenAt: string })[]>(
    `select id, customer_id as "customerId", email, maker, last_seen_at as "lastSeenAt" from portal_session
     where account_id = ? and hash = ? and expires_at > ?`,
    [accountId, hash, systemNow],
  );
  return row ? { ...row, lastSeenAt: new Date(row.lastSeenAt) } : null;
}

/** SQL: what a member `m` with its role `r` may do; `scope`: that of its key or grant. Its member may see the customer. Takes account and customer. */
const heldBy = (scope: string) =>
  `select m.id as "memberId", m.role, m.is_limited as "isLimited", r.permissions, ${scope} as scope`;
const MEMBER = `join member m on m.account_id = $.member_account_id and m.id = $.member_id
  left join role r on r.account_id = m.account_id and r.code = m.role`;
const ABLE = `m.status = 'active' and (not m.is_limited or exists (
  select 1 from customer c where c.account_id = ? and c.id = ? and c.owner_id = m.id))`;

/**
 * What the credential that made a link may do now for its customer. Null: nothing. A key or grant has ended, its member is no longer active, or
 * sees the customer no more.
 */
export async function permissionsOfMaker(
  em: EntityManager,
  { accountId, customerId, maker }: { accountId: number; customerId: number; maker: PortalMaker },
  systemNow: Date,
): Promise<readonly Permission[] | null> {
  const { kind, id } = maker.credential;
  const seen = [accountId, customerId];
  const asked = {
    api_key: [
      `${heldBy('k.scope')} from api_key k left ${MEMBER.replaceAll('$', 'k')}
       where k.account_id = ? and k.id = ? and k.revoked_at is null and (k.expires_at is null or k.expires_at > ?)
         and (k.member_id is null or ${ABLE})`,
      [accountId, id, systemNow, ...seen],
    ],
    oauth_grant: [
      `${heldBy('g.scope')} from oauth_grant g ${MEMBER.replaceAll('$', 'g')}
       where g.account_id = ? and g.id = ? and g.expires_at > ? and ${ABLE}`,
      [accountId, id, systemNow, ...seen],
    ],
    member: [
      `${heldBy("'read_write'")} from member m left join role r on r.account_id = m.account_id and r.code = m.role
       where m.id = ? and m.account_id in (
         select a.id from account a where a.id = ? union select a.twin_id from account a where a.id = ?) and ${ABLE}`,
      [id, accountId, accountId, ...seen],
    ],
  } as const;
  const [sql, values] = asked[kind];
  const [row] = await em.execute<(Rights & { memberId: number | null; scope: string })[]>(sql, [...values]);
  if (!row) return null;
  const held = row.memberId === null ? keyPermissions : permissionsOf(row);
  return row.scope.split(' ').includes('read_write') ? held : held.filter((one) => one.endsWith('.read'));
}

/** Notes that a session is in use. */
export async function noteSeen(
  em: EntityManager,
  { accountId, id }: { accountId: number; id: number },
  at: Date,
): Promise<void> {
  const sql = 'update portal_session set last_seen_at = ? where account_id = ? and id = ? and last_seen_at < ?';
  await em.execute(sql, [at, accountId, id, at]);
}

/** Counts a try of the code of a link. False: it had `most` of them. */
export async function addPortalTry(
  em: EntityManager,
  { accountId, id, most }: { accountId: number; id: number; most: number },
): Promise<boolean> {
  const sql = 'update portal_link set tries = tries + 1 where account_id = ? and id = ? and tries < ? returning 1';
  return (await em.execute(sql, [accountId, id, most])).length > 0;
}

/** Ends the changes of a customer's address that wait to be confirmed. */
export async function endEmailChanges(
  em: EntityManager,
  { accountId, customerId }: { accountId: number; customerId: number },
): Promise<void> {
  await em.nativeDelete(PortalLink, { accountId, customer: [accountId, customerId], purpose: 'email', usedAt: null });
}

/**
 * Ends the sessions and links that show a customer, or whose address could choose it: that of the customer and those of its contacts. They show no
 * other customer from then on either.
 */
export async function endPortalAccess(
  em: EntityManager,
  { accountId, customerId }: { accountId: number; customerId: number },
): Promise<void> {
  const own = [accountId, customerId];
  await em.execute(
    `with address as (
       select lower(email) as email from customer where account_id = ? and id = ? and email is not null
       union select lower(email) from contact where account_id = ? and customer_id = ? and portal_role is not null
     ), ended as (
       delete from portal_session where account_id = ? and (customer_id = ? or email in (select email from address))
     )
     delete from portal_link
     where account_id = ? and (customer_id = ? or (purpose = 'sign_in' and email in (select email from address)))`,
    [...own, ...own, ...own, ...own],
  );
}
