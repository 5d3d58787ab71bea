import { compare, isNegative, type Money, minorUnits, negate, roundMoney } from './money.ts';
import { Refusal } from './refusal.ts';

/** Every amount is smaller than this, and printed exactly by a JSON number. */
export const AMOUNT_BELOW = '1000000000000';
const MOST_SIGNIFICANT = 15;

/** Of one document. */
export const MOST_LINES = 1000;

/** Discounts and taxes on all lines of one document together. */
export const MOST_LINE_ADJUSTMENTS = 5000;

/** That a series of numbers has had, one after another. */
export const MOST_PREFIXES = 100;

/** Decimal text as an amount of a currency. Refuses more decimals than the currency has, naming `param`. */
export function exactAmount(text: string, currency: string, param: string): Money {
  const amount = roundMoney(text, currency);
  if (compare(amount, text) === 0) return amount;
  const decimals = minorUnits(currency);
  throw new Refusal(`Amounts in ${currency} have at most ${decimals} decimals: ${text}`, param);
}

/** A computed amount is too large to be kept. */
export class TooLarge extends Refusal {}

/** Refuses a computed amount that is too large to be kept. */
export function checkAmount(amount: Money, param: string): void {
  const size = isNegative(amount) ? negate(amount) : amount;
  const digits = size.replace('.', '').replace(/^0+/, '').replace(/0+$/, '');
  if (compare(size, AMOUNT_BELOW) < 0 && digits.length <= MOST_SIGNIFICANT) return;
  throw new TooLarge(`Amounts must be below ${AMOUNT_BELOW}: ${amount}`, param);
}
