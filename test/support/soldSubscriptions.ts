import { newSubscription } from './oracleBodies.ts';
import { itemsOf, plansOf, stockCoupon, stockItem, stockPlan, stockRate } from './oracleCatalog.ts';
import type { Product } from './product.ts';
import type { Sold } from './subscriptionOracleState.ts';
import { COUPONS, RATES } from './subscriptionProducts.ts';

/** Sells the subscriptions of `subscriptionSpace.ts` in an account. */
export interface Shop {
  /** The body that creates a subscription. Creates the products that it names. `startAt`: UNIX seconds; null: now. */
  bodyFor(sold: Sold, to: { customer: number; startAt: number | null }): Promise<object>;
}

export function openShop({ call }: Pick<Product, 'call'>): Shop {
  const stock = { stocked: new Set<string>(), make: (path: string, body: object) => call('POST', path, body) };
  return {
    async bodyFor(sold, { customer, startAt }) {
      for (const rate of RATES) await stockRate(stock, rate);
      for (const coupon of COUPONS) await stockCoupon(stock, coupon, sold.currency);
      for (const plan of plansOf(sold)) await stockPlan(stock, plan, sold.currency);
      for (const item of itemsOf(sold.addons ?? [])) await stockItem(stock, item);
      return { ...newSubscription({ ...sold, paused: false }), ...startOf(sold, startAt), customer };
    },
  };
}

/** The start, and a trial of as many days as that of `sold`, as fields of a request. */
function startOf({ start, trialEnd }: Sold, startAt: number | null): object {
  const trial_days = trialEnd === undefined ? undefined : Math.round((trialEnd - start) / 86_400_000);
  return { start_date: startAt ?? undefined, trial_end: undefined, trial_days };
}
