import { type DigestRun, type DigestSchedule, lastDigest, nextDigest } from '../../billing/collection/digest.ts';
import { setting } from '../../billing/settings.ts';
import type { NextStep } from '../../billing/wait.ts';
import { lockRow } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Account } from '../../db/schema/account.ts';
import { Digest } from '../../db/schema/digest.ts';
import { accountMoment, type Caller, type Moment } from '../kernel/caller.ts';
import { type Planned, setWakeups, wakeupsOf } from '../kernel/waking.ts';

/** When an account gets its digest; null: nobody gets one. */
function digestScheduleOf(account: Account): DigestSchedule | null {
  if (!setting(account, 'alert_digest') || setting(account, 'alert_recipients').length === 0) return null;
  return { hour: setting(account, 'digest_hour'), zone: account.timeZone };
}

/** The values of an account that decide when its team gets the digest, as text. */
export function digestFactsOf(account: Account): string {
  return JSON.stringify(digestScheduleOf(account));
}

/** Plans the digest of an account whose values have changed. Days that passed before it was switched on are never told. */
export async function planChangedDigest(
  em: EntityManager,
  { account, caller }: { account: Account; caller: Caller },
  systemNow: Date,
): Promise<void> {
  const key = { accountId: account.id, id: account.id };
  const found = await lockRow(em, Digest, key);
  const schedule = digestScheduleOf(account);
  if (!found && !schedule) return;
  const times = { createdAt: systemNow, updatedAt: systemNow };
  const digest = found ?? em.create(Digest, { ...key, lastDay: '1970-01-01', ...times });
  const existing = await wakeupsOf(em, { accountId: account.id, process: 'digest', ids: [account.id] });
  const passed = schedule ? lastDigest(schedule, systemNow.getTime()).day : digest.lastDay;
  if (existing.length === 0 && passed > digest.lastDay) digest.lastDay = passed;
  digest.updatedAt = systemNow;
  await planDigest(em, accountMoment(caller, systemNow), { account, digest, inside: false });
}

/** The due digest of an account, and its next one. */
export function nextDigestOf(account: Account, { lastDay }: Digest, now: Date): NextStep<DigestRun> {
  const schedule = digestScheduleOf(account);
  return schedule ? nextDigest(schedule, lastDay, now.getTime()) : { due: null, waits: [] };
}

/** Replaces the wake-up of the digest. `inside`: its own process calls. */
export async function planDigest(
  em: EntityManager,
  moment: Moment,
  { account, digest, inside }: { account: Account; digest: Digest; inside: boolean },
): Promise<Planned> {
  const { accountId, id } = digest;
  const existing = await wakeupsOf(em, { accountId, process: 'digest', ids: [id] });
  const { waits } = nextDigestOf(account, digest, moment.now);
  const waiter = { process: 'digest' as const, subjectId: id, clockId: null };
  return setWakeups(em, moment, { waiter, waits, existing, inside });
}
