import type { DiscountTerm } from '../documents/discount.ts';
import type { Priced, PricedLine } from '../documents/totals.ts';
import {
  compareFractions,
  exactUnits,
  type Fraction,
  fraction,
  minus,
  NO_FRACTION,
  sumOfFractions,
  times,
} from './fraction.ts';
import { minorUnits } from './money.ts';
import { exact, roundedUnits } from './units.ts';

/**
 * The amount of each line after all discounts, in minor units that are not rounded. Discounts are those of `discountsOf` (discount.ts), but
 * nothing is rounded on the way except fixed amounts.
 */
export function exactlyDiscounted({ lines, discounts, currency }: Priced): Fraction[] {
  const decimals = minorUnits(currency);
  const own = lines.map((line) => lessOwn(line, decimals));
  return discounts.reduce((lefts, term) => {
    const isLess = (index: number) => lines[index]?.discountable ?? false;
    const discountable = lefts.filter((_, index) => isLess(index));
    const factors = factorsOf(discountable, term, decimals);
    return lefts.map((left, index) => (isLess(index) ? times(left, factors(left)) : left));
  }, own);
}

function lessOwn({ quantity, unitCost, discounts }: PricedLine, decimals: number): Fraction {
  const [many, price] = [exact(quantity), exact(unitCost)];
  const product = { digits: many.digits * price.digits, decimals: many.decimals + price.decimals };
  return discounts.reduce(
    (left, term) => times(left, factorsOf([left], term, decimals)(left)),
    exactUnits(product, decimals),
  );
}

const ONE = fraction(1n);

/** The factors by which a discount of some amounts reduces each of them. */
function factorsOf(
  lefts: readonly Fraction[],
  { value, isPercent }: DiscountTerm,
  decimals: number,
): (left: Fraction) => Fraction {
  const term = exact(value);
  if (isPercent) {
    const percent = fraction(term.digits, 100n * 10n ** BigInt(term.decimals));
    const factor = compareFractions(percent, ONE) > 0n ? NO_FRACTION : minus(ONE, percent);
    return () => factor;
  }
  const charged = sumOfFractions(lefts.filter(({ over }) => over > 0n));
  const all = sumOfFractions(lefts);
  if (all.over <= 0n) return () => ONE;
  const asked = fraction(roundedUnits(term, decimals));
  const taken = compareFractions(asked, all) > 0n ? all : asked;
  const factor = minus(ONE, times(taken, fraction(charged.under, charged.over)));
  return ({ over }) => (over > 0n ? factor : ONE);
}
