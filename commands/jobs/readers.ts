import { keyPermissions, type Permission } from '../../billing/people/permissions.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { ReportName } from '../../billing/reports/report.ts';
import type { EntityManager } from '../../db/orm.ts';
import { rightsOf } from '../../db/queries/accounts/roles.ts';
import { Account, liveIdOf } from '../../db/schema/account.ts';
import { ApiKey } from '../../db/schema/apiKey.ts';
import type { BulkInput, JobInput } from '../../db/schema/job.ts';
import { Member } from '../../db/schema/member.ts';
import { API_USER, type Caller } from '../kernel/caller.ts';
import { reports } from '../reports/reports.ts';

/** Somebody who may read a report: `ownerId`: the member if it sees only its own customers, else null. */
interface Reader {
  ownerId: number | null;
  /** Null: a key of the account. */
  member: Pick<Member, 'id' | 'name' | 'email' | 'role' | 'isLimited'> | null;
}

/** Who asks for a report. Null: no member; no key. */
export interface Asker {
  memberId: number | null;
  keyId: number | null;
}

export const SEES_OTHERS = 'the member sees other customers than when the work began';

/** Whether somebody holds a permission now; if not, the reason in words. */
async function holderOf(
  em: EntityManager,
  account: Account,
  { permission, memberId, keyId }: Asker & { permission: Permission },
  systemNow: Date,
): Promise<(Reader & { permissions: readonly Permission[] }) | { reason: string }> {
  if (keyId !== null) {
    const key = await em.findOne(ApiKey, { accountId: account.id, id: keyId });
    if (!key || key.revokedAt) return { reason: 'the API key was revoked' };
    if (key.expiresAt && key.expiresAt <= systemNow) return { reason: 'the API key has expired' };
  }
  if (memberId === null) return { ownerId: null, member: null, permissions: keyPermissions };
  const member = await em.findOne(Member, { accountId: liveIdOf(account), id: memberId });
  if (!member) return { reason: 'it was not found' };
  if (member.status !== 'active') return { reason: `the member is ${member.status}` };
  const held = await rightsOf(em, member);
  if (!held.includes(permission)) return { reason: `the member does not hold the permission ${permission}` };
  return { ownerId: member.isLimited ? member.id : null, member, permissions: held };
}

/** Whether somebody may still do what a job was asked for; if not, the reason in words. */
export async function askerOf(
  em: EntityManager,
  account: Account,
  { input, ...asker }: Asker & { input: JobInput },
  systemNow: Date,
): Promise<Pick<Reader, 'ownerId'> | { reason: string }> {
  if ('report' in input) return readerOf(em, account, { ...asker, report: input.report }, systemNow);
  return holderOf(em, account, { ...asker, permission: input.permission }, systemNow);
}

/** Who asked for an act on behalf of an account. `ownerId`: as the work began. */
export interface Acting extends Asker, Pick<BulkInput, 'permission' | 'credential'> {
  accountId: number;
  ownerId: number | null;
}

/** Who asked for an act, as a caller with the rights of now. Refuses one who may not do it any more. */
export async function actingCaller(
  em: EntityManager,
  { accountId, ownerId, credential, ...asker }: Acting,
  systemNow: Date,
): Promise<Caller> {
  const account = await em.findOneOrFail(Account, accountId);
  const found = await holderOf(em, account, asker, systemNow);
  if ('reason' in found) throw new Refusal('permission_missing', found.reason);
  if (found.ownerId !== ownerId) throw new Refusal('permission_missing', SEES_OTHERS);
  const { member, permissions } = found;
  const userId = credential?.kind === 'member' && member ? member.id : API_USER;
  return { account, userId, credential, member, permissions };
}

/** Whether somebody may read a report now; if not, the reason in words. */
export async function readerOf(
  em: EntityManager,
  account: Account,
  { report, memberId, keyId }: Asker & { report: ReportName },
  systemNow: Date,
): Promise<Reader | { reason: string }> {
  const found = await holderOf(em, account, { permission: 'reports.read', memberId, keyId }, systemNow);
  if ('reason' in found) return found;
  const { ownerId, member } = found;
  if (ownerId !== null && !reports[report].isByCustomer)
    return { reason: 'the report concerns all customers, and the member sees only its own' };
  return { ownerId, member };
}
