import { Big } from 'big.js';
import { Refusal } from '../refusal.ts';
import { decimalText, divideRounded, splitUnits, sumOf } from './units.ts';

/** An amount as decimal text without exponent, with exactly as many decimals as its currency has: "12.50" usd, "13" jpy, "-0.125" kwd. */
export type Money = string;

/** A separate constructor, so that no other user of the library can change the rounding of amounts. */
const Decimal = Big();
Decimal.RM = Big.roundHalfUp; // in big.js: half away from zero

/** ISO 4217, without metals, test codes and units such as xdr. ang (left in 2025) and bgn (2026) stay for older documents. */
const CURRENCIES = new Set(
  `aed afn all amd ang aoa ars aud awg azn bam bbd bdt bgn bhd bif bmd bnd bob bov brl bsd btn bwp byn bzd cad cdf che chf chw clf
  clp cny cop cou crc cup cve czk djf dkk dop dzd egp ern etb eur fjd fkp gbp gel ghs gip gmd gnf gtq gyd hkd hnl htg huf idr ils
  inr iqd irr isk jmd jod jpy kes kgs khr kmf kpw krw kwd kyd kzt lak lbp lkr lrd lsl lyd mad mdl mga mkd mmk mnt mop mru mur mvr
  mwk mxn mxv myr mzn nad ngn nio nok npr nzd omr pab pen pgk php pkr pln pyg qar ron rsd rub rwf sar sbd scr sdg sek sgd shp sle
  sos srd ssp stn svc syp szl thb tjs tmt tnd top try ttd twd tzs uah ugx usd usn uyi uyu uyw uzs ved ves vnd vuv wst xad xaf xcd
  xcg xof xpf yer zar zmw zwg`.split(/\s+/),
);

/** Decimals of the currencies that do not have two. These are ISO's, which differ from Intl's (iqd, for example). */
export const MINOR_UNITS: ReadonlyMap<string, number> = new Map([
  ...'bif clp djf gnf isk jpy kmf krw pyg rwf ugx uyi vnd vuv xaf xof xpf'.split(' ').map((code) => [code, 0] as const),
  ...'bhd iqd jod kwd lyd omr tnd'.split(' ').map((code) => [code, 3] as const),
  ...'clf uyw'.split(' ').map((code) => [code, 4] as const),
]);

/** True for the lower-case ISO 4217 code of a currency in which documents can be billed. */
export function isCurrency(code: string): boolean {
  return CURRENCIES.has(code);
}

/** Number of decimals of a lower-case currency. Throws an Error for an unknown one: callers check input with `isCurrency` first. */
export function minorUnits(currency: string): number {
  if (!isCurrency(currency)) throw new Error(`not a currency: ${currency}`);
  return MINOR_UNITS.get(currency) ?? 2;
}

/** Decimal text rounded to the currency's minor units, half away from zero. */
export function roundMoney(value: string, currency: string): Money {
  return render(new Decimal(value), minorUnits(currency));
}

/** An amount with its currency as texts name it: "12.50 usd". Amounts of tables may have more decimals than their currency. */
export function amountText(amount: string, currency: string): string {
  return `${roundMoney(amount, currency)} ${currency}`;
}

/** Zero in this currency. */
export function zero(currency: string): Money {
  return roundMoney('0', currency);
}

/** quantity x unitCost, exact and then rounded once. */
export function multiply(quantity: string, unitCost: string, currency: string): Money {
  return render(new Decimal(quantity).times(unitCost), minorUnits(currency));
}

/** quantity x unitCost, exact and not rounded, without trailing zeros. */
export function exactProduct(quantity: string, unitCost: string): string {
  return new Decimal(quantity).times(unitCost).toFixed();
}

/** amount x numerator / denominator, exact and then rounded once. Both are whole numbers, and the denominator is positive. */
export function proportion(amount: string, of: { numerator: number; denominator: number }, currency: string): Money {
  const decimals = minorUnits(currency);
  const scale = decimalsOf(amount);
  const dividend = toUnits(amount, scale) * BigInt(of.numerator) * 10n ** BigInt(decimals);
  const divisor = BigInt(of.denominator) * 10n ** BigInt(scale);
  return decimalText(divideRounded(dividend, divisor), decimals);
}

/** Adds amounts in one currency. The sum has as many decimals as the most precise of them. */
export function add(first: Money, ...rest: Money[]): Money {
  return totalOf(first, rest);
}

/** Subtracts an amount in the same currency. The difference has as many decimals as the more precise of the two. */
export function subtract(from: Money, amount: Money): Money {
  return totalOf(from, [negate(amount)]);
}

/** The sum of a list that may be empty. */
export function sum(amounts: readonly Money[], currency: string): Money {
  return totalOf(zero(currency), amounts);
}

function totalOf(first: Money, rest: readonly Money[]): Money {
  const value = rest.reduce((soFar, amount) => soFar.plus(amount), new Decimal(first));
  const decimals = rest.reduce((most, amount) => Math.max(most, decimalsOf(amount)), decimalsOf(first));
  return render(value, decimals);
}

