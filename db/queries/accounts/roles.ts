import { builtInRoles, type Permission, permissionsOf, type Rights } from '../../../billing/people/permissions.ts';
import type { EntityManager } from '../../orm.ts';
import { Member, Role } from '../../schema/member.ts';
import type { Plain } from '../kernel/plain.ts';
import type { Reading } from '../kernel/reading.ts';
import { condition } from '../kernel/sql.ts';

/** SQL: id of the live account of account `a`, to which members and roles belong. */
const LIVE = `case a.environment when 'live' then a.id else a.twin_id end`;

/** SQL: the members of a business, as rows of its live account and of its sandbox twin. */
export const membersOfBusiness = `(select a.id as account_id, m.id, m.person_id, m.email, m.name, m.password_hash, m.role, m.is_limited, m.status,
    m.invitation_hash, m.invitation_ends_at, m.invited_by_id, m.last_seen_at, m.created_at, m.updated_at
  from account a join member m on m.account_id = ${LIVE})`;

const texts = (values: readonly string[]) => `'{${values.join(',')}}'::text[]`;
const builtIn = [...builtInRoles].map(
  ([code, { name, permissions }], index) =>
    `(${index - builtInRoles.size}, '${code}', '${name}', ${texts(permissions)})`,
);

/** SQL: the built-in roles, whose numbers are negative, and those that the business made. */
export const rolesOfBusiness = `(select a.id as account_id, b.id, b.code, b.name, b.permissions, a.created_at, a.created_at as updated_at
    from account a cross join (values ${builtIn.join(', ')}) as b (id, code, name, permissions)
  union all select a.id, r.id, r.code, r.name, r.permissions, r.created_at, r.updated_at
    from account a join role r on r.account_id = ${LIVE})`;

/** Permissions of a role of the live account; null: there is none with this id. */
export async function findRole(
  em: EntityManager,
  { accountId, code }: { accountId: number; code: string },
): Promise<readonly Permission[] | null> {
  return builtInRoles.get(code)?.permissions ?? (await em.findOne(Role, { accountId, code }))?.permissions ?? null;
}

/** Members by id, those who left included. */
export async function membersById(reading: Reading, ids: Iterable<number>): Promise<Map<number, Plain<Member>>> {
  const wanted = [...new Set(ids)].filter((id) => id > 0);
  if (wanted.length === 0) return new Map();
  const where = condition('id = any(?::int[])', `{${wanted.join()}}`);
  const asked = { row: Member, from: membersOfBusiness, where, order: [], limit: wanted.length, offset: 0 };
  return new Map((await reading.slice(asked)).map(({ row }) => [row.id, row]));
}

/** What a member may do. */
export async function rightsOf(
  em: EntityManager,
  { accountId, role, isLimited }: Pick<Member, 'accountId'> & Omit<Rights, 'permissions'>,
): Promise<readonly Permission[]> {
  return permissionsOf({ role, isLimited, permissions: await findRole(em, { accountId, code: role }) });
}

/** An account of a person, in one environment. */
export interface OwnAccount {
  id: number;
  name: string;
  environment: string;
  role: string;
}

/** The accounts in which the person of a member is an active member, in both environments. Works as the system. */
export function accountsOfPerson(em: EntityManager, member: { accountId: number; id: number }): Promise<OwnAccount[]> {
  return em.execute<OwnAccount[]>(
    `select a.id, a.name, a.environment, m.role from member me
     join member m on m.person_id = me.person_id and m.status = 'active'
     join account a on a.id = m.account_id or a.twin_id = m.account_id
     where me.account_id = ? and me.id = ? order by a.id`,
    [member.accountId, member.id],
  );
}
