import { add, isNegative, type Money } from './money.ts';

/** A pending line and what it comes to by itself. */
export interface NettedLine {
  id: number;
  total: Money;
}

/**
 * Of more lines than a document has room for some that come to no less than nothing together: as many credits as charges have room
 * for, the oldest first, and the largest charges that they need. What is left comes to no less than nothing either, if that can be.
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
