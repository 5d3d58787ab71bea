import { exactlyDiscounted } from '../money/exactAmounts.ts';
import {
  compareFractions,
  type Fraction,
  fraction,
  minus,
  NO_FRACTION,
  nearest,
  plus,
  sumOfFractions,
  times,
} from '../money/fraction.ts';
import { openOf, type StoredDocument, type StoredRate, unitsOfInvoice, unitsOfNote } from '../money/storedAmounts.ts';
import { least, sumOf } from '../money/units.ts';
import { isNamed, isSamePeriod, type NamedLine } from './creditedLines.ts';
import { type OpenDocument, type OpenLine, pricedOf, rateKeyOf } from './document.ts';
import type { Charge, TaxTerm } from './tax.ts';
import type { Rounding } from './totals.ts';

/** An issued credit note of an invoice that is not voided. */
export interface EarlierNote extends StoredDocument {
  /** It grants the discount for early payment, a part of every line and rate. */
  isEarlyDiscount: boolean;
}

const ONE = fraction(1n);
const NONE: StoredRate = { exactTax: NO_FRACTION, tax: 0n };

export interface NoteLine extends OpenLine, NamedLine {}

/** Lines of credit notes that name the same lines of their invoice. */
interface Group {
  /** Indexes of the lines of the invoice. */
  named: ReadonlySet<number>;
  exact: Fraction;
  units: bigint;
}

/** How a credit note is rounded that corrects an invoice. */
export interface NoteRounding {
  /** Whether the lines of all credit notes together credit no more than those of the invoice, before rounding. */
  isWithin: boolean;
  /** Whether the same is true of a rate of which the credit note has this tax, not rounded. */
  isTaxWithin(term: TaxTerm, exactTax: Fraction): boolean;
  /** The rounding that credits a number of minor units less. */
  less(units: bigint): (discounted: readonly bigint[]) => Rounding;
}

/** An invoice and its earlier credit notes in minor units. */
export interface CreditedUnits {
  lefts: readonly bigint[];
  exacts: readonly Fraction[];
  rates: ReadonlyMap<string, StoredRate>;
  /** The lines of earlier credit notes, and their rates. */
  groups: readonly Group[];
  earlierRates: ReadonlyMap<string, StoredRate>;
  /** The lines that a line of a credit note credits. */
  namedBy(line: NoteLine, document: Rated): ReadonlySet<number>;
}

export function creditedUnits(invoice: StoredDocument, earlier: readonly EarlierNote[]): CreditedUnits {
  const { lefts, rates } = unitsOfInvoice(invoice);
  const before = earlier.map((one) => ({ one, ...unitsOfNote(one) }));
  const namedBy = namesIn(invoice);
  const credited = before.flatMap(({ one, lefts }) => {
    const exacts = exactlyDiscounted(pricedOf(openOf(one)));
    return one.lines.map((line, index) => {
      return { named: namedBy(line, one), exact: exacts[index] ?? NO_FRACTION, units: lefts[index] ?? 0n };
    });
  });
  return {
    lefts,
    exacts: exactlyDiscounted(pricedOf(openOf(invoice))),
    rates,
    groups: grouped(credited),
    earlierRates: sumOfRates(before, { invoice, rates }),
    namedBy,
  };
}

/**
 * Rounds a credit note so that all credit notes of its invoice add up to the invoice. A line takes what is left of the lines that it names
 * if it completes them, or exceeds it by rounding alone. The tax of a rate is the rounded tax on everything that has been credited, less
 * the tax on the earlier credit notes. It is never negative.
 */
export function noteRounding(note: OpenDocument<NoteLine>, of: CreditedUnits): NoteRounding {
  const exacts = exactlyDiscounted(pricedOf(note));
  const named = note.lines.map((line) => of.namedBy(line, note));
  const all = new Set(of.lefts.keys());
  const together = partOf(all, { of, named, exacts });
  const groups = [...new Map([...named, all].map((group) => [keyOf(group), group])).values()];
  const parts = groups
    .toSorted((one, other) => one.size - other.size)
    .map((group) => partOf(group, { of, named, exacts }));
  const charge = chargeOf(of, together.isComplete);
  const isTaxWithin = ({ key, isPercent }: TaxTerm, exactTax: Fraction) => {
    const [most, credited] = [of.rates.get(key), of.earlierRates.get(key) ?? NONE];
    if (!most || !isPercent) return most !== undefined || exactTax.over === 0n;
    return compareFractions(plus(credited.exactTax, exactTax), plus(most.exactTax, ONE)) <= 0n;
  };
  const less = (units: bigint) => (discounted: readonly bigint[]) => ({
    lines: differencesOf(parts, { discounted, exacts, less: units }),
    charge,
  });
  return { isWithin: together.isWithin, isTaxWithin, less };
}

