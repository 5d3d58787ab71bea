import type { AppliedDiscount, AppliedTax } from './document.ts';
import { MOST_LINE_ADJUSTMENTS, MOST_LINES } from './limits.ts';
import { add, type Money, zero } from './money.ts';
import { MOST_CHARACTERS } from './printedLength.ts';

/** What an issued document comes to, as far as it matters for one that takes its place. */
export interface Part {
  lines: number;
  /** What its lines print. */
  characters: number;
  /** Discounts and taxes on its lines. */
  lineAdjustments: number;
  discounts: readonly AppliedDiscount[];
  taxes: readonly AppliedTax[];
  subtotal: Money;
  total: Money;
}

export interface Whole {
  /** How many of the documents are in it: the first ones. */
  count: number;
  discounts: AppliedDiscount[];
  taxes: AppliedTax[];
  subtotal: Money;
  total: Money;
}

const MOST_ADJUSTMENTS = 20;

/**
 * One document out of several of one currency, in their order, as far as it has room for whole ones. Nothing is computed anew: what was
 * rounded for each stays so, and its total is the sum of theirs. What one coupon took off, and what one rate added, becomes one amount.
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

/** What both lists have under one key is added up; what has no key stays by itself. */
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

function taxKey({ taxRate, rateKey }: AppliedTax): string | null {
  return taxRate ? `rate ${rateKey}` : null;
}
