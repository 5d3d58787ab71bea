import { AMOUNT_BELOW, MOST_LINE_ADJUSTMENTS } from '../limits.ts';
import { characterCounter, checkCharacters, type LineText, MOST_CHARACTERS } from '../look/printedLength.ts';
import { add, compare, isNegative, type Money, negate } from '../money/money.ts';
import { Refusal } from '../refusal.ts';

type Adjusted = Pick<LineText, 'discounts' | 'taxes'>;

/** Number of discounts and taxes on the lines. */
export function adjustmentsOf(lines: readonly Adjusted[]): number {
  return lines.reduce((count, { discounts, taxes }) => count + discounts.length + taxes.length, 0);
}

/** Refuses lines that do not fit on one document: they print too much, or have too many discounts and taxes. */
export function checkRoom(lines: readonly LineText[]): void {
  const count = adjustmentsOf(lines);
  if (count > MOST_LINE_ADJUSTMENTS) {
    const [most, asked] = [MOST_LINE_ADJUSTMENTS.toLocaleString('en'), count.toLocaleString('en')];
    throw new Refusal(
      'limit_exceeded',
      `All items of a document together may have at most ${most} discounts and taxes, not ${asked}`,
      'items',
    );
  }
  checkCharacters(lines);
}

/** Returns a function that adds a line and tells whether all lines added so far fit on one document. */
function roomCheck(): (line: LineText) => boolean {
  const count = characterCounter();
  let adjustments = 0;
  return (line) => {
    adjustments += adjustmentsOf([line]);
    return count(line) <= MOST_CHARACTERS && adjustments <= MOST_LINE_ADJUSTMENTS;
  };
}

/**
 * Chooses the waiting lines, in their order, that fit on one document together with its own lines. If not all of them fit, each negative
 * line is chosen as soon as the chosen charges cover it, so that the sum of the chosen lines is not negative.
 */
export function linesWithin<Line extends LineText>(
  waiting: readonly { line: Line; total: Money }[],
  own: readonly LineText[],
): Line[] {
  const all = waiting.map(({ line }) => line);
  const fitsWithAll = roomCheck();
  if ([...own, ...all].every(fitsWithAll)) return all;
  const credits = waiting.filter(({ total }) => isNegative(total));
  const debits = waiting.filter(({ total }) => !isNegative(total));
  const hasRoomFor = roomCheck();
  for (const line of own) hasRoomFor(line);
  const chosen = new Set<Line>();
  for (let sum: Money = '0'; ; ) {
    const [credit] = credits;
    const next = credit && !isNegative(add(sum, credit.total)) ? credits.shift() : debits.shift();
    if (!next || !hasRoomFor(next.line)) break;
    sum = add(sum, next.total);
    chosen.add(next.line);
  }
  return waiting.flatMap(({ line }) => (chosen.has(line) ? [line] : []));
}

/**
 * Number of lines, counted from the first, whose amounts fit on one document. `totals`: the totals of the lines with taxes; `own`: the
 * document's own total. Chooses the largest number for which the sum with `own` is below the limit of amounts and not negative. If there is
 * none, the sum may be negative.
 */
export function countFittingLines(totals: readonly Money[], own: Money): number {
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
