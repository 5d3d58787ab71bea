import { isCurrency, MINOR_UNITS } from '../../../billing/money.ts';
import { decimalText, exact } from '../../../billing/units.ts';

/** Currencies that Stripe counts in whole units. */
const WHOLE = new Set('bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' '));
/** Currencies that Stripe counts in thousandths. The last digit must be zero. */
const THOUSANDTHS = new Set('bhd jod kwd omr tnd'.split(' '));
/** Currencies without decimals that Stripe counts in hundredths, as it did when they had decimals. */
const WHOLE_IN_HUNDREDTHS = new Set(['isk', 'ugx']);

interface Counting {
  decimals: number;
  /** Amounts in units are multiples of this. */
  step: bigint;
}

/** How Stripe counts a lower-case currency. Null: Stripe does not take it, or its units are not known. */
function countingOf(currency: string): Counting | null {
  if (!isCurrency(currency)) return null;
  if (WHOLE.has(currency)) return { decimals: 0, step: 1n };
  if (THOUSANDTHS.has(currency)) return { decimals: 3, step: 10n };
  if (WHOLE_IN_HUNDREDTHS.has(currency)) return { decimals: 2, step: 100n };
  return MINOR_UNITS.has(currency) ? null : { decimals: 2, step: 1n };
}

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
