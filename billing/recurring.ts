import type { Interval } from './calendar.ts';
import type { CouponSnapshot, OpenDiscount, OpenDocument, OpenTax, TaxRateSnapshot } from './document.ts';
import { totalsOf } from './document.ts';
import { checkAmount } from './limits.ts';
import { type Money, proportion, subtract } from './money.ts';
import { monthlyFactor } from './periods.ts';

/** A coupon of a subscription, copied when it was attached. */
export interface SubscriptionDiscount {
  coupon: CouponSnapshot;
  /** Number of further bills that it is taken off; null: all. */
  cyclesLeft: number | null;
}

/** A tax rate of a subscription, copied when it was chosen. */
export interface SubscriptionTax {
  /** Distinguishes rates that used the same id one after another. */
  rateKey: number;
  taxRate: TaxRateSnapshot;
}

/** A coupon to be attached. `duration`: number of bills that it is taken off; 0: all. */
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
 * Updates discounts that were chosen before bills were made. One that the subscription already had (in `before`) becomes what the bills
 * left of it (in `after`). A new one stays as it is.
 */
export function discountsChosen(
  chosen: readonly SubscriptionDiscount[],
  { before, after }: { before: readonly SubscriptionDiscount[]; after: readonly SubscriptionDiscount[] },
): SubscriptionDiscount[] {
  return chosen.flatMap((discount) =>
    before.includes(discount) ? after.filter(({ coupon }) => coupon.id === discount.coupon.id) : [discount],
  );
}

/** The discounts as open discounts of the next bill. */
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
 * The cost of each period with taxes (`total`), and its revenue per month (a twelfth of a year) without taxes (`mrr`). A coupon that is
 * taken off a single bill is left out. Refuses an mrr that is too large for an amount.
 */
export function recurring({ interval, intervalCount, ...bill }: RecurringBill): { total: Money; mrr: Money } {
  const discounts = openDiscounts(bill.discounts.filter(({ coupon }) => coupon.duration !== 1));
  const { subtotal, discountTotal, total } = totalsOf({ ...bill, discounts });
  const factor = monthlyFactor(interval, intervalCount);
  const mrr = proportion(subtract(subtotal, discountTotal), factor, bill.currency);
  checkAmount(mrr, 'quantity');
  return { total, mrr };
}
