import { type Fraction, fraction, nearest } from '../money/fraction.ts';
import {
  type Exact,
  exact,
  least,
  roundedUnits,
  splitUnits,
  spreadFixed,
  spreadRounded,
  sumOf,
} from '../money/units.ts';

/**
 * A tax: a percentage ("20" is 20 %) or a flat amount. Not negative. `key` identifies the rate, so that each rate taxes a line only once.
 * Each flat amount has its own key. An inclusive tax is contained in the price.
 */
export interface TaxTerm {
  key: string;
  value: string;
  isPercent: boolean;
  inclusive: boolean;
  /** On a line: the amount of its tax, which another document determines, decimal text of any sign. Absent: the tax is computed. */
  given?: string;
}

export interface TaxedLine {
  /** Amount after discounts, minor units. */
  left: bigint;
  /** False: only the line's own taxes apply. */
  taxable: boolean;
  taxes: readonly TaxTerm[];
}

/** A rate of a document, minor units. `base`: the net of all lines that it taxes. `amount`: the tax. */
export interface TaxedRate {
  term: TaxTerm;
  base: bigint;
  amount: bigint;
}

/** A line with the amounts of its own taxes, in order. `inclusive`: the sum of all taxes contained in its price. */
export type Taxed<Line> = Line & { taxAmounts: bigint[]; inclusive: bigint };

/** Decides the tax of a rate, minor units. `exactTax` is not rounded yet; of a flat tax, it is what the flat tax takes. */
export type Charge = (term: TaxTerm, exactTax: Fraction) => bigint;

/** The amount shown for a term of a line or of the document. */
interface Entry {
  amount: bigint;
}

interface Base {
  line: TaxedLine;
  /** Amount after discounts, without the flat taxes contained in it. */
  left: bigint;
  /** Price / net: 1 + the sum of the inclusive percentages, at the scale of the document's rates. */
  divisor: bigint;
  inclusive: bigint;
  entries: Entry[];
}

/** A line that a rate taxes, and the entry that shows it. */
interface Touched {
  base: Base;
  entry: Entry;
}

/** A rate and the lines that it taxes. `given`: those whose tax is given, with the amount. */
interface Rate {
  term: TaxTerm;
  touched: Touched[];
  given: (Touched & { amount: bigint })[];
  amount: bigint;
}

/**
 * Computes the taxes on the amounts after discounts. A line is taxed with the rates that it names itself, then, if it is taxable, with those
 * of the document (`terms`), with each key once. Each rate is computed on the net of all lines that it taxes, rounded once, and spread over
 * them by largest remainder. A rate that a line names itself is shown at that line, with its part of the tax. The document shows the part of
 * all other lines. The net of a line is its price less the inclusive flat taxes, divided by 1 + the sum of the inclusive percentages. A flat
 * tax is charged once per document, if the lines that it taxes add up to more than zero. A tax that a line has with a given amount is that
 * amount; its rate is computed on the other lines. `decide`, if given, decides the tax of each rate instead of rounding it.
 */
export function taxesOf<Line extends TaxedLine>(
  lines: readonly Line[],
  terms: readonly TaxTerm[],
  { minorUnits, decide }: { minorUnits: number; decide?: Charge | undefined },
): { lines: Taxed<Line>[]; document: bigint[]; rates: TaxedRate[] } {
  const whole = scaleOf([...lines.flatMap((line) => line.taxes), ...terms]);
  const bases = lines.map((line) => ({ ...newBase(line, whole), line }));
  const document = terms.map((): Entry => ({ amount: 0n }));
  const rates = ratesOf(bases, terms, { document, minorUnits });
  for (const rate of rates) chargeGiven(rate);
  const percentages = rates.filter((rate) => rate.term.isPercent);
  const flat = rates.filter((rate) => !rate.term.isPercent);
  for (const rate of flat) if (rate.term.inclusive) chargeFlat(rate, { minorUnits, decide });
  for (const rate of percentages) if (rate.term.inclusive) addToDivisors(rate, whole);
  for (const rate of percentages) chargePercentage(rate, whole, decide);
  for (const rate of flat) if (!rate.term.inclusive) chargeFlat(rate, { minorUnits, decide });
  return {
    lines: bases.map(({ line, entries, inclusive }) => ({ ...line, taxAmounts: entries.map(amountOf), inclusive })),
    document: document.map(amountOf),
    rates: rates.map(taxedRate),
  };
}

/** Called after all rates are charged, because the net of a line is its price less all inclusive taxes. */
function taxedRate({ term, touched, given, amount }: Rate): TaxedRate {
  const all = given.length === 0 ? touched : [...touched, ...given];
  return { term, base: sumOf(all.map(({ base }) => base.line.left - base.inclusive)), amount };
}

const amountOf = (entry: Entry) => entry.amount;

function newBase(line: TaxedLine, whole: bigint): Base {
  return { line, left: line.left, divisor: whole, inclusive: 0n, entries: line.taxes.map(() => ({ amount: 0n })) };
}

