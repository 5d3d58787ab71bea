import { decimalText, exact } from '../../../billing/money/units.ts';
import { countingOf } from '../../../billing/payments/stripeUnits.ts';

/** The code of an amount that cannot be sent. */
export type AmountFault = 'currency_unsupported' | 'amount_unsupported';

/** An amount (decimal text in the major unit) in Stripe's units of its currency, or the reason why it has none. Never rounds. */
export function unitsOf(amount: string, currency: string): number | AmountFault {
  const counting = countingOf(currency);
  if (!counting) return 'currency_unsupported';
  const { digits, decimals } = exact(amount);
  if (decimals > counting.decimals || digits <= 0n) return 'amount_unsupported';
  const units = digits * 10n ** BigInt(counting.decimals - decimals);
  if (units % counting.step !== 0n || units > BigInt(Number.MAX_SAFE_INTEGER)) return 'amount_unsupported';
  return Number(units);
}

/** An amount in Stripe's units as decimal text in the major unit. Throws for a currency that is never sent. */
export function amountOf(units: number, currency: string): string {
  const counting = countingOf(currency);
  if (!counting) throw new Error(`Stripe answered in a currency without known units: ${currency}`);
  return decimalText(BigInt(units), counting.decimals);
}
