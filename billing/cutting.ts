import { AMOUNT_BELOW } from './limits.ts';
import { add, compare, isNegative, type Money, negate } from './money.ts';

/**
 * Number of lines, from the first on, that fit on one document. `totals` are the lines' totals with taxes; `own` is the document's own
 * total. Takes as many lines as possible whose sum with `own` is below the amount limit and not negative. If there is no such number, the
 * sum may be negative.
 */
export function roomFor(totals: readonly Money[], own: Money): number {
  let sum = own;
  let [most, mostOfAny] = [0, 0];
  for (const [index, total] of totals.entries()) {
    sum = add(sum, total);
    if (compare(isNegative(sum) ? negate(sum) : sum, AMOUNT_BELOW) >= 0) continue;
    mostOfAny = index + 1;
    if (!isNegative(sum)) most = index + 1;
  }
  return most || mostOfAny;
}
