import type { CouponSnapshot, TaxRateSnapshot } from '../documents/document.ts';
import type { Json } from '../json.ts';
import { Refusal } from '../refusal.ts';

/** Maximum number of characters that the lines of one document print. */
export const MOST_CHARACTERS = 200_000;
/** A line break counts as this many characters, because typesetting a new line costs as much. */
const LINE_BREAK = 20;

/** The text that a document line prints, without figures. */
export interface LineText {
  name?: string | null | undefined;
  description?: string | null | undefined;
  discounts: readonly { coupon: CouponSnapshot | null }[];
  taxes: readonly { taxRate: TaxRateSnapshot | null }[];
}

/**
 * Returns a counter. It takes one line at a time and returns how many characters all lines so far have. A coupon is printed at each of its
 * lines, a rate once below all lines.
 */
export function characterCounter(): (line: LineText) => number {
  const rates = new Set<string>();
  let count = 0;
  return ({ name, description, discounts, taxes }) => {
    count += lengthOf(name) + lengthOf(description);
    for (const { coupon } of discounts) count += LINE_BREAK + lengthOf(coupon?.name);
    for (const { taxRate } of taxes) {
      const rate = String(taxRate?.name ?? '');
      if (!rates.has(rate)) count += LINE_BREAK + lengthOf(rate);
      rates.add(rate);
    }
    return count;
  };
}

/** Number of characters of a text, with its line breaks. Empty lines are not printed and do not count. */
function lengthOf(text: Json | undefined): number {
  if (typeof text !== 'string') return 0;
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.reduce((sum, line, index) => sum + line.length + (index > 0 ? LINE_BREAK : 0), 0);
}

/** Refuses lines that print more than one document may. */
export function checkCharacters(lines: readonly LineText[]): void {
  const count = countCharacters(lines);
  if (count <= MOST_CHARACTERS) return;
  const most = MOST_CHARACTERS.toLocaleString('en');
  const what = `names, descriptions, coupons and rates of all items, a line break counted as ${LINE_BREAK}`;
  throw new Refusal(
    'limit_exceeded',
    `A document prints at most ${most} characters (${what}): ${count.toLocaleString('en')}`,
    'items',
  );
}

/** Number of characters that lines print. */
export function countCharacters(lines: readonly LineText[]): number {
  const count = characterCounter();
  return lines.reduce((_, line) => count(line), 0);
}
