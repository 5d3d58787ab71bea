import { compare, isNegative, type Money, minorUnits, negate, roundMoney } from './money/money.ts';
import { Refusal } from './refusal.ts';

/** Exclusive upper limit of amounts. Together with the limit of significant digits it lets a JSON number hold every amount exactly. */
export const AMOUNT_BELOW = '1000000000000';
const MOST_SIGNIFICANT = 15;

/** Maximum number of lines of one document. */
export const MOST_LINES = 1000;

/** Maximum number of discounts and taxes on all lines of one document together. */
export const MOST_LINE_ADJUSTMENTS = 5000;

/** Maximum number of prefixes of a number series, former ones included. */
export const MOST_PREFIXES = 100;

/** Converts decimal text to an amount of a currency. Refuses more decimals than the currency has, naming `param`. */
export function exactAmount(text: string, currency: string, param: string): Money {
  const amount = roundMoney(text, currency);
  if (compare(amount, text) === 0) return amount;
  const decimals = minorUnits(currency);
  throw new Refusal('parameter_invalid', `Amounts in ${currency} have at most ${decimals} decimals: ${text}`, param);
}

/** Thrown for a computed amount that is too large to be stored. */
export class TooLarge extends Refusal {}

/** Refuses a computed amount that is too large or has too many significant digits. Throws TooLarge, naming `param`. */
export function checkAmount(amount: Money, param: string): void {
  const size = isNegative(amount) ? negate(amount) : amount;
  const digits = size.replace('.', '').replace(/^0+/, '').replace(/0+$/, '');
  if (compare(size, AMOUNT_BELOW) < 0 && digits.length <= MOST_SIGNIFICANT) return;
  throw new TooLarge('amount_too_large', `Amounts must be below ${AMOUNT_BELOW}: ${amount}`, param);
}
