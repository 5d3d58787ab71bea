import { checkAmount } from './limits.ts';
import { isNegative, type Money, multiply, sum } from './money.ts';
import { Refusal } from './refusal.ts';

export interface PricedLine {
  quantity: string;
  unitCost: string;
}

export interface Totals {
  lineAmounts: Money[];
  subtotal: Money;
  total: Money;
}

/** Amounts of a document: each line rounded once, the total their exact sum. Refuses a negative total and amounts that are too large. */
export function documentTotals(lines: readonly PricedLine[], currency: string): Totals {
  const lineAmounts = lines.map((line) => multiply(line.quantity, line.unitCost, currency));
  for (const [index, amount] of lineAmounts.entries()) checkAmount(amount, `items[${index}]`);
  const subtotal = sum(lineAmounts, currency);
  if (isNegative(subtotal)) throw new Refusal(`Total must not be negative: ${subtotal}`, 'items');
  checkAmount(subtotal, 'items');
  return { lineAmounts, subtotal, total: subtotal };
}
