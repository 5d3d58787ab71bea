import type { Answer } from './api.ts';
import type { Addon, Coupon, Item, Plan, TaxRate } from './subscriptionOracleTerms.ts';

// Products of the oracle in an account, each created once.

/** The products that an account has. */
export interface Stock {
  /** Creates an object. */
  make(path: string, body: object): Promise<unknown>;
  /** Paths of the objects that exist. */
  stocked: Set<string>;
}

export const numberOf = (text: string | null | undefined) => (text ? Number(text) : undefined);

/** A plan has a currency, so each currency has its own. `productId` undoes it. */
export const planCode = ({ id }: Plan, currency: string) => `${id}-${currency}`;

/** The oracle's id of what a line of the API bills. */
export function productId({ plan, catalog_item: item }: Answer['body']): string | null {
  return plan === null ? item : plan.replace(/-\w{3}$/, '');
}

export const couponCode = ({ id, isPercent }: Coupon, currency: string) => (isPercent ? id : `${id}-${currency}`);

/** The oracle's id of a coupon of the API. */
export function couponId({ id, is_percent: isPercent }: Answer['body']): string {
  return isPercent ? id : id.replace(/-\w{3}$/, '');
}

/** The plans that a subscription or a change of it names. */
export function plansOf({ plan, addons = [] }: { plan?: Plan; addons?: readonly Addon[] }): Plan[] {
  return [...(plan ? [plan] : []), ...addons.flatMap(({ product }) => ('plan' in product ? [product.plan] : []))];
}

export function itemsOf(addons: readonly Addon[]): Item[] {
  return addons.flatMap(({ product }) => ('item' in product ? [product.item] : []));
}

async function stock(
  { make, stocked }: Stock,
  path: string,
  { id, ...body }: { id: string; [field: string]: unknown },
) {
  if (stocked.has(`${path}/${id}`)) return;
  stocked.add(`${path}/${id}`);
  await make(path, { id, name: id, ...body });
}

export async function stockRate(to: Stock, { id, value, inclusive }: TaxRate): Promise<void> {
  await stock(to, '/tax_rates', { id, value: Number(value), inclusive });
}

export async function stockCoupon(to: Stock, coupon: Coupon, currency: string): Promise<void> {
  const { value, isPercent, duration } = coupon;
  const code = { id: couponCode(coupon, currency), currency: isPercent ? undefined : currency };
  await stock(to, '/coupons', { ...code, value: Number(value), is_percent: isPercent, duration });
}

export async function stockPlan(to: Stock, plan: Plan, currency: string): Promise<void> {
  const { interval, intervalCount, pricing, rules, id } = plan;
  if (rules) await stockItem(to, { id: `of-${id}`, unitCost: '0', rules });
  const tiers = 'tiers' in pricing ? pricing.tiers.map(({ maxQty, unitCost }) => tierOf(maxQty, unitCost)) : undefined;
  const amount = 'unitCost' in pricing ? Number(pricing.unitCost) : undefined;
  const price = { pricing_mode: pricing.mode, tiers, amount, currency };
  const every = { interval, interval_count: intervalCount, catalog_item: rules && `of-${id}` };
  await stock(to, '/plans', { id: planCode(plan, currency), ...price, ...every });
}

const tierOf = (maxQty: string | null, unitCost: string) => ({
  max_qty: numberOf(maxQty),
  unit_cost: Number(unitCost),
});

export async function stockItem(to: Stock, { id, unitCost, rules }: Item): Promise<void> {
  const { taxable, discountable, taxes } = rules ?? { taxable: true, discountable: true, taxes: [] };
  const taxed = { taxable, discountable, taxes: taxes.map((rate) => rate.id) };
  await stock(to, '/items', { id, unit_cost: Number(unitCost), ...taxed });
}
