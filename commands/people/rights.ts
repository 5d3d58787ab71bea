import { beyond, type Permission } from '../../billing/people/permissions.ts';
import { PermissionMissing } from '../../billing/refusal.ts';
import { lockCountOf } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import { rightsOf } from '../../db/queries/accounts/roles.ts';
import { liveIdOf } from '../../db/schema/account.ts';
import { Member } from '../../db/schema/member.ts';
import type { Caller } from '../kernel/caller.ts';

/** The people of a business, locked against other changes of members and roles. */
export interface LockedPeople {
  /** Id of the live account. */
  accountId: number;
  /** What the caller may do now, and therefore grant. */
  held: readonly Permission[];
}

/**
 * Waits for other changes of members and roles, and reads what the caller may still do after them. Refuses a caller who may no longer change
 * people.
 */
export async function lockPeople(em: EntityManager, caller: Caller): Promise<LockedPeople> {
  const accountId = liveIdOf(caller.account);
  await lockCountOf(em, 'member', accountId);
  const { member, permissions } = caller;
  if (member === null) return { accountId, held: permissions };
  const now = await em.findOne(Member, { accountId, id: member.id, status: 'active' });
  const rights = now ? await rightsOf(em, now) : [];
  const held = permissions.filter((one) => rights.includes(one));
  if (!held.includes('people.write')) throw new PermissionMissing('You no longer hold the permission people.write');
  return { accountId, held };
}

/** Refuses to grant permissions that the caller does not hold. */
export function refuseBeyond(wanted: readonly Permission[], held: readonly Permission[], param: string): void {
  const more = beyond(wanted, held);
  if (more.length === 0) return;
  throw new PermissionMissing(`Nobody grants more than they hold. You do not hold ${more.join(', ')}`, param);
}
