import { newRate } from '../../billing/money/rate.ts';
import type { EntityManager } from '../../db/orm.ts';
import { Coupon } from '../../db/schema/coupon.ts';
import type { Caller } from '../kernel/caller.ts';
import { assignChanges } from '../kernel/changes.ts';
import { Missing } from '../kernel/missing.ts';
import { takeCode } from './codes.ts';

export interface NewCoupon {
  caller: Caller;
  /** The id that clients see; null: generated. */
  code: string | null;
  fields: Pick<Coupon, 'name' | 'value' | 'isPercent' | 'exclusive' | 'expiresAt' | 'maxRedemptions' | 'duration'> & {
    currency: string | null;
    metadata: Record<string, string>;
  };
}

export interface CouponKey {
  caller: Caller;
  code: string;
}

export interface CouponChange extends CouponKey {
  fields: { name?: string | undefined; metadata?: Record<string, string> | undefined };
}

/** Creates a coupon. Refuses the id of another coupon, and a value that `newRate` refuses. */
export async function createCoupon(em: EntityManager, input: NewCoupon, systemNow: Date): Promise<Coupon> {
  const { account } = input.caller;
  const rate = newRate(input.fields, account.currency);
  const code = await takeCode(em, { kind: 'coupon', accountId: account.id, code: input.code });
  const times = { createdAt: systemNow, updatedAt: systemNow };
  return em.create(Coupon, { ...input.fields, ...rate, ...times, accountId: account.id, code });
}

/** Changes name or metadata. Throws Missing. */
export async function updateCoupon(em: EntityManager, change: CouponChange, systemNow: Date): Promise<Coupon> {
  const coupon = await findCoupon(em, change);
  if (assignChanges(coupon, change.fields)) coupon.updatedAt = systemNow;
  return coupon;
}

/** Archives a coupon. Objects that have it keep it. Its id can be used again. Throws Missing. */
export async function archiveCoupon(em: EntityManager, key: CouponKey, systemNow: Date): Promise<Coupon> {
  const coupon = await findCoupon(em, key);
  return Object.assign(coupon, { archivedAt: systemNow, updatedAt: systemNow });
}

async function findCoupon(em: EntityManager, { caller, code }: CouponKey): Promise<Coupon> {
  const coupon = await em.findOne(Coupon, { accountId: caller.account.id, code, archivedAt: null });
  if (!coupon) throw new Missing('Coupon', code);
  return coupon;
}
