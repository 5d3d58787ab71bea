import type { CouponSnapshot } from '../../billing/document.ts';
import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { Coupon } from '../../db/schema/coupon.ts';
import { number, orNull, unix, unixOrNull } from '../kernel/values.ts';

/** A coupon. Documents store this object as a snapshot when the coupon is attached. */
export function presentCoupon(coupon: Plain<Coupon>): CouponSnapshot {
  return {
    id: coupon.code,
    object: 'coupon',
    name: coupon.name,
    currency: orNull(coupon.currency),
    value: number(coupon.value),
    is_percent: coupon.isPercent,
    exclusive: coupon.exclusive,
    expiration_date: unixOrNull(coupon.expiresAt),
    max_redemptions: coupon.maxRedemptions,
    duration: coupon.duration,
    created_at: unix(coupon.createdAt),
    updated_at: unix(coupon.updatedAt),
    metadata: coupon.metadata,
  };
}
