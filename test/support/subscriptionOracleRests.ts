import { Rational } from './rational.ts';
import { netOf, totalsOf } from './subscriptionOracleInvoice.ts';
import {
  type Component,
  type Coupon,
  componentsOf,
  minorText,
  sameComponent,
  type Terms,
} from './subscriptionOracleTerms.ts';
import { decimalsOf } from './totalsOracle.ts';

// What the rest of a billed period costs in the oracle of subscriptions, by "Discounts of a period" of the specification.

/** The price of a component in a billed period, before the discounts of the bill. */
export interface Charged {
  minor: bigint;
  discountable: boolean;
}

export type Prices = ReadonlyMap<string, Charged>;

/** What changes that count from one time have done to a billed period. */
export interface Instant {
  from: number;
  /** The prices that the period charged before them. */
  prices: Prices;
  /** The components that they touched, as they were; undefined: there was none. */
  touched: Map<string, Component | undefined>;
  /** Components that were removed, and came back as others. */
  renewed: Set<string>;
  /** Credits of what was charged before, and charges that are not credited since, by component. */
  credited: Map<string, bigint>;
  charged: Map<string, bigint>;
}

export interface PricedBill {
  coupons: readonly Coupon[];
  currency: string;
}

/** The prices less the coupons of the bill. A coupon of an amount is spread over all components that it may reduce. */
export function netsOf(prices: Prices, { coupons, currency }: PricedBill): Map<string, bigint> {
  const all = [...prices];
  const lines = all.map(([component, { minor, discountable }]) => ({
    ...blank,
    component,
    discountable,
    unitCost: minorText(minor, decimalsOf(currency)),
  }));
  const totals = totalsOf({ lines, coupons, taxes: [], currency });
  return new Map(totals.lines.map((line) => [line.component, netOf(line)]));
}

const blank = {
  product: '',
  kind: 'period',
  periodStart: 0,
  periodEnd: 0,
  quantity: '1',
  prorated: false,
  discounts: [],
  taxable: false,
  taxes: [],
} as const;

/** Whether a component is as it was before all changes of the instant. */
export const isAsBefore = ({ touched }: Instant, id: string, now: Component | undefined): boolean =>
  now !== undefined && touched.get(id) !== undefined && sameComponent(touched.get(id), now);

/** The prices after the changes: those of components that are as they were stay, whatever they are. */
export function pricesNow(
  instant: Instant,
  after: Terms,
  priceOf: (component: Component) => Charged,
): Map<string, Charged> {
  const now = new Map(componentsOf(after).map((component) => [component.id, component]));
  const prices = new Map<string, Charged>();
  const late: [string, Charged][] = [];
  const ids = new Set([...instant.prices.keys(), ...instant.touched.keys()]);
  for (const id of ids) {
    const was = instant.prices.get(id);
    const component = now.get(id);
    const keeps = !instant.touched.has(id) || isAsBefore(instant, id, component);
    if (keeps && was) prices.set(id, was);
    if (keeps || !component) continue;
    if (was && !instant.renewed.has(id)) prices.set(id, priceOf(component));
    else late.push([id, priceOf(component)]);
  }
  return new Map([...prices, ...late]);
}

interface Change {
  before: ReadonlyMap<string, bigint>;
  after: ReadonlyMap<string, bigint>;
  /** Whether the own price of a component is another than before. */
  isOther: (id: string) => boolean;
  share: Rational;
  /** Whether a coupon of the bill is an amount. */
  moves: boolean;
}

/**
 * The cost of each component after a change for the rest of the period: of one with another price, that price; of the others, what moves
 * between them, so that all lines add up to the cost of the whole change, rounded once.
 */
export function costs({ before, after, isOther, share, moves }: Change): Map<string, bigint> {
  const of = (minor: bigint) => new Rational(minor).times(share).nearest();
  const sum = (amounts: readonly bigint[]) => amounts.reduce((all, one) => all + one, 0n);
  const result = new Map([...after].filter(([id]) => isOther(id)).map(([id, net]) => [id, of(net)]));
  if (!moves) return result;
  const own = sum([...result.values()]) - sum([...before].filter(([id]) => isOther(id)).map(([, net]) => of(net)));
  let left = of(sum([...after.values()]) - sum([...before.values()])) - own;
  const others = [...after].flatMap(([id, net]) => {
    const exact = new Rational(net - (before.get(id) ?? net)).times(share);
    return isOther(id) || exact.sign() === 0 ? [] : [{ id, exact, minor: exact.nearest() }];
  });
  if (others.length === 0) return result;
  left -= sum(others.map(({ minor }) => minor));
  for (; left !== 0n; left -= left > 0n ? 1n : -1n) {
    const sign = new Rational(left > 0n ? 1n : -1n);
    const lack = ({ exact, minor }: (typeof others)[number]) => exact.minus(new Rational(minor)).times(sign);
    const first = others.reduce((best, one) => (lack(one).compare(lack(best)) > 0 ? one : best));
    first.minor += left > 0n ? 1n : -1n;
  }
  for (const { id, minor } of others) result.set(id, minor);
  return result;
}
