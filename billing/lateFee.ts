import { exactAmount } from './limits.ts';
import { compare, isPositive, type Money } from './money.ts';
import { Refusal } from './refusal.ts';

/** How much the late fees of an invoice come to. */
export interface LateFeeRate {
  /** A percentage, or an amount in `currency`. Decimal text. */
  amount: string;
  isPercent: boolean;
  /** The most that the fees of one invoice come to, in `currency`; null: no limit. */
  cap: Money | null;
  currency: string;
}

const WHOLE = '100';

/**
 * Checks the rate of a late fee schedule. Refuses amounts that are not positive, percentages above 100, fractions of a minor unit, and a fee
 * above its cap.
 */
export function checkLateFeeRate({ amount, isPercent, cap, currency }: LateFeeRate): LateFeeRate {
  if (!isPositive(amount)) throw new Refusal(`Amount must be positive: ${amount}`, 'amount');
  if (isPercent && compare(amount, WHOLE) > 0)
    throw new Refusal(`Amount must be at most 100 percent: ${amount}`, 'amount');
  const fee = isPercent ? amount : exactAmount(amount, currency, 'amount');
  if (cap === null) return { amount: fee, isPercent, cap, currency };
  const most = exactAmount(cap, currency, 'cap');
  if (!isPositive(most)) throw new Refusal(`Cap must be positive: ${cap}`, 'cap');
  if (!isPercent && compare(fee, most) > 0)
    throw new Refusal(`The fee is above its cap: ${amount} is more than ${cap}`, 'cap');
  return { amount: fee, isPercent, cap: most, currency };
}
