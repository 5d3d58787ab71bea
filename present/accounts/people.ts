import { builtInRoles } from '../../billing/people/permissions.ts';
import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { Member, Role } from '../../db/schema/member.ts';
import type { PersonSession } from '../../db/schema/person.ts';
import { orNull, type Presented, unix, unixOrNull } from '../kernel/values.ts';

/** What everybody who reads customers may know of a member. */
export const presentOwner = ({ id, name, status, createdAt, updatedAt }: Plain<Member>): Presented => ({
  id,
  object: 'owner',
  name: orNull(name),
  active: status !== 'deactivated',
  created_at: unix(createdAt),
  updated_at: unix(updatedAt),
});

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

/** A session, for its person. `device`: the browser as it names itself. `currentId`: the session that asks. */
export function presentSession(
  session: Pick<PersonSession, 'id' | 'ip' | 'createdAt' | 'lastSeenAt' | 'expiresAt'>,
  { device, currentId }: { device: string; currentId: number },
): Presented {
  return {
    id: session.id,
    object: 'session',
    device,
    ip: session.ip,
    current: session.id === currentId,
    last_used_at: unix(session.lastSeenAt),
    expires_at: unix(session.expiresAt),
    created_at: unix(session.createdAt),
  };
}
