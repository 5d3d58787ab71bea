import type { Product } from './product.ts';
import type { Sold } from './subscriptionOracleState.ts';
import type { Addon, Coupon, Item, LineRules, Plan, Pricing, TaxRate } from './subscriptionOracleTerms.ts';

/** Sells the subscriptions of `subscriptionSpace.ts` in an account. */
export interface Shop {
  /** The body that creates a subscription. Creates what it names, each once. `startAt`: UNIX seconds; null: now. */
  bodyFor(sold: Sold, to: { customer: number; startAt: number | null }): Promise<object>;
}

export function openShop(product: Pick<Product, 'call'>): Shop {
  const catalog = catalogOf(product);
  return {
    async bodyFor(sold, { customer, startAt }) {
      const { currency, plan, quantity = '1', amount, addons = [], discounts = [], taxes = [] } = sold;
      const sent: object[] = [];
      for (const addon of addons) sent.push(await addonOf(catalog, addon, currency));
      return {
        customer,
        plan: await catalog.plan(plan, currency),
        quantity: Number(quantity),
        ...(amount === undefined ? {} : { amount: Number(amount) }),
        addons: sent,
        discounts: await oneByOne(discounts, (coupon) => catalog.coupon(coupon, currency)),
        taxes: await oneByOne(taxes, catalog.rate),
        ...termsOf(sold, startAt),
      };
    },
  };
}

type Catalog = ReturnType<typeof catalogOf>;

/** Creates plans, items, coupons and tax rates, each once in a currency. Returns their ids. */
function catalogOf({ call }: Pick<Product, 'call'>) {
  const made = new Set<string>();
  const make = async (path: string, id: string, body: object): Promise<string> => {
    if (!made.has(`${path} ${id}`)) await call('POST', path, { id, name: id, ...body });
    made.add(`${path} ${id}`);
    return id;
  };
  const rate = ({ id, value, inclusive }: TaxRate) => make('/tax_rates', id, { value: Number(value), inclusive });
  const coupon = ({ id, value, isPercent, duration }: Coupon, currency: string) => {
    if (isPercent) return make('/coupons', id, { value: Number(value), duration });
    return make('/coupons', `${id}-${currency}`, { value: Number(value), duration, currency, is_percent: false });
  };
  const rulesOf = async ({ taxable, discountable, taxes }: LineRules) => {
    return { taxable, discountable, taxes: await oneByOne(taxes, rate) };
  };
  const item = async ({ id, unitCost, rules }: Item, currency: string) => {
    const own = rules && (await rulesOf(rules));
    return make('/items', `${id}-${currency}`, { currency, unit_cost: Number(unitCost), ...own });
  };
  const plan = async ({ id, pricing, interval, intervalCount, rules }: Plan, currency: string) => {
    const catalog_item = rules && (await item({ id: `of-${id}`, unitCost: '0', rules }, currency));
    const body = { currency, interval, interval_count: intervalCount, ...priceOf(pricing), catalog_item };
    return make('/plans', `${id}-${currency}`, body);
  };
  return { rate, coupon, item, plan };
}

async function oneByOne<One>(all: readonly One[], each: (one: One) => Promise<string>): Promise<string[]> {
  const ids: string[] = [];
  for (const one of all) ids.push(await each(one));
  return ids;
}

async function addonOf(catalog: Catalog, { product, quantity, amount }: Addon, currency: string): Promise<object> {
  const sold =
    'item' in product
      ? { catalog_item: await catalog.item(product.item, currency) }
      : { plan: await catalog.plan(product.plan, currency) };
  return { ...sold, quantity: Number(quantity), ...(amount === undefined ? {} : { amount: Number(amount) }) };
}

function priceOf(pricing: Pricing): object {
  if (pricing.mode === 'custom') return { pricing_mode: 'custom' };
  if (pricing.mode === 'per_unit') return { pricing_mode: 'per_unit', amount: Number(pricing.unitCost) };
  const tiers = pricing.tiers.map(({ maxQty, unitCost }) => {
    return { ...(maxQty === null ? {} : { max_qty: Number(maxQty) }), unit_cost: Number(unitCost) };
  });
  return { pricing_mode: pricing.mode, tiers };
}

/** Start, trial, time of the bills and contract, as fields of a request. A trial lasts as many days as that of `sold`. */
function termsOf(sold: Sold, startAt: number | null): object {
  const { start, trialEnd, snapDay, billIn = 'advance', billInAdvanceDays = 0 } = sold;
  const { cycles, renewalMode = 'none', renewalCycles } = sold;
  const contract = { cycles, contract_renewal_mode: renewalMode, contract_renewal_cycles: renewalCycles ?? null };
  return {
    ...(startAt === null ? {} : { start_date: startAt }),
    ...(trialEnd === undefined ? {} : { trial_days: Math.round((trialEnd - start) / 86_400_000) }),
    ...(snapDay === undefined ? {} : { snap_to_nth_day: snapDay }),
    bill_in: billIn,
    bill_in_advance_days: billInAdvanceDays,
    ...(cycles === undefined ? {} : contract),
  };
}