/** All rates with the lines that they tax, in order of first use: a line's own first. */
function ratesOf(
  bases: readonly Base[],
  terms: readonly TaxTerm[],
  { document, minorUnits }: { document: readonly Entry[]; minorUnits: number },
): Rate[] {
  const rates = new Map<string, Rate>();
  for (const base of bases) {
    const keys = new Set<string>();
    const touch = (touching: readonly TaxTerm[], entries: readonly Entry[]) => {
      for (const [index, term] of touching.entries()) {
        const entry = entries[index];
        if (!entry || keys.has(term.key)) continue;
        keys.add(term.key);
        const rate = rateOf(rates, term);
        if (term.given === undefined) rate.touched.push({ base, entry });
        else rate.given.push({ base, entry, amount: roundedUnits(exact(term.given), minorUnits) });
      }
    };
    touch(base.line.taxes, base.entries);
    if (base.line.taxable) touch(terms, document);
  }
  return [...rates.values()];
}

/** Finds or adds a rate by key and values. The same key with other values is another rate. */
function rateOf(rates: Map<string, Rate>, term: TaxTerm): Rate {
  const id = `${term.key} ${term.value} ${term.isPercent} ${term.inclusive}`;
  const known = rates.get(id);
  if (known) return known;
  const rate = { term, touched: [], given: [], amount: 0n };
  rates.set(id, rate);
  return rate;
}

/** 100 % at a scale at which each percentage is a whole number. */
function scaleOf(terms: readonly TaxTerm[]): bigint {
  const decimals = terms.map((term) => (term.isPercent ? readValue(term).decimals : 0));
  return 100n * 10n ** BigInt(decimals.reduce((most, one) => Math.max(most, one), 0));
}

function percentage({ term }: Rate, whole: bigint): bigint {
  const { digits, decimals } = readValue(term);
  return (digits * whole) / (100n * 10n ** BigInt(decimals));
}

function readValue({ value }: TaxTerm): Exact {
  const read = exact(value);
  if (read.digits < 0n) throw new Error(`a tax is not negative: ${value}`);
  return read;
}

/** Adds an inclusive percentage to the divisors of the lines that it taxes. */
function addToDivisors(rate: Rate, whole: bigint): void {
  for (const { base } of rate.touched) base.divisor += percentage(rate, whole);
}

/** Charges a percentage of the net of each line: price x percentage / divisor. */
function chargePercentage(rate: Rate, whole: bigint, decide: Charge | undefined): void {
  const percent = percentage(rate, whole);
  const denominator = rate.touched.reduce((soFar, { base }) => leastCommonMultiple(soFar, base.divisor), 1n);
  const shares = rate.touched.map(({ base }) => base.left * percent * (denominator / base.divisor));
  charge(rate, decide ? spreadDecided(rate.term, { shares, denominator }, decide) : spreadRounded(shares, denominator));
}

/** Spreads the decided tax of a rate over its lines in proportion to their shares. */
function spreadDecided(
  term: TaxTerm,
  { shares, denominator }: { shares: readonly bigint[]; denominator: bigint },
  decide: Charge,
): bigint[] {
  const exactTax = fraction(sumOf(shares), denominator);
  const tax = decide(term, exactTax);
  if (tax === nearest(exactTax)) return spreadRounded(shares, denominator);
  if (shares.every((share) => share >= 0n) && exactTax.over > 0n) return splitUnits(tax, shares);
  const rounded = spreadRounded(shares, denominator);
  return rounded.map((part, index) => (index === 0 ? part + tax - nearest(exactTax) : part));
}

/** Charges a flat amount once. An inclusive one is at most the price. */
function chargeFlat(rate: Rate, { minorUnits, decide }: { minorUnits: number; decide: Charge | undefined }): void {
  const lefts = rate.touched.map(({ base }) => base.left);
  const left = sumOf(lefts);
  if (left <= 0n) return;
  const whole = roundedUnits(readValue(rate.term), minorUnits);
  const most = rate.term.inclusive ? least(whole, left) : whole;
  const parts = spreadFixed(decide ? decide(rate.term, fraction(most)) : most, lefts);
  charge(rate, parts);
  if (!rate.term.inclusive) return;
  for (const [index, { base }] of rate.touched.entries()) base.left -= parts[index] ?? 0n;
}

function chargeGiven(rate: Rate): void {
  for (const { base, entry, amount } of rate.given) {
    rate.amount += amount;
    entry.amount += amount;
    if (rate.term.inclusive) base.inclusive += amount;
  }
}

function charge(rate: Rate, parts: readonly bigint[]): void {
  const { term, touched } = rate;
  rate.amount += sumOf(parts);
  for (const [index, { base, entry }] of touched.entries()) {
    const part = parts[index] ?? 0n;
    entry.amount += part;
    if (term.inclusive) base.inclusive += part;
  }
}

function leastCommonMultiple(left: bigint, right: bigint): bigint {
  if (left % right === 0n) return left;
  let [divisor, rest] = [left, right];
  while (rest !== 0n) [divisor, rest] = [rest, divisor % rest];
  return (left / divisor) * right;
}

/** Reason why a document may have no tax rates; null: it may. */
export function whyUntaxed(customer: { id: number; taxable: boolean }, calculateTaxes: boolean): string | null {
  if (!customer.taxable) return `Customer ${customer.id} is not taxable: it has no taxes`;
  return calculateTaxes ? null : 'Tax rates have no effect with calculate_taxes false: give amounts';
}
