import { checkLateFeeRate } from '../../billing/collection/lateFee.ts';
import { compare } from '../../billing/money/money.ts';
import { Refusal } from '../../billing/refusal.ts';
import { lockCountOf } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import { LateFeeSchedule } from '../../db/schema/lateFee.ts';
import type { Caller } from '../kernel/caller.ts';
import { assignChanges } from '../kernel/changes.ts';
import { Missing } from '../kernel/missing.ts';

interface Terms {
  name: string;
  gracePeriodDays: number;
  amount: string;
  isPercent: boolean;
  recurringDays: number;
  cap: string | null;
  isDefault: boolean;
}

export interface NewLateFeeSchedule {
  caller: Caller;
  terms: Terms;
}

export interface LateFeeScheduleKey {
  caller: Caller;
  id: number;
}

export interface LateFeeScheduleChange extends LateFeeScheduleKey {
  terms: { [Name in keyof Terms]: Terms[Name] | undefined };
}

/**
 * Creates a late fee schedule. Its amounts stay in the account's currency of that time. Refuses a second default, and a rate that
 * `checkLateFeeRate` refuses.
 */
export async function createLateFeeSchedule(
  em: EntityManager,
  { caller, terms }: NewLateFeeSchedule,
  systemNow: Date,
): Promise<LateFeeSchedule> {
  const { id: accountId, currency } = caller.account;
  const rate = checkLateFeeRate({ ...terms, currency });
  if (terms.isDefault) await refuseSecondDefault(em, accountId, null);
  const times = { createdAt: systemNow, updatedAt: systemNow };
  return em.create(LateFeeSchedule, { ...terms, ...rate, ...times, accountId });
}

/** Changes a schedule for fees that accrue later. Refuses what `createLateFeeSchedule` refuses. Throws Missing. */
export async function updateLateFeeSchedule(
  em: EntityManager,
  { terms, ...key }: LateFeeScheduleChange,
  systemNow: Date,
): Promise<LateFeeSchedule> {
  const schedule = await findLateFeeSchedule(em, key);
  if (terms.isDefault && !schedule.isDefault) await refuseSecondDefault(em, schedule.accountId, schedule.id);
  const { amount, isPercent, cap, ...others } = terms;
  const asked = {
    amount: isOther(amount, schedule.amount) ? amount : undefined,
    isPercent: isPercent === schedule.isPercent ? undefined : isPercent,
    cap: isOther(cap, schedule.cap ?? null) ? cap : undefined,
  };
  const rate = Object.values(asked).some((value) => value !== undefined)
    ? checkLateFeeRate({ ...rateAfter(schedule, asked), currency: schedule.currency })
    : {};
  if (assignChanges(schedule, { ...others, ...rate })) schedule.updatedAt = systemNow;
  return schedule;
}

type AskedRate = Pick<LateFeeScheduleChange['terms'], 'amount' | 'isPercent' | 'cap'>;

function rateAfter(schedule: LateFeeSchedule, { amount, isPercent, cap }: AskedRate) {
  return {
    amount: amount ?? schedule.amount,
    isPercent: isPercent ?? schedule.isPercent,
    cap: cap === undefined ? (schedule.cap ?? null) : cap,
  };
}

/** Whether a requested number differs from the stored one. */
function isOther(asked: string | null | undefined, stored: string | null): boolean {
  if (asked === undefined || asked === null || stored === null) return asked !== undefined && asked !== stored;
  return compare(asked, stored) !== 0;
}

/** Deletes a schedule; fees that have accrued stay. Throws Missing. */
export async function deleteLateFeeSchedule(em: EntityManager, key: LateFeeScheduleKey): Promise<void> {
  em.remove(await findLateFeeSchedule(em, key));
}

async function findLateFeeSchedule(em: EntityManager, { caller, id }: LateFeeScheduleKey): Promise<LateFeeSchedule> {
  const schedule = await em.findOne(LateFeeSchedule, { accountId: caller.account.id, id });
  if (!schedule) throw new Missing('Late fee schedule', id);
  return schedule;
}

/** Refuses a default schedule beside another one. Requests that set one wait for each other. */
async function refuseSecondDefault(em: EntityManager, accountId: number, id: number | null): Promise<void> {
  await lockCountOf(em, 'late_fee_schedule', accountId);
  const other = await em.findOne(LateFeeSchedule, { accountId, isDefault: true });
  if (other && other.id !== id)
    throw new Refusal('state_conflict', `Late fee schedule ${other.id} is the default: change it first`, 'default');
}
