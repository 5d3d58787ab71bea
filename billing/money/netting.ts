import { add, isNegative, type Money } from './money.ts';

/** A pending line with its own total. */
export interface NettedLine {
  id: number;
  total: Money;
}

/**
 * Chooses at most `most` pending lines whose sum is not negative. Takes credits in their order (oldest first), each as soon as the charges
 * chosen so far cover it. Otherwise takes the next charge in order (largest first). This keeps the sum of the chosen lines small, so that
 * the remaining lines rarely have a negative sum.
 */
export function chooseNettedLines(
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