/** What a credit note credits of some lines of its invoice. */
function partOf(
  group: ReadonlySet<number>,
  { of, named, exacts }: { of: CreditedUnits; named: readonly ReadonlySet<number>[]; exacts: readonly Fraction[] },
): Part {
  const indexes = [...group];
  const credited = of.groups.filter((one) => isPart(one.named, group));
  const own = [...named.keys()].filter((index) => isPart(named[index] ?? group, group));
  const units = sumOf(indexes.map((index) => of.lefts[index] ?? 0n));
  const most = sumOfFractions(indexes.map((index) => of.exacts[index] ?? NO_FRACTION));
  const ownExacts = own.map((index) => exacts[index] ?? NO_FRACTION);
  const exact = sumOfFractions([...credited.map((one) => one.exact), ...ownExacts]);
  return {
    own,
    left: units - sumOf(credited.map((one) => one.units)),
    isComplete: isEqual(exact, most) || isEqual(exact, fraction(units)),
    isWithin: compareFractions(exact, most) <= 0n || compareFractions(exact, fraction(units)) <= 0n,
  };
}

/** Some lines of an invoice, as the lines of a credit note that name no others see them. */
interface Part {
  /** Indexes of the lines of the credit note. */
  own: readonly number[];
  /** What earlier credit notes leave of the lines of the invoice, minor units. */
  left: bigint;
  isComplete: boolean;
  isWithin: boolean;
}

/** Minor units by which each line of a credit note exceeds its rounded amount. */
function differencesOf(
  parts: readonly Part[],
  { discounted, exacts, less }: { discounted: readonly bigint[]; exacts: readonly Fraction[]; less: bigint },
): bigint[] {
  const lefts = [...discounted];
  const isRounded = (index: number) => exacts[index]?.under !== 1n;
  const move = (own: readonly number[], by: bigint) => {
    const last = own.toReversed();
    const rest = spread(lefts, { takers: last.filter(isRounded), by });
    spread(lefts, { takers: last, by: rest });
  };
  for (const { own, left, isComplete, isWithin } of parts) {
    const units = sumOf(own.map((index) => lefts[index] ?? 0n));
    const wanted = left > 0n ? left : 0n;
    if (isComplete || (isWithin && units > wanted)) move(own, wanted - units);
  }
  move([...lefts.keys()], -less);
  return lefts.map((left, index) => left - (discounted[index] ?? 0n));
}

/** Spreads an amount evenly over lines, none of which falls below zero. Returns the rest. */
function spread(lefts: bigint[], { takers, by }: { takers: readonly number[]; by: bigint }): bigint {
  let rest = by;
  for (const [place, index] of takers.entries()) {
    const left = lefts[index] ?? 0n;
    const share = awayFromZero(rest, BigInt(takers.length - place));
    const moved = share < -left ? -left : share;
    lefts[index] = left + moved;
    rest -= moved;
  }
  return rest;
}

/** A fraction, rounded up in size. */
function awayFromZero(dividend: bigint, divisor: bigint): bigint {
  if (dividend < 0n) return -awayFromZero(-dividend, divisor);
  return (dividend + divisor - 1n) / divisor;
}

const isEqual = (one: Fraction, other: Fraction) => compareFractions(one, other) === 0n;
const isPart = (one: ReadonlySet<number>, of: ReadonlySet<number>) =>
  one.size <= of.size && [...one].every((index) => of.has(index));
const keyOf = (group: ReadonlySet<number>) => [...group].join();

function grouped(lines: readonly Group[]): Group[] {
  const byKey = Map.groupBy(lines, ({ named }) => keyOf(named));
  return [...byKey.values()].map((group) => ({
    named: group[0]?.named ?? new Set(),
    exact: sumOfFractions(group.map(({ exact }) => exact)),
    units: sumOf(group.map(({ units }) => units)),
  }));
}

