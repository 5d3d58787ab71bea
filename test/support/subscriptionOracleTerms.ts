import { Rational } from './rational.ts';
import type { Choices } from './subscriptionOracleChoices.ts';

// Plans, add-ons, coupons and tax rates of the oracle of subscriptions. Numbers are decimal text.

export type Interval = 'day' | 'week' | 'month' | 'year';

/** A quantity belongs to the first tier whose `maxQty` it does not exceed. The last tier has no maximum. */
export interface Tier {
  maxQty: string | null;
  unitCost: string;
}

export type Pricing =
  | { mode: 'per_unit'; unitCost: string }
  | { mode: 'volume' | 'tiered'; tiers: readonly Tier[] }
  | { mode: 'custom' };

/** A percentage. */
export interface TaxRate {
  id: string;
  value: string;
  inclusive: boolean;
}

export interface Coupon {
  id: string;
  value: string;
  isPercent: boolean;
  /** Number of billing cycles. 0: forever. */
  duration: number;
}

/** Rules of a catalog item for its lines. */
export interface LineRules {
  taxable: boolean;
  discountable: boolean;
  taxes: readonly TaxRate[];
}

const plainRules: LineRules = { taxable: true, discountable: true, taxes: [] };

export interface Plan {
  id: string;
  interval: Interval;
  intervalCount: number;
  pricing: Pricing;
  /** Rules of the plan's catalog item. */
  rules?: LineRules;
}

export interface Item {
  id: string;
  unitCost: string;
  rules?: LineRules;
}

/** An add-on of a plan or of an item. The id is stable over changes. */
export interface Addon {
  id: string;
  product: { plan: Plan } | { item: Item };
  quantity: string;
  /** The price, if the plan's pricing is custom. */
  amount?: string;
}

export interface Attached {
  coupon: Coupon;
  /** Number of billing cycles that it has discounted. */
  used: number;
}

/** The present content of a subscription. */
export interface Terms {
  plan: Plan;
  quantity: string;
  amount: string | null;
  addons: readonly Addon[];
  coupons: readonly Attached[];
  taxes: readonly TaxRate[];
}

/** The main plan (id `plan`) or an add-on. */
export interface Component {
  id: string;
  product: string;
  pricing: Pricing;
  quantity: string;
  amount: string | null;
  rules: LineRules;
}

export function componentsOf(terms: Terms): Component[] {
  const { plan, quantity, amount } = terms;
  return [ofPlan('plan', plan, { quantity, amount }), ...terms.addons.map(ofAddon)];
}

function ofAddon({ id, product, quantity, amount }: Addon): Component {
  if ('plan' in product) return ofPlan(id, product.plan, { quantity, amount: amount ?? null });
  const { item } = product;
  const pricing = { mode: 'per_unit', unitCost: item.unitCost } as const;
  return { id, product: item.id, pricing, quantity, amount: null, rules: item.rules ?? plainRules };
}

function ofPlan(id: string, plan: Plan, sold: { quantity: string; amount: string | null }): Component {
  const { pricing, rules = plainRules } = plan;
  const isCustom = pricing.mode === 'custom';
  if (isCustom && sold.amount === null) throw new Error(`the custom plan ${plan.id} needs an amount`);
  return { id, product: plan.id, pricing, quantity: sold.quantity, amount: isCustom ? sold.amount : null, rules };
}

export function componentById(terms: Terms, id: string): Component | undefined {
  return componentsOf(terms).find((component) => component.id === id);
}

/** The terms with one component as it is in others, or without it if they lack it. */
export function withComponentOf(terms: Terms, id: string, other: Terms): Terms {
  const { plan, quantity, amount } = other;
  if (id === 'plan') return { ...terms, plan, quantity, amount };
  const rest = terms.addons.filter((addon) => addon.id !== id);
  return { ...terms, addons: [...rest, ...other.addons.filter((addon) => addon.id === id)] };
}

/** Whether two components bill the same. */
export function sameComponent(one: Component | undefined, other: Component | undefined): boolean {
  const shown = (of?: Component) => of && JSON.stringify([of.product, of.quantity, of.amount]);
  return shown(one) === shown(other);
}

/** The quantities and unit costs that a whole period bills. A quantity of zero touches no tier. */
export function pricesOf(component: Component, choices: Choices): { quantity: string; unitCost: string }[] {
  const { pricing, quantity, amount } = component;
  if (pricing.mode === 'per_unit') return [{ quantity, unitCost: pricing.unitCost }];
  if (pricing.mode === 'custom')
    return [{ quantity: choices.customAmount === 'unit' ? quantity : '1', unitCost: amount ?? '0' }];
  const sold = Rational.of(quantity);
  const within = ({ maxQty }: Tier) => maxQty === null || sold.compare(Rational.of(maxQty)) <= 0;
  const reached = pricing.tiers.findIndex(within);
  if (reached < 0) throw new Error(`no tier of ${component.product} has ${quantity}`);
  if (pricing.mode === 'volume') return [{ quantity, unitCost: pricing.tiers[reached]?.unitCost ?? '0' }];
  return pricing.tiers.slice(0, reached + 1).flatMap((tier, index) => {
    const from = Rational.of(pricing.tiers[index - 1]?.maxQty ?? '0');
    const to = index === reached ? sold : Rational.of(tier.maxQty ?? quantity);
    const portion = to.minus(from);
    return portion.sign() > 0 ? [{ quantity: decimalText(portion), unitCost: tier.unitCost }] : [];
  });
}

/** Coupons that discount the next bill. */
export function activeCoupons(terms: Terms): Attached[] {
  return terms.coupons.filter(({ coupon, used }) => coupon.duration === 0 || used < coupon.duration);
}

export function foreverCoupons(terms: Terms): Attached[] {
  return terms.coupons.filter(({ coupon }) => coupon.duration === 0);
}

export function attach(coupons: readonly Coupon[], before: readonly Attached[] = []): Attached[] {
  return coupons.map((coupon) => {
    const known = before.find((one) => one.coupon.id === coupon.id);
    return { coupon, used: known?.used ?? 0 };
  });
}

type Every = Pick<Plan, 'interval' | 'intervalCount'>;

/** The tax rates that touch a line: its own, then those of the document. */
export function ratesOn(rules: LineRules, ofDocument: readonly TaxRate[]): TaxRate[] {
  const all = rules.taxable ? rules.taxes.concat(ofDocument) : [...rules.taxes];
  return all.filter((rate, at) => all.findIndex(({ id }) => id === rate.id) === at);
}

export function sameInterval(one: Every, other: Every): boolean {
  return one.interval === other.interval && one.intervalCount === other.intervalCount;
}

/** A number with at most ten decimals as text. */
export function decimalText(value: Rational): string {
  const digits = value.times(new Rational(10n ** 10n));
  if (digits.under !== 1n) throw new Error('more than ten decimals');
  const text = minorText(digits.over, 10);
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

/** Minor units as decimal text, `-1.05`. */
export function minorText(minor: bigint, decimals: number): string {
  const digits = (minor < 0n ? -minor : minor).toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const text = decimals === 0 ? whole : `${whole}.${digits.slice(-decimals)}`;
  return minor < 0n ? `-${text}` : text;
}
