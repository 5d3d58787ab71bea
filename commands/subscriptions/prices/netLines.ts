import { discountedOf } from '../../../billing/documents/document.ts';
import { type Money, sum } from '../../../billing/money/money.ts';
import { type DocumentLine, newLine } from '../../documents/lines.ts';
import type { SubscriptionContent } from '../changes/content.ts';

/** The prices of a whole period net of all discounts, with inclusive taxes, by the add-on. Key null: the plan. */
export function netPrices(
  { lines, discounts }: Pick<SubscriptionContent, 'lines' | 'discounts'>,
  currency: string,
): Map<number | null, Money> {
  const amounts = discountedOf({ lines, discounts, taxes: [], currency });
  const prices = new Map<number | null, Money>();
  for (const [index, { addonId }] of lines.entries())
    prices.set(addonId, sum([prices.get(addonId) ?? '0', amounts[index] ?? '0'], currency));
  return prices;
}

/** A line with a net price of what another line bills. Discounts and taxes of its invoice skip it: it has its own taxes. */
export function netLine(
  { type, name, planCode, itemCode, glAccount, addonId }: DocumentLine,
  values: Partial<DocumentLine>,
): DocumentLine {
  const sold = { type, name, planCode, itemCode, glAccount, addonId };
  return newLine({ ...sold, ...values, discountable: false, taxable: false });
}
