import { exact, least, roundedUnits, spreadFixed, spreadRounded, sumOf } from '../money/units.ts';

/** A discount: a percentage ("10" is 10 %) or a fixed amount. Not negative. */
export interface DiscountTerm {
  value: string;
  isPercent: boolean;
}

export interface DiscountedLine {
  /** quantity x unit cost, minor units. */
  amount: bigint;
  /** False: the document's discounts do not apply to it. Its own do. */
  discountable: boolean;
  discounts: readonly DiscountTerm[];
}

/** A line with the amounts of its own discounts, in order. `left`: the amount after its own and the document's discounts. */
export type Discounted<Line> = Line & { discountAmounts: bigint[]; left: bigint };

/**
 * Applies the discounts of each line, then those of the document. Each discount applies to the amount that the previous ones left. It never
 * reduces that amount below zero. A discount of the document is rounded once and spread over the lines by largest remainder. A percentage
 * also applies to a negative line, so a charge made at a discount is credited at the same discount. A fixed amount takes nothing off a
 * negative line.
 */
export function discountsOf<Line extends DiscountedLine>(
  lines: readonly Line[],
  terms: readonly DiscountTerm[],
  minorUnits: number,
): { lines: Discounted<Line>[]; document: bigint[] } {
  const discounted = lines.map((line) => withOwnDiscounts(line, minorUnits));
  const discountable = discounted.filter((line) => line.discountable);
  const document = terms.map((term) => {
    const lefts = discountable.map((line) => line.left);
    const parts = discountParts(lefts, term, minorUnits);
    for (const [index, line] of discountable.entries()) line.left -= parts[index] ?? 0n;
    return sumOf(parts);
  });
  return { lines: discounted, document };
}

function withOwnDiscounts<Line extends DiscountedLine>(line: Line, minorUnits: number): Discounted<Line> {
  let left = line.amount;
  const discountAmounts = line.discounts.map((term) => {
    const taken = sumOf(discountParts([left], term, minorUnits));
    left -= taken;
    return taken;
  });
  return { ...line, discountAmounts, left };
}

/** The part that a discount takes off each of the amounts, minor units. */
function discountParts(lefts: readonly bigint[], { value, isPercent }: DiscountTerm, minorUnits: number): bigint[] {
  const term = exact(value);
  if (term.digits < 0n) throw new Error(`a discount is not negative: ${value}`);
  if (isPercent) {
    const whole = 100n * 10n ** BigInt(term.decimals);
    const percent = least(term.digits, whole);
    return spreadRounded(
      lefts.map((left) => left * percent),
      whole,
    );
  }
  const left = sumOf(lefts);
  const amount = roundedUnits(term, minorUnits);
  if (left <= 0n) return lefts.map(() => 0n);
  return spreadFixed(least(amount, left), lefts);
}
