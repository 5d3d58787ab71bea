import type { Interval } from './calendar.ts';
import type { CouponSnapshot, OpenDiscount, OpenDocument, OpenTax, TaxRateSnapshot } from './document.ts';
import { totalsOf } from './document.ts';
import { checkAmount } from './limits.ts';
import { type Money, proportion, subtract } from './money.ts';
import { monthlyFactor } from './periods.ts';

/** A coupon of a subscription, as it was when it was attached. */
export interface SubscriptionDiscount {
  coupon: CouponSnapshot;
  /** Bills that it is still taken off; null: all. */
  cyclesLeft: number | null;
}

/** A tax rate of a subscription, as it was when it was chosen. */
export interface SubscriptionTax {
  /** Tells rates apart that had the same id one after another. */
  rateKey: number;
  taxRate: TaxRateSnapshot;
}

/** A coupon that is attached now. */
export function newDiscount(coupon: CouponSnapshot, duration: number): SubscriptionDiscount {
  return { coupon, cyclesLeft: duration === 0 ? null : duration };
}

/** The discounts that the next bill has, once one has been made. */
export function discountsAfterBill(discounts: readonly SubscriptionDiscount[]): SubscriptionDiscount[] {
  return discounts
    .map(({ coupon, cyclesLeft }) => ({ coupon, cyclesLeft: cyclesLeft === null ? null : cyclesLeft - 1 }))
    .filter(({ cyclesLeft }) => cyclesLeft !== 0);
}

/** Discounts that were chosen before bills were made: those that were there by then are as the bills left them. */
export function discountsChosen(
  chosen: readonly SubscriptionDiscount[],
  { before, after }: { before: readonly SubscriptionDiscount[]; after: readonly SubscriptionDiscount[] },
): SubscriptionDiscount[] {
  return chosen.flatMap((discount) =>
    before.includes(discount) ? after.filter(({ coupon }) => coupon.id === discount.coupon.id) : [discount],
  );
}

/** As the next bill has them. */
export function openDiscounts(discounts: readonly SubscriptionDiscount[]): OpenDiscount[] {
  return discounts.map(({ coupon }) => ({ id: null, fixed: null, coupon, expiresAt: null }));
}

export function openTaxes(taxes: readonly SubscriptionTax[]): OpenTax[] {
  return taxes.map(({ rateKey, taxRate }) => ({ id: null, fixed: null, taxRate, rateKey }));
}

export interface RecurringBill extends Omit<OpenDocument, 'discounts'> {
  discounts: readonly SubscriptionDiscount[];
  interval: Interval;
  intervalCount: number;
}

/**
 * What each period costs, with taxes, and what it brings in a month (a twelfth of a year), without them. A coupon that is taken off a
 * single bill does not recur. Refuses what would bring more in a month than an amount may be.
 */
export function recurring({ interval, intervalCount, ...bill }: RecurringBill): { total: Money; mrr: Money } {
  const discounts = openDiscounts(bill.discounts.filter(({ coupon }) => coupon.duration !== 1));
  const { subtotal, discountTotal, total } = totalsOf({ ...bill, discounts });
  const factor = monthlyFactor(interval, intervalCount);
  const mrr = proportion(subtract(subtotal, discountTotal), factor, bill.currency);
  checkAmount(mrr, 'quantity');
  return { total, mrr };
}
