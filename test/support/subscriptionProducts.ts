import type { Addon, Coupon, Interval, Item, LineRules, Plan, Pricing, TaxRate } from './subscriptionOracleTerms.ts';

// Products, coupons and tax rates of random subscriptions. A number chooses one.

export const RATES: readonly TaxRate[] = [
  { id: 'vat20', value: '20', inclusive: false },
  { id: 'sales8', value: '8.875', inclusive: false },
  { id: 'vat7in', value: '7', inclusive: true },
  { id: 'vat19in', value: '19', inclusive: true },
];

/** Fixed values have no decimals, so that every currency has them. */
export const COUPONS: readonly Coupon[] = [
  { id: 'tenth', value: '10', isPercent: true, duration: 0 },
  { id: 'third', value: '33.333', isPercent: true, duration: 2 },
  { id: 'half-once', value: '50', isPercent: true, duration: 1 },
  { id: 'free-once', value: '100', isPercent: true, duration: 1 },
  { id: 'seven-off', value: '7', isPercent: false, duration: 0 },
  { id: 'hundred-off', value: '100', isPercent: false, duration: 3 },
];

const PRICINGS: readonly { name: string; pricing: Pricing }[] = [
  { name: 'small', pricing: { mode: 'per_unit', unitCost: '9.99' } },
  { name: 'round', pricing: { mode: 'per_unit', unitCost: '30' } },
  { name: 'fine', pricing: { mode: 'per_unit', unitCost: '0.0333' } },
  { name: 'free', pricing: { mode: 'per_unit', unitCost: '0' } },
  { name: 'large', pricing: { mode: 'per_unit', unitCost: '1234.56' } },
  {
    name: 'tiered',
    pricing: {
      mode: 'tiered',
      tiers: [
        { maxQty: '5', unitCost: '10' },
        { maxQty: '20', unitCost: '7.5' },
        { maxQty: null, unitCost: '4.001' },
      ],
    },
  },
  {
    name: 'volume',
    pricing: {
      mode: 'volume',
      tiers: [
        { maxQty: '10', unitCost: '12.5' },
        { maxQty: null, unitCost: '8.333' },
      ],
    },
  },
  { name: 'custom', pricing: { mode: 'custom' } },
];

export interface Every {
  interval: Interval;
  intervalCount: number;
}

export const EVERY: readonly Every[] = [
  { interval: 'month', intervalCount: 1 },
  { interval: 'year', intervalCount: 1 },
  { interval: 'week', intervalCount: 1 },
  { interval: 'month', intervalCount: 3 },
  { interval: 'week', intervalCount: 2 },
  { interval: 'day', intervalCount: 10 },
  { interval: 'day', intervalCount: 1 },
];

/** Rules that differ from the default: untaxed, undiscounted, or with a rate of its own. */
const RULES: readonly (LineRules | undefined)[] = [
  undefined,
  undefined,
  { taxable: false, discountable: true, taxes: [] },
  { taxable: true, discountable: false, taxes: [] },
  { taxable: true, discountable: true, taxes: RATES.slice(1, 2) },
];

/** A member of a list. */
export function chosen<Value>(all: readonly Value[], by: number): Value {
  const [one] = all.slice(by % all.length);
  if (all.length === 0) throw new Error('there is nothing to choose');
  return one as Value;
}

export function planBy(by: number, every: Every): Plan {
  const { name, pricing } = chosen(PRICINGS, by);
  const rules = chosen(RULES, by >> 3);
  const id = `${name}-${RULES.indexOf(rules)}-${every.intervalCount}-${every.interval}`;
  return { id, ...every, pricing, ...(rules && { rules }) };
}

const isCustom = (plan: Plan) => plan.pricing.mode === 'custom';

/** The price of a custom plan, if it needs one. */
export function amountFor(plan: Plan, by: number): { amount?: string } {
  return isCustom(plan) ? { amount: chosen(['25', '99.9', '0'], by) } : {};
}

export function itemBy(by: number): Item {
  const rules = chosen(RULES, by >> 2);
  const unitCost = chosen(['5', '0.99', '12.345'], by);
  return { id: `item-${unitCost.replace('.', '-')}-${RULES.indexOf(rules)}`, unitCost, ...(rules && { rules }) };
}

export function addonBy(id: string, by: number, every: Every): Addon {
  const quantity = `${1 + (by % 7)}`;
  if (by % 2 === 0) return { id, product: { item: itemBy(by >> 1) }, quantity };
  const plan = planBy(by >> 1, every);
  return { id, product: { plan }, quantity, ...amountFor(plan, by) };
}

/** At most two members of a list. */
export function someOf<Value>(all: readonly Value[], by: number): Value[] {
  const first = by % (all.length + 2);
  const second = Math.floor(by / (all.length + 2)) % (2 * all.length);
  return all.filter((_, index) => index === first || index === second);
}
