import { isCurrency, MINOR_UNITS } from '../money/money.ts';

/** Currencies that Stripe counts in whole units: https://docs.stripe.com/currencies#zero-decimal. */
const WHOLE = 'bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' ');
/** Currencies that Stripe counts in thousandths. The last digit must be zero: https://docs.stripe.com/currencies#three-decimal. */
const THOUSANDTHS = 'bhd jod kwd omr tnd'.split(' ');
/** Currencies without decimals that Stripe counts in hundredths, as it did when they had decimals: https://docs.stripe.com/currencies#special-cases. */
const WHOLE_IN_HUNDREDTHS = ['isk', 'ugx'];

export interface Counting {
  decimals: number;
  /** Amounts in units are multiples of this. */
  step: bigint;
}

/** How Stripe counts the currencies that it does not count as ISO 4217 counts dollars, in hundredths. */
const COUNTINGS: ReadonlyMap<string, Counting> = new Map<string, Counting>([
  ...WHOLE.map((currency) => [currency, { decimals: 0, step: 1n }] as const),
  ...THOUSANDTHS.map((currency) => [currency, { decimals: 3, step: 10n }] as const),
  ...WHOLE_IN_HUNDREDTHS.map((currency) => [currency, { decimals: 2, step: 100n }] as const),
]);

/** How Stripe counts a lower-case currency. Null: Stripe does not take it, or its units are not known. */
export function countingOf(currency: string): Counting | null {
  if (!isCurrency(currency)) return null;
  const known = COUNTINGS.get(currency);
  return known ?? (MINOR_UNITS.has(currency) ? null : { decimals: 2, step: 1n });
}

/** Decimals of Stripe's units by lower-case currency, for the browser; all other currencies have two. */
export const stripeDecimals: Readonly<Record<string, number>> = Object.fromEntries(
  [...COUNTINGS].flatMap(([currency, { decimals }]) => (decimals === 2 ? [] : [[currency, decimals]])),
);
