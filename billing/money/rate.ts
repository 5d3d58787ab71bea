import { exactAmount } from '../limits.ts';
import { Refusal } from '../refusal.ts';
import { compare, isNegative } from './money.ts';

/** The value of a coupon or tax rate: a percentage, or an amount of a currency. */
export interface Rate {
  /** Decimal text. */
  value: string;
  isPercent: boolean;
  /** Currency of the documents that can use it; null: any. An amount always has a currency. */
  currency: string | null;
}

const WHOLE = '100';

/**
 * Checks a new rate. An amount without a currency gets the account's currency. Refuses negative values, percentages above 100 and fractions
 * of a minor unit.
 */
export function newRate(rate: Rate, accountCurrency: string): Rate {
  const { value, isPercent } = rate;
  if (isNegative(value)) throw new Refusal('parameter_invalid', `Value must not be negative: ${value}`, 'value');
  if (isPercent && compare(value, WHOLE) > 0)
    throw new Refusal('parameter_invalid', `Value must be at most 100 percent: ${value}`, 'value');
  const currency = rate.currency ?? (isPercent ? null : accountCurrency);
  return { isPercent, currency, value: isPercent || !currency ? value : exactAmount(value, currency, 'value') };
}

/** Whether documents of a currency can use it. */
export function isForCurrency(rate: { currency?: string | null | undefined }, currency: string): boolean {
  return !rate.currency || rate.currency === currency;
}
