import { type Money, multiply, proportion, sum } from './money.ts';
import type { Share } from './periods.ts';

interface PricedLine {
  quantity: string;
  unitCost: string;
}

/** The price of a share of a period: the share of the lines that bill the whole period, rounded to minor units. */
export function proratedPrice(lines: readonly PricedLine[], share: Share, currency: string): Money {
  const amounts = lines.map(({ quantity, unitCost }) => multiply(quantity, unitCost, currency));
  return proportion(sum(amounts, currency), share, currency);
}