type Rated = Pick<OpenDocument, 'taxes'> | Pick<StoredDocument, 'taxes'>;

/**
 * Which lines of an invoice a line of a credit note credits: those with its names, price and rates, or else those that it names
 * (`isNamed`), or else all.
 */
function namesIn(invoice: StoredDocument): (line: NoteLine, document: Rated) => ReadonlySet<number> {
  const known = new Map<string, ReadonlySet<number>>();
  const all = [...invoice.lines.keys()];
  const shown = ({ planCode, itemCode, name, unitCost, taxable, taxes }: NoteLine, document: Rated) => {
    const rates = [...taxes, ...(taxable ? document.taxes : [])].flatMap((tax) => (tax.taxRate ? rateKeyOf(tax) : []));
    return JSON.stringify([
      planCode ?? null,
      itemCode ?? null,
      name ?? null,
      Number(unitCost),
      [...new Set(rates)].sort(),
    ]);
  };
  const ofInvoice = invoice.lines.map((line) => shown(line, invoice));
  return (line, document) => {
    const { periodStartAt = null, periodEndAt = null } = line;
    const like = shown(line, document);
    const key = JSON.stringify([like, periodStartAt, periodEndAt]);
    const found = known.get(key);
    if (found) return found;
    const isDated = periodStartAt !== null && periodEndAt !== null;
    const isLike = (index: number) =>
      ofInvoice[index] === like && (!isDated || isSamePeriod(line, invoice.lines[index] ?? {}));
    const alike = all.filter(isLike);
    const named = alike.length > 0 ? alike : all.filter((index) => isNamed(line, invoice.lines[index] ?? {}));
    const group = new Set(named.length > 0 ? named : all);
    known.set(key, group);
    return group;
  };
}

/** The rates of earlier credit notes, added up. */
function sumOfRates(
  before: readonly { one: EarlierNote; rates: Map<string, StoredRate> }[],
  of: { invoice: StoredDocument; rates: ReadonlyMap<string, StoredRate> },
): Map<string, StoredRate> {
  const sums = new Map<string, StoredRate>();
  for (const { one, rates } of before) {
    const share = one.isEarlyDiscount ? shareOf(one, of.invoice) : null;
    for (const [key, { exactTax, tax }] of rates) {
      const known = sums.get(key) ?? NONE;
      const own = share ? times(share, of.rates.get(key)?.exactTax ?? NO_FRACTION) : exactTax;
      sums.set(key, { exactTax: plus(known.exactTax, own), tax: known.tax + tax });
    }
  }
  return sums;
}

/** The part of an invoice that a credit note credits, without taxes. */
function shareOf(note: StoredDocument, invoice: StoredDocument): Fraction {
  const netOf = ({ lines }: StoredDocument) =>
    sumOfFractions(lines.map(({ net }) => fraction(BigInt(net.replace('.', '')), 10n ** BigInt(decimalsOf(net)))));
  const net = netOf(invoice);
  return net.over > 0n ? times(netOf(note), fraction(net.under, net.over)) : NO_FRACTION;
}

const decimalsOf = (text: string) => (text.includes('.') ? text.length - text.indexOf('.') - 1 : 0);

/** The tax of each rate of the invoice. Other rates are rounded by themselves. */
function chargeOf({ rates, earlierRates }: CreditedUnits, isComplete: boolean): Charge {
  const decided = (most: StoredRate, credited: Fraction) => {
    const left = minus(most.exactTax, credited);
    if (left.over === 0n) return most.tax;
    // The last credit note takes what is left of the tax, although its lines were rounded.
    if (isComplete && compareFractions({ ...left, over: left.over < 0n ? -left.over : left.over }, ONE) <= 0n)
      return most.tax;
    return left.over > 0n ? least(nearest(credited), most.tax) : nearest(credited);
  };
  return ({ key, isPercent }, exactTax) => {
    const most = rates.get(key);
    if (!most || exactTax.over <= 0n) return nearest(exactTax);
    const earlier = earlierRates.get(key) ?? NONE;
    const target = isPercent ? decided(most, plus(earlier.exactTax, exactTax)) : most.tax;
    const tax = target - earlier.tax;
    if (tax <= 0n) return 0n;
    return isPercent ? tax : least(tax, nearest(exactTax));
  };
}
