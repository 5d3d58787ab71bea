import { isForCurrency } from '../money/rate.ts';
import { Refusal } from '../refusal.ts';

/** Input of the coupon rules. Times are epoch milliseconds. */
export interface CouponTerms {
  /** The id that clients see. */
  code: string;
  currency: string | null;
  exclusive: boolean;
  expiresAt: number | null;
}

/** Refuses a coupon that has expired, or whose currency differs from that of the object it is attached to. */
export function checkAttachable(coupon: CouponTerms, to: { currency: string; now: number; param: string }): void {
  const { code, currency, expiresAt } = coupon;
  if (!isForCurrency(coupon, to.currency)) {
    throw new Refusal('currency_mismatch', `Coupon ${code} is for ${currency}, not ${to.currency}`, to.param);
  }
  if (expiresAt !== null && expiresAt < to.now) {
    const day = new Date(expiresAt).toISOString().slice(0, 10);
    throw new Refusal('state_conflict', `Coupon ${code} expired on ${day}`, to.param);
  }
}

/** Refuses an exclusive coupon together with other coupons. `params[i]` is the request field of `coupons[i]`. */
export function checkExclusive(
  coupons: readonly Pick<CouponTerms, 'code' | 'exclusive'>[],
  params: readonly string[],
): void {
  const alone = coupons.find(({ exclusive }) => exclusive);
  if (!alone) return;
  const index = coupons.findLastIndex(({ code }) => code !== alone.code);
  if (index < 0) return;
  throw new Refusal(
    'parameter_invalid',
    `Coupon ${alone.code} cannot be used together with others`,
    params[index] ?? params.at(-1),
  );
}
