/** Decimal text as a whole number over a power of ten: "12.50" is 125 over 10^1. */
export interface Exact {
  digits: bigint;
  decimals: number;
}

/** Parses decimal text exactly and drops trailing zeros after the point. Exponents, which JSON prints for small numbers, are allowed. */
export function exact(text: string): Exact {
  const power = text.indexOf('e');
  if (power >= 0) return shifted(exact(text.slice(0, power)), Number(text.slice(power + 1)));
  const point = text.indexOf('.');
  if (point < 0) return { digits: BigInt(text), decimals: 0 };
  let end = text.length;
  while (text[end - 1] === '0') end -= 1;
  return { digits: BigInt(text.slice(0, point) + text.slice(point + 1, end)), decimals: Math.max(0, end - point - 1) };
}

function shifted({ digits, decimals }: Exact, places: number): Exact {
  if (decimals >= places) return { digits, decimals: decimals - places };
  return { digits: digits * 10n ** BigInt(places - decimals), decimals: 0 };
}

/** A number of minor units as decimal text with `decimals` decimals. */
export function decimalText(units: bigint, decimals: number): string {
  if (decimals === 0) return units.toString();
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  return `${units < 0n ? '-' : ''}${digits.slice(0, point)}.${digits.slice(point)}`;
}

/** A fraction with a positive divisor, rounded to a whole number, half away from zero. */
export function divideRounded(dividend: bigint, divisor: bigint): bigint {
  const half = dividend < 0n ? -divisor : divisor; // BigInt division truncates towards zero: this rounds half away from zero
  return (2n * dividend + half) / (2n * divisor);
}

/** An exact number rounded to whole minor units, half away from zero. */
export function roundedUnits({ digits, decimals }: Exact, minorUnits: number): bigint {
  if (decimals <= minorUnits) return digits * 10n ** BigInt(minorUnits - decimals);
  return divideRounded(digits, 10n ** BigInt(decimals - minorUnits));
}

export function sumOf(units: readonly bigint[]): bigint {
  return units.reduce((soFar, one) => soFar + one, 0n);
}

export function least(left: bigint, right: bigint): bigint {
  if (left < right) return left;
  return right;
}

/**
 * Splits units in proportion to weights, whose sum is positive, by largest remainder. Leftover units go to the largest remainders, among
 * equals to the earliest. Negative weights get parts of the opposite sign.
 */
export function splitUnits(units: bigint, weights: readonly bigint[]): bigint[] {
  if (units === 0n) return weights.map(() => 0n);
  const weightSum = sumOf(weights);
  const shares = weights.map((weight) => {
    const product = units * weight;
    const remainder = ((product % weightSum) + weightSum) % weightSum; // floored, for negative weights too
    return { part: (product - remainder) / weightSum, remainder };
  });
  const left = Number(units - shares.reduce((soFar, share) => soFar + share.part, 0n));
  if (left === 0) return shares.map((share) => share.part);
  const byRemainder = shares.toSorted((a, b) => Number(b.remainder > a.remainder) - Number(b.remainder < a.remainder));
  for (const share of byRemainder.slice(0, left)) share.part += 1n;
  return shares.map((share) => share.part);
}

/**
 * Rounds the sum of exact shares (numerators of a positive denominator) once, and splits it into whole parts by largest remainder. If
 * shares have both signs, those with the sum's sign are summed, rounded and split first; the others split the difference to the rounded sum
 * of all. In proportion to shares of both signs, a sum close to zero would give huge parts.
 */
export function spreadRounded(shares: readonly bigint[], denominator: bigint): bigint[] {
  const sum = sumOf(shares);
  if (sum < 0n) return spreadRounded(shares.map(negated), denominator).map(negated);
  const total = divideRounded(sum, denominator);
  if (shares.every((share) => share >= 0n)) return splitUnits(total, shares);
  const charging = shares.map(positivePart);
  const charged = divideRounded(sumOf(charging), denominator);
  const crediting = shares.map((share) => positivePart(-share));
  const credits = splitUnits(charged - total, crediting);
  return splitUnits(charged, charging).map((part, index) => part - (credits[index] ?? 0n));
}

/**
 * Rounds fractions of a common denominator to whole parts with a given sum: each by itself, then the parts whose rounding was the farthest
 * from that sum by one unit, among equals the earliest.
 */
export function roundedToSum(numerators: readonly bigint[], denominator: bigint, total: bigint): bigint[] {
  if (numerators.length === 0) return [];
  const parts = numerators.map((numerator) => divideRounded(numerator, denominator));
  const lacks = numerators.map((numerator, index) => numerator - (parts[index] ?? 0n) * denominator);
  let left = total - sumOf(parts);
  const step = left < 0n ? -1n : 1n;
  while (left !== 0n) {
    const most = lacks.reduce((best, lack) => (lack * step > best * step ? lack : best));
    const index = lacks.indexOf(most);
    parts[index] = (parts[index] ?? 0n) + step;
    lacks[index] = most - step * denominator;
    left -= step;
  }
  return parts;
}

/** Spreads a fixed amount over the positive amounts by largest remainder. */
export function spreadFixed(units: bigint, over: readonly bigint[]): bigint[] {
  return splitUnits(units, over.map(positivePart));
}

function negated(units: bigint): bigint {
  return -units;
}

function positivePart(units: bigint): bigint {
  return units > 0n ? units : 0n;
}