export function negate(amount: Money): Money {
  return render(new Decimal(amount).times(-1), decimalsOf(amount));
}

/** Compares by value, so that "1.5" equals "1.50": 1, 0 or -1 if left is greater, equal or less. */
export function compare(left: string, right: string): -1 | 0 | 1 {
  return new Decimal(left).cmp(right);
}

export function isZero(amount: string): boolean {
  return compare(amount, '0') === 0;
}

export function isPositive(amount: string): boolean {
  return compare(amount, '0') > 0;
}

export function isNegative(amount: string): boolean {
  return compare(amount, '0') < 0;
}

/** The smallest of the amounts; among equals the first. */
export function minimum(first: Money, ...rest: Money[]): Money {
  return rest.reduce((least, amount) => (compare(amount, least) < 0 ? amount : least), first);
}

/**
 * Splits a total in proportion to weights (decimal text) by largest remainder. The parts add up to the total exactly. Leftover minor units
 * go to the largest remainders, among equals to the earliest. A negative total gives the parts of the positive one, negated. A weight whose
 * sign differs from the sign of the weights' sum gets a part of the opposite sign. If the weights add up to zero, the parts are equal.
 * Throws an Error if the total is not in minor units, or if it is not zero and there are no weights.
 */
export function allocate(total: Money, weights: readonly string[], currency: string): Money[] {
  if (isNegative(total)) return allocate(negate(total), weights, currency).map(negate);
  const decimals = minorUnits(currency);
  const units = toUnits(total, decimals);
  if (weights.length === 0 && units !== 0n) throw new Error(`no parts to split ${total} ${currency} into`);
  return splitUnits(units, wholeWeights(weights)).map((part) => decimalText(part, decimals));
}

/** Weights as whole numbers in the same proportion, with a positive sum. */
function wholeWeights(weights: readonly string[]): bigint[] {
  const decimals = Math.max(0, ...weights.map(decimalsOf));
  const whole = weights.map((weight) => toUnits(weight, decimals));
  const weightSum = sumOf(whole);
  if (weightSum === 0n) return whole.map(() => 1n);
  return weightSum > 0n ? whole : whole.map((weight) => -weight);
}

/** Limits of a number in a request. All digits before the point count as significant, so that `maxSignificant` bounds the size, too. */
export interface DecimalLimits {
  maxDecimals: number;
  maxSignificant: number;
  /** The request field the number came from. */
  param?: string;
}

/** Longest text that is parsed, because parsing costs grow with the digits. Allowed numbers are far shorter. */
const MOST_CHARACTERS = 100;

/** Parses a number of a request as `decimalIn` does. Throws a Refusal that names `param`. */
export function parseDecimal(text: string, { param, ...limits }: DecimalLimits): string {
  const { decimal, fault } = decimalIn(text, limits);
  if (fault !== null) throw new Refusal('parameter_invalid', `${param ?? 'The number'} ${fault}`, param);
  return decimal;
}

/** A number, or the fault of its text, which continues a sentence: "must be a decimal number". */
type DecimalOrFault = { decimal: string; fault: null } | { decimal: null; fault: string };

/** Parses a number of a request, exponents allowed, to plain decimal text without trailing zeros. */
export function decimalIn(text: string, limits: Omit<DecimalLimits, 'param'>): DecimalOrFault {
  const { maxDecimals, maxSignificant } = limits;
  const tooLong = `must have at most ${maxSignificant} significant digits`;
  if (text.length > MOST_CHARACTERS) return { decimal: null, fault: tooLong };
  if (!/^-?\d+(\.\d+)?([eE][+-]?\d{1,3})?$/.test(text)) return { decimal: null, fault: 'must be a decimal number' };
  const value = new Decimal(text);
  const decimals = Math.max(0, value.c.length - value.e - 1);
  if (decimals > maxDecimals) return { decimal: null, fault: `must have at most ${maxDecimals} decimals` };
  if (Math.max(value.c.length, value.e + 1) > maxSignificant) return { decimal: null, fault: tooLong };
  return { decimal: render(value, decimals), fault: null };
}

/** Converts decimal text to the number that JSON prints with the same value. Throws an Error above 15 significant digits. */
export function toJsonNumber(value: string): number {
  if (new Decimal(value).c.length > 15) throw new Error(`too exact for a JSON number: ${value}`);
  return Number(value);
}

/** Rounds first: toFixed alone would keep the sign of a negative number that rounds to zero. */
function render(value: Big, decimals: number): string {
  return value.round(decimals).toFixed(decimals);
}

function decimalsOf(text: string): number {
  const point = text.indexOf('.');
  return point < 0 ? 0 : text.length - point - 1;
}

function toUnits(text: string, decimals: number): bigint {
  const value = new Decimal(text);
  const units = value.round(decimals);
  if (!units.eq(value)) throw new Error(`${text} has more than ${decimals} decimals`);
  return BigInt(units.toFixed(decimals).replace('.', ''));
}
