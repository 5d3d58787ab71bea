import { divideRounded, type Exact } from './units.ts';

/** An exact number: a reduced fraction with a positive divisor. */
export interface Fraction {
  over: bigint;
  under: bigint;
}

export const NO_FRACTION: Fraction = { over: 0n, under: 1n };

/** A reduced fraction. `under` is positive. */
export function fraction(over: bigint, under = 1n): Fraction {
  let [divisor, rest] = [over < 0n ? -over : over, under];
  while (rest !== 0n) [divisor, rest] = [rest, divisor % rest];
  return divisor === 1n ? { over, under } : { over: over / divisor, under: under / divisor };
}

/** Exact decimals, in units of which `10 ** unitDecimals` are one. */
export function exactUnits({ digits, decimals }: Exact, unitDecimals: number): Fraction {
  return fraction(digits * 10n ** BigInt(unitDecimals), 10n ** BigInt(decimals));
}

export function plus(one: Fraction, other: Fraction): Fraction {
  if (one.under === other.under) return fraction(one.over + other.over, one.under);
  return fraction(one.over * other.under + other.over * one.under, one.under * other.under);
}

export function minus(one: Fraction, { over, under }: Fraction): Fraction {
  return plus(one, { over: -over, under });
}

export function times(one: Fraction, other: Fraction): Fraction {
  return fraction(one.over * other.over, one.under * other.under);
}

/** Compares: negative, zero or positive if the first is less, equal or greater. */
export function compareFractions(one: Fraction, other: Fraction): bigint {
  return one.over * other.under - other.over * one.under;
}

export function sumOfFractions(all: readonly Fraction[]): Fraction {
  return all.reduce(plus, NO_FRACTION);
}

/** The nearest whole number. Halves are rounded away from zero. */
export function nearest({ over, under }: Fraction): bigint {
  return divideRounded(over, under);
}
