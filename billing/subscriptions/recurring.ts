import {
  type CouponSnapshot,
  type OpenDiscount,
  type OpenDocument,
  type OpenTax,
  type TaxRateSnapshot,
  totalsOf,
} from '../documents/document.ts';
import { checkAmount } from '../limits.ts';
import { type Money, proportion, subtract } from '../money/money.ts';
import type { Interval } from '../time/calendar.ts';
import { monthlyFactor } from '../time/periods.ts';

/** A coupon of a subscription, copied when it was attached. */
export interface SubscriptionDiscount {
  coupon: CouponSnapshot;
  /** Number of further bills of whole periods that it applies to; null: all. */
  cyclesLeft: number | null;
}

/** A tax rate of a subscription, copied when it was chosen. */
export interface SubscriptionTax {
  /** Distinguishes rates that used the same id one after another. */
  rateKey: number;
  taxRate: TaxRateSnapshot;
}

/** A coupon to be attached. `duration`: number of bills that it applies to; 0: all. */
export function newDiscount(coupon: CouponSnapshot, duration: number): SubscriptionDiscount {
  return { coupon, cyclesLeft: duration === 0 ? null : duration };
}

/** The discounts of the next bill, after one bill is made. */
export function discountsAfterBill(discounts: readonly SubscriptionDiscount[]): SubscriptionDiscount[] {
  return discounts
    .map(({ coupon, cyclesLeft }) => ({ coupon, cyclesLeft: cyclesLeft === null ? null : cyclesLeft - 1 }))
    .filter(({ cyclesLeft }) => cyclesLeft !== 0);
}

/**
 * Updates discounts that were chosen before due bills were made. A discount that the subscription already had (in `before`) is replaced by
 * its state after the bills (in `after`), or dropped if it has ended. A new discount is kept.
 */
export function discountsChosen(
  chosen: readonly SubscriptionDiscount[],
  { before, after }: { before: readonly SubscriptionDiscount[]; after: readonly SubscriptionDiscount[] },
): SubscriptionDiscount[] {
  return chosen.flatMap((discount) =>
    before.includes(discount) ? after.filter(({ coupon }) => coupon.id === discount.coupon.id) : [discount],
  );
}

/** The discounts of the next bill. */
export function openDiscounts(discounts: readonly SubscriptionDiscount[]): OpenDiscount[] {
  return discounts.map(({ coupon }) => ({ id: null, fixed: null, coupon, expiresAt: null }));
}

/** The taxes of the next bill. */
export function openTaxes(taxes: readonly SubscriptionTax[]): OpenTax[] {
  return taxes.map(({ rateKey, taxRate }) => ({ id: null, fixed: null, taxRate, rateKey }));
}

export interface RecurringBill extends Omit<OpenDocument, 'discounts'> {
  discounts: readonly SubscriptionDiscount[];
  interval: Interval;
  intervalCount: number;
}

/**
 * `total`: the cost of each period, taxes included, without coupons for one bill only. `mrr`: its revenue per month, without taxes, less only
 * the coupons without an end. Refuses an MRR that is too large for an amount.
 */
export function recurring({ interval, intervalCount, ...bill }: RecurringBill): { total: Money; mrr: Money } {
  const sumsLess = (counts: (coupon: CouponSnapshot) => boolean) =>
    totalsOf({ ...bill, discounts: openDiscounts(bill.discounts.filter(({ coupon }) => counts(coupon))) });
  const { total } = sumsLess(({ duration }) => duration !== 1);
  const { subtotal, discountTotal } = sumsLess(({ duration }) => duration === 0);
  const factor = monthlyFactor(interval, intervalCount);
  const mrr = proportion(subtract(subtotal, discountTotal), factor, bill.currency);
  checkAmount(mrr, 'quantity');
  return { total, mrr };
}
