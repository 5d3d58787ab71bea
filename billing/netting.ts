import { add, isNegative, type Money } from './money.ts';

/** A pending line with its own total. */
export interface NettedLine {
  id: number;
  total: Money;
}

/**
 * Chooses at most `most` pending lines whose sum is not negative. Takes the credits in their order (oldest first), each as soon as the
 * charges chosen so far cover it, and the charges in theirs (largest first). The sum of the remaining lines is not negative either, where
 * that is possible.
 */
export function nettedChunk(
  { credits, charges }: { credits: readonly NettedLine[]; charges: readonly NettedLine[] },
  most: number,
): number[] {
  const left = { credits: [...credits].reverse(), charges: [...charges].reverse() };
  const chosen: number[] = [];
  let sum: Money = '0';
  while (chosen.length < most) {
    const credit = left.credits.at(-1);
    const isCovered = credit !== undefined && !isNegative(add(sum, credit.total));
    const next = isCovered ? left.credits.pop() : left.charges.pop();
    if (!next) break;
    chosen.push(next.id);
    sum = add(sum, next.total);
  }
  return chosen;
}
