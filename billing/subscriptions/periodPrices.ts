import { discountedOf, type OpenDiscount, type OpenLine } from '../documents/document.ts';
import {
  compare,
  isPositive,
  isZero,
  type Money,
  minorUnits,
  negate,
  proportion,
  subtract,
  sum,
  zero,
} from '../money/money.ts';
import { decimalText, exact, roundedToSum, roundedUnits } from '../money/units.ts';
import type { Share } from '../time/periods.ts';

/** A component of a subscription: the id of its add-on; null: its plan. */
export type ComponentId = number | null;

/** The price of a component for a billed period, before the discounts of the bill: the part that they reduce, and the part that they do not. */
export interface PeriodPrice {
  discountable: Money;
  other: Money;
}

/** The prices of the components that a period bills, in the order of their lines. */
export type PeriodPrices = ReadonlyMap<ComponentId, PeriodPrice>;

/** The price that lines bill for a component, less the discounts of the lines. */
export function periodPriceOf(lines: readonly OpenLine[], currency: string): PeriodPrice {
  const amounts = discountedOf({ lines: [...lines], discounts: [], taxes: [], currency });
  const partOf = (discountable: boolean) =>
    sum(
      amounts.filter((_, index) => lines[index]?.discountable === discountable),
      currency,
    );
  return { discountable: partOf(true), other: partOf(false) };
}

/** The prices of components less the discounts of their bill, with inclusive taxes. */
export function netPrices(
  prices: PeriodPrices,
  discounts: readonly OpenDiscount[],
  currency: string,
): Map<ComponentId, Money> {
  const components = [...prices];
  const reduced = discountedOf({
    lines: components.map(([, { discountable }]) => lineOf(discountable)),
    discounts: [...discounts],
    taxes: [],
    currency,
  });
  return new Map(
    components.map(([id, { other }], index) => [id, sum([reduced[index] ?? zero(currency), other], currency)]),
  );
}

function lineOf(unitCost: Money): OpenLine {
  return { quantity: '1', unitCost, discountable: true, taxable: false, discounts: [], taxes: [] };
}

/** Whether a discount is an amount, so that its part of one component depends on the others. */
export function isAmount({ coupon, percent }: OpenDiscount): boolean {
  return percent === undefined && !coupon?.is_percent;
}

/** The discounts of a bill as they are left for its components: amounts less what they take off the other lines. */
export function discountsOfComponents(
  bill: { lines: readonly OpenLine[]; discounts: readonly OpenDiscount[]; currency: string },
  isOther: (index: number) => boolean,
): OpenDiscount[] {
  const { currency, discounts } = bill;
  const lines = [...bill.lines];
  const hasOthers = lines.some((line, index) => line.discountable && isOther(index));
  if (!hasOthers || !discounts.some(isAmount)) return [...discounts];
  const leftAfter = (count: number) => {
    const amounts = discountedOf({ lines, discounts: discounts.slice(0, count), taxes: [], currency });
    return sum(
      amounts.filter((_, index) => isOther(index)),
      currency,
    );
  };
  return discounts.map((discount, index) => {
    if (!isAmount(discount)) return discount;
    const taken = subtract(leftAfter(index), leftAfter(index + 1));
    const value = discount.coupon ? String(discount.coupon.value) : (discount.fixed ?? '0');
    return { ...discount, coupon: null, fixed: subtract(value, taken) };
  });
}

/** A change of the components of a billed period. Prices are net. */
export interface NetChange {
  before: ReadonlyMap<ComponentId, Money>;
  after: ReadonlyMap<ComponentId, Money>;
  /** Components whose own price the change ends or begins. */
  changed: ReadonlySet<ComponentId>;
  /** The component before of one that has another id after the change. */
  formerOf: ReadonlyMap<ComponentId, ComponentId>;
}

/**
 * What a change costs for a share of its period, by component after it. A component that begins costs its price, rounded once. Any other
 * costs the difference that the bill's discounts make to it. These differences are rounded so that everything adds up to the whole change,
 * rounded once.
 */
export function costOfRest(change: NetChange, share: Share, currency: string): Map<ComponentId, Money> {
  const { before, after, changed, formerOf } = change;
  const shareOf = (amount: Money) => proportion(amount, share, currency);
  const begun = [...after].filter(([id]) => changed.has(id)).map(([id, net]) => [id, shareOf(net)] as const);
  const ended = [...before].filter(([id]) => changed.has(id)).map(([, net]) => shareOf(net));
  const others = [...after].flatMap(([id, net]) => {
    const was = before.get(formerOf.has(id) ? (formerOf.get(id) ?? null) : id);
    return changed.has(id) || was === undefined ? [] : [[id, subtract(net, was)] as const];
  });
  const different = others.filter(([, difference]) => !isZero(difference));
  const whole = shareOf(subtract(sum([...after.values()], currency), sum([...before.values()], currency)));
  const own = subtract(
    sum(
      begun.map(([, amount]) => amount),
      currency,
    ),
    sum(ended, currency),
  );
  const parts = sharesWithSum(
    different.map(([, difference]) => difference),
    { share, total: subtract(whole, own), currency },
  );
  const same = others.map(([id]) => [id, zero(currency)] as const);
  return new Map([...same, ...different.map(([id], index) => [id, parts[index] ?? '0'] as const), ...begun]);
}

/** A share of each amount, in minor units that add up to a total. */
function sharesWithSum(
  amounts: readonly Money[],
  { share, total, currency }: { share: Share; total: Money; currency: string },
): Money[] {
  const decimals = minorUnits(currency);
  const units = (amount: Money) => roundedUnits(exact(amount), decimals);
  const numerators = amounts.map((amount) => units(amount) * BigInt(share.numerator));
  return roundedToSum(numerators, BigInt(share.denominator), units(total)).map((part) => decimalText(part, decimals));
}

/** The amount, but no credit of more than what is left. */
export function creditingAtMost(left: Money, amount: Money): Money {
  const most = isPositive(left) ? negate(left) : subtract(left, left);
  return compare(amount, most) < 0 ? most : amount;
}
