import { exactAmount } from './limits.ts';
import { compare, isNegative } from './money.ts';
import { Refusal } from './refusal.ts';

/** What a coupon takes off or a tax rate adds: a percentage, or an amount of a currency. */
export interface Rate {
  /** Decimal text. */
  value: string;
  isPercent: boolean;
  /** Documents of other currencies cannot have it; null: it is for all. An amount has one. */
  currency: string | null;
}

const WHOLE = '100';

/** A new rate; amounts are in the account's currency unless another is said. Refuses negative values, percentages above 100, parts of a minor unit. */
export function newRate(rate: Rate, accountCurrency: string): Rate {
  const { value, isPercent } = rate;
  if (isNegative(value)) throw new Refusal(`Value must not be negative: ${value}`, 'value');
  if (isPercent && compare(value, WHOLE) > 0) throw new Refusal(`Value must be at most 100 percent: ${value}`, 'value');
  const currency = rate.currency ?? (isPercent ? null : accountCurrency);
  return { isPercent, currency, value: isPercent || !currency ? value : exactAmount(value, currency, 'value') };
}

/** Whether documents of a currency can have it. */
export function isForCurrency(rate: { currency?: string | null | undefined }, currency: string): boolean {
  return !rate.currency || rate.currency === currency;
}
