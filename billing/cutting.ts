import { AMOUNT_BELOW } from './limits.ts';
import { add, compare, isNegative, type Money, negate } from './money.ts';

/**
 * Of lines in their order how many one document has room for, by what each comes to with its taxes: the longest beginning that is no
 * less than nothing and small enough together with what the document has of its own. None such: the longest that is small enough.
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
