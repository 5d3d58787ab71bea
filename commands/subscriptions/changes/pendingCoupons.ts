import {
  type PendingChange,
  type PendingDiscount,
  redemptionsOfChange,
  redemptionsToGiveBack,
} from '../../../billing/subscriptions/pendingChange.ts';
import type { SubscriptionDiscount } from '../../../billing/subscriptions/recurring.ts';
import type { EntityManager } from '../../../db/orm.ts';
import { giveBackRedemptions } from '../../../db/queries/catalog/couponRedemptions.ts';
import { CouponRedemption } from '../../../db/schema/coupon.ts';
import type { Subscription } from '../../../db/schema/subscription.ts';

/** The ids of a subscription's redemptions, by the code of the coupon. */
export async function redemptionsOf(em: EntityManager, { accountId, id }: Subscription): Promise<Map<string, number>> {
  await em.write();
  const own = { accountId, redeemerType: 'subscription' as const, redeemerId: id };
  const rows = await em.find(CouponRedemption, own, { populate: ['coupon'], orderBy: { id: 'asc' } });
  return new Map(rows.map((row) => [row.coupon.code, row.id]));
}

/**
 * The discounts of a pending change. `had`: codes that the subscription had at the request; `redeemed`: its redemptions before the request.
 * A later one was taken by this change, so that it is given back if the change is dropped.
 */
export async function pendingDiscounts(
  em: EntityManager,
  subscription: Subscription,
  {
    chosen,
    had,
    redeemed,
  }: { chosen: readonly SubscriptionDiscount[]; had: ReadonlySet<string>; redeemed: ReadonlyMap<string, number> },
): Promise<PendingDiscount[]> {
  const before = new Set(redeemed.values());
  const earlier = new Set(redemptionsOfChange(subscription.pendingChange ?? null));
  const now = await redemptionsOf(em, subscription);
  return chosen.map((discount) => {
    const code = discount.coupon.id;
    const id = now.get(code) ?? null;
    const isTaken = id !== null && (!before.has(id) || earlier.has(id));
    return { ...discount, isKept: had.has(code), redemption: isTaken ? id : null };
  });
}

/** Gives back the redemptions that a pending change took, after it was replaced or dropped. Locks limited coupons until the commit. */
export async function giveBackCoupons(
  em: EntityManager,
  { accountId, pendingChange, discounts }: Subscription,
  dropped: PendingChange | null,
): Promise<void> {
  const ids = redemptionsToGiveBack(dropped, { pendingChange: pendingChange ?? null, discounts });
  if (ids.length === 0) return;
  await em.write();
  const condition = `redeemer_type = 'subscription' and id = any(?::int[])`;
  await giveBackRedemptions(em, accountId, { condition, values: [`{${ids.join()}}`] });
}
