import { builtInRoles } from '../../billing/people/permissions.ts';
import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { Member, Role } from '../../db/schema/member.ts';
import { orNull, type Presented, unix, unixOrNull } from '../kernel/values.ts';

export function presentMember(member: Plain<Member>): Presented {
  const { status, invitationEndsAt } = member;
  return {
    id: member.id,
    object: 'member',
    email: member.email,
    name: orNull(member.name),
    role: member.role,
    owner_limited: member.isLimited,
    status,
    invitation_ends_at: status === 'invited' ? unixOrNull(invitationEndsAt) : null,
    invited_by: orNull(member.invitedById),
    last_seen_at: unixOrNull(member.lastSeenAt),
    created_at: unix(member.createdAt),
    updated_at: unix(member.updatedAt),
  };
}

export function presentRole(role: Plain<Role>): Presented {
  return {
    id: role.code,
    object: 'role',
    name: role.name,
    permissions: role.permissions,
    built_in: builtInRoles.has(role.code),
    created_at: unix(role.createdAt),
    updated_at: unix(role.updatedAt),
  };
}
