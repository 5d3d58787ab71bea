import { ADMINISTRATOR, type Permission } from '../../billing/people/permissions.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { EntityManager } from '../../db/orm.ts';
import { findRole, rightsOf } from '../../db/queries/accounts/roles.ts';
import { Member, type MemberStatus } from '../../db/schema/member.ts';
import type { Caller } from '../kernel/caller.ts';
import { Missing } from '../kernel/missing.ts';
import { type LockedPeople, lockPeople, refuseBeyond } from './rights.ts';

export interface MemberKey {
  caller: Caller;
  id: number;
}

export interface MemberChange extends MemberKey {
  fields: {
    name?: string | null | undefined;
    /** Code of a role. */
    role?: string | undefined;
    isLimited?: boolean | undefined;
    status?: MemberStatus | undefined;
  };
}

/**
 * Changes a member. Refuses an unknown role, permissions that the caller does not hold and the member did not have, to activate somebody who
 * has not accepted an invitation or more members than there may be, and to leave the business without an active administrator. Throws Missing.
 */
export async function changeMember(em: EntityManager, change: MemberChange, systemNow: Date): Promise<Member> {
  const people = await lockPeople(em, change.caller);
  const member = await findMemberIn(em, people, change.id);
  const before = member.status === 'deactivated' ? [] : await rightsOf(em, member);
  const wasKeeper = isKeeper(member);
  const { name, role = member.role, isLimited = member.isLimited } = change.fields;
  const status = newStatus(member, change.fields.status);
  const isOver = status === 'deactivated';
  if (member.status === 'deactivated' && !isOver) await refuseMore(em, people.accountId);
  em.assign(member, { name: name === undefined ? (member.name ?? null) : name, role, isLimited, status });
  if (isOver) em.assign(member, { invitationHash: null, invitationEndsAt: null });
  const rights = isOver ? [] : await grantedTo(em, member);
  refuseBeyond(rights, [...people.held, ...before], 'role');
  if (wasKeeper && !isKeeper(member)) await refuseLast(em, member);
  member.updatedAt = systemNow;
  return member;
}

/** Deactivates a member. Its keys and tokens no longer work. Refuses the last active administrator. Throws Missing. */
export function deactivateMember(em: EntityManager, key: MemberKey, systemNow: Date): Promise<Member> {
  return changeMember(em, { ...key, fields: { status: 'deactivated' } }, systemNow);
}

/** Maximum number of members of a business that are not deactivated. */
const MOST_MEMBERS = 1000;

/** Refuses a further member of a business that has as many as it may. */
export async function refuseMore(em: EntityManager, accountId: number): Promise<void> {
  const count = await em.count(Member, { accountId, status: { $ne: 'deactivated' } });
  if (count >= MOST_MEMBERS)
    throw new Refusal('limit_exceeded', `An account has at most ${MOST_MEMBERS} members: deactivate one first`);
}

/** The member with this id. Throws Missing. */
export async function findMemberIn(
  em: EntityManager,
  { accountId }: Pick<LockedPeople, 'accountId'>,
  id: number,
): Promise<Member> {
  const member = await em.findOne(Member, { accountId, id });
  if (!member) throw new Missing('Member', id);
  return member;
}

/** What a role would let a member do. Refuses a role that does not exist. */
export async function grantedTo(
  em: EntityManager,
  member: Pick<Member, 'accountId' | 'role' | 'isLimited'>,
): Promise<readonly Permission[]> {
  const found = await findRole(em, { accountId: member.accountId, code: member.role });
  if (found === null) throw new Refusal('resource_missing', `Role was not found: ${member.role}`, 'role');
  return rightsOf(em, member);
}

function newStatus({ status, person }: Member, wanted: MemberStatus | undefined): MemberStatus {
  if (wanted === undefined || wanted === status) return status;
  if (wanted === 'deactivated') return wanted;
  if (wanted === 'invited') throw new Refusal('state_conflict', 'Nobody is invited by a change of status', 'status');
  if (status === 'invited')
    throw new Refusal('state_conflict', 'A member becomes active when it accepts its invitation', 'status');
  if (!person)
    throw new Refusal('state_conflict', 'This member has never accepted an invitation: invite it again', 'status');
  return wanted;
}

/** Whether a member is one of the administrators without whom nobody could manage the business. */
const isKeeper = ({ role, isLimited, status }: Member) => role === ADMINISTRATOR && !isLimited && status === 'active';

async function refuseLast(em: EntityManager, { accountId, id }: Member): Promise<void> {
  const others = { accountId, id: { $ne: id }, role: ADMINISTRATOR, isLimited: false, status: 'active' as const };
  if ((await em.count(Member, others)) > 0) return;
  throw new Refusal('state_conflict', 'The last active administrator stays: make somebody else an administrator first');
}
