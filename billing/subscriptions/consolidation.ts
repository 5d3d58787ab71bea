import type { AppliedDiscount, AppliedTax } from '../documents/document.ts';
import { MOST_LINE_ADJUSTMENTS, MOST_LINES } from '../limits.ts';
import { MOST_CHARACTERS } from '../look/printedLength.ts';
import { add, type Money, zero } from '../money/money.ts';

/** An issued document to be consolidated. */
export interface Part {
  lines: number;
  /** Number of characters that its lines print. */
  characters: number;
  /** Number of discounts and taxes on its lines. */
  lineAdjustments: number;
  discounts: readonly AppliedDiscount[];
  taxes: readonly AppliedTax[];
  subtotal: Money;
  total: Money;
}

/** The consolidated document. */
export interface Whole {
  /** Number of documents included: the first `count` of the list. */
  count: number;
  discounts: AppliedDiscount[];
  taxes: AppliedTax[];
  subtotal: Money;
  total: Money;
}

const MOST_ADJUSTMENTS = 20;

/**
 * Combines documents of one currency in their order. Stops before the first document that does not fit; the first one always does. Amounts
 * are added, not recomputed, so each document's rounding stays. Discounts of the same percentage coupon are added up, and so are taxes of
 * the same rate. Other discounts and taxes stay separate.
 */
export function consolidate(parts: readonly Part[], currency: string): Whole {
  let whole: Whole = { count: 0, discounts: [], taxes: [], subtotal: zero(currency), total: zero(currency) };
  let [lines, characters, lineAdjustments] = [0, 0, 0];
  for (const part of parts) {
    lines += part.lines;
    characters += part.characters;
    lineAdjustments += part.lineAdjustments;
    if (whole.count > 0 && (characters > MOST_CHARACTERS || lineAdjustments > MOST_LINE_ADJUSTMENTS)) break;
    const discounts = merged(whole.discounts, part.discounts, discountKey);
    const taxes = merged(whole.taxes, part.taxes, taxKey);
    if (lines > MOST_LINES || discounts.length > MOST_ADJUSTMENTS || taxes.length > MOST_ADJUSTMENTS) break;
    const [subtotal, total] = [add(whole.subtotal, part.subtotal), add(whole.total, part.total)];
    whole = { count: whole.count + 1, discounts, taxes, subtotal, total };
  }
  return whole;
}

/** Concatenates both lists. Entries with the same key are added up; entries without a key stay separate. */
function merged<Adjustment extends { amount: Money; fixed: Money | null }>(
  before: readonly Adjustment[],
  more: readonly Adjustment[],
  keyOf: (one: Adjustment) => string | null,
): Adjustment[] {
  const all = [...before];
  for (const one of more) {
    const key = keyOf(one);
    const index = key === null ? -1 : all.findIndex((other) => keyOf(other) === key);
    const same = all[index];
    if (same) all[index] = { ...same, amount: add(same.amount, one.amount) };
    else all.push(one);
  }
  return all;
}

function discountKey({ coupon }: AppliedDiscount): string | null {
  return coupon?.is_percent ? JSON.stringify(coupon) : null;
}

/** A rate that reverse charge applies to is not merged with the same rate where it is charged. */
function taxKey({ taxRate, rateKey }: AppliedTax): string | null {
  return taxRate ? `rate ${rateKey}${taxRate.reverse_charge ? ' reversed' : ''}` : null;
}
