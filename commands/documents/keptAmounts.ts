import { isDeepStrictEqual } from 'node:util';
import type { OpenDiscount, OpenTax } from '../../billing/documents/document.ts';
import { compare } from '../../billing/money/money.ts';
import { openDiscount, openTax } from '../catalog/adjustments.ts';
import type { DocumentContent, StoredContent } from './content.ts';
import { type DocumentLine, lineAsItIs } from './lines.ts';
import type { ComputedContent } from './rows.ts';

/** Content with its stored amounts. */
export type KeptContent = Omit<ComputedContent, 'totals'> & { totals: null };

/** The content with its stored amounts, if prices, discounts and taxes of all lines are the stored ones; null: they must be recomputed. */
export function keptAmounts(content: DocumentContent, before: StoredContent): KeptContent | null {
  const { discounts, taxes } = before;
  if (content.lines.length !== before.lines.length || !isPricedAs(content, asItIs(before))) return null;
  const storedById = new Map(before.lines.map((stored) => [stored.id, stored]));
  const lines = [];
  for (const line of content.lines) {
    const stored = line.id === null ? undefined : storedById.get(line.id);
    if (!stored || !isLinePricedAs(line, lineAsItIs(stored))) return null;
    const { amount, net } = stored;
    lines.push({ ...line, amount, net, discounts: stored.discounts, taxes: stored.taxes });
  }
  return { lines, discounts, taxes, totals: null };
}

interface Adjusted {
  discounts: readonly OpenDiscount[];
  taxes: readonly OpenTax[];
}

function asItIs({ discounts, taxes }: StoredContent): Adjusted {
  return { discounts: discounts.map(openDiscount), taxes: taxes.map(openTax) };
}

function isPricedAs(one: Adjusted, other: Adjusted): boolean {
  return isDeepStrictEqual([one.discounts, one.taxes], [other.discounts, other.taxes]);
}

function isLinePricedAs(one: DocumentLine, other: DocumentLine): boolean {
  const hasSamePrice = compare(one.quantity, other.quantity) === 0 && compare(one.unitCost, other.unitCost) === 0;
  const hasSameFlags = one.discountable === other.discountable && one.taxable === other.taxable;
  return hasSamePrice && hasSameFlags && isPricedAs(one, other);
}
