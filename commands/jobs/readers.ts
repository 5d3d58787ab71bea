import type { ReportName } from '../../billing/reports/report.ts';
import type { EntityManager } from '../../db/orm.ts';
import { rightsOf } from '../../db/queries/accounts/roles.ts';
import { type Account, liveIdOf } from '../../db/schema/account.ts';
import { ApiKey } from '../../db/schema/apiKey.ts';
import { Member } from '../../db/schema/member.ts';
import { reports } from '../reports/reports.ts';

/** Somebody who may read a report: `ownerId`: the member if it sees only its own customers, else null. */
interface Reader {
  ownerId: number | null;
  /** Null: a key of the account. */
  member: Pick<Member, 'id' | 'name' | 'email'> | null;
}

/** Who asks for a report. Null: no member; no key. */
export interface Asker {
  memberId: number | null;
  keyId: number | null;
}

/** Whether somebody may read a report now; if not, the reason in words. */
export async function readerOf(
  em: EntityManager,
  account: Account,
  { report, memberId, keyId }: Asker & { report: ReportName },
  systemNow: Date,
): Promise<Reader | { reason: string }> {
  if (keyId !== null) {
    const key = await em.findOne(ApiKey, { accountId: account.id, id: keyId });
    if (!key || key.revokedAt) return { reason: 'the API key was revoked' };
    if (key.expiresAt && key.expiresAt <= systemNow) return { reason: 'the API key has expired' };
  }
  if (memberId === null) return { ownerId: null, member: null };
  const member = await em.findOne(Member, { accountId: liveIdOf(account), id: memberId });
  if (!member) return { reason: 'it was not found' };
  if (member.status !== 'active') return { reason: `the member is ${member.status}` };
  const held = await rightsOf(em, member);
  if (!held.includes('reports.read')) return { reason: 'the member does not hold the permission reports.read' };
  if (!member.isLimited) return { ownerId: null, member };
  if (!reports[report].isByCustomer)
    return { reason: 'the report concerns all customers, and the member sees only its own' };
  return { ownerId: member.id, member };
}
