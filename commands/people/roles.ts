import { randomBytes } from 'node:crypto';
import { builtInRoles, inOrder, type Permission } from '../../billing/people/permissions.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { EntityManager } from '../../db/orm.ts';
import { Member, Role } from '../../db/schema/member.ts';
import type { Caller } from '../kernel/caller.ts';
import { Missing } from '../kernel/missing.ts';
import { lockPeople, refuseBeyond } from './rights.ts';

export interface NewRole {
  caller: Caller;
  /** Null: generated. */
  code: string | null;
  name: string;
  permissions: readonly Permission[];
}

export interface RoleKey {
  caller: Caller;
  code: string;
}

/** Maximum number of roles that a business makes. */
const MOST_ROLES = 100;

/** Makes a role. Refuses a taken id, a role above the limit, and permissions that the caller does not hold. */
export async function createRole(em: EntityManager, input: NewRole, systemNow: Date): Promise<Role> {
  const { accountId, held } = await lockPeople(em, input.caller);
  const permissions = inOrder(input.permissions);
  refuseBeyond(permissions, held, 'permissions');
  const code = input.code ?? `role_${randomBytes(8).toString('hex')}`;
  if (builtInRoles.has(code) || (await em.count(Role, { accountId, code })) > 0)
    throw new Refusal('already_taken', `Id is taken: ${code}`, 'id');
  if ((await em.count(Role, { accountId })) >= MOST_ROLES)
    throw new Refusal('limit_exceeded', `An account has at most ${MOST_ROLES} roles: delete one first`);
  const { name } = input;
  return em.create(Role, { accountId, code, name, permissions, createdAt: systemNow, updatedAt: systemNow });
}

/**
 * Changes a role, for its members, their keys and tokens at once. Refuses a built-in one, and to add permissions that the caller does not hold.
 * Throws Missing.
 */
export async function updateRole(
  em: EntityManager,
  change: RoleKey & { fields: { name?: string | undefined; permissions?: readonly Permission[] | undefined } },
  systemNow: Date,
): Promise<Role> {
  const { accountId, held } = await lockPeople(em, change.caller);
  const role = await findOwn(em, { accountId, code: change.code }, 'changed');
  const { name = role.name, permissions = role.permissions } = change.fields;
  refuseBeyond(inOrder(permissions), [...held, ...role.permissions], 'permissions');
  return em.assign(role, { name, permissions: inOrder(permissions), updatedAt: systemNow });
}

/** Deletes a role. Refuses a built-in one, and one that a member has who is active or invited. Throws Missing. */
export async function deleteRole(em: EntityManager, { caller, code }: RoleKey): Promise<Role> {
  const { accountId } = await lockPeople(em, caller);
  const role = await findOwn(em, { accountId, code }, 'deleted');
  const holder = await em.findOne(Member, { accountId, role: code, status: { $ne: 'deactivated' } });
  if (holder) throw new Refusal('in_use', `Member ${holder.email} has the role ${code}: give it another one first`);
  em.remove(role);
  return role;
}

async function findOwn(
  em: EntityManager,
  { accountId, code }: { accountId: number; code: string },
  what: string,
): Promise<Role> {
  if (builtInRoles.has(code)) throw new Refusal('state_conflict', `The role ${code} is built in and cannot be ${what}`);
  const role = await em.findOne(Role, { accountId, code });
  if (!role) throw new Missing('Role', code);
  return role;
}
