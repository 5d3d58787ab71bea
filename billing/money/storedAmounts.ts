import type { NamedLine } from '../documents/creditedLines.ts';
import {
  type AppliedDiscount,
  type AppliedTax,
  type OpenDocument,
  pricedOf,
  rateKeyOf,
  totalsOf,
} from '../documents/document.ts';
import { documentTotals, type Rounding } from '../documents/totals.ts';
import { type Fraction, nearest } from './fraction.ts';
import { minorUnits, multiply, subtract } from './money.ts';
import { exact, roundedUnits } from './units.ts';

/** A line with its stored amounts. */
export interface StoredLine extends NamedLine {
  quantity: string;
  unitCost: string;
  discountable: boolean;
  taxable: boolean;
  amount: string;
  net: string;
  discounts: AppliedDiscount[];
  taxes: AppliedTax[];
}

/** A document with its stored amounts. */
export interface StoredDocument {
  currency: string;
  lines: readonly StoredLine[];
  discounts: readonly AppliedDiscount[];
  taxes: readonly AppliedTax[];
}

/** The stored amounts that the rounding of a document decides. */
export interface StoredParts {
  currency: string;
  lines: readonly { quantity: string; unitCost: string; amount: string; taxes: readonly AppliedTax[] }[];
  taxes: readonly AppliedTax[];
}

/** The rounding by which a document comes to its stored amounts of lines and rates. */
export function storedRounding({ currency, lines, taxes }: StoredParts): () => Rounding {
  const decimals = minorUnits(currency);
  const stored = storedTaxes({ currency, lines, taxes });
  const more = lines.map(({ quantity, unitCost, amount }) =>
    unitsOf(subtract(amount, multiply(quantity, unitCost, currency)), decimals),
  );
  return () => ({ lines: more, charge: ({ key }, exactTax) => stored.get(key) ?? nearest(exactTax) });
}

/** The tax of each rate, minor units, by `rateKeyOf`. */
function storedTaxes({ currency, lines, taxes }: StoredParts): Map<string, bigint> {
  const decimals = minorUnits(currency);
  const byRate = new Map<string, bigint>();
  for (const tax of [...taxes, ...lines.flatMap((line) => line.taxes)]) {
    if (!tax.taxRate) continue;
    byRate.set(rateKeyOf(tax), (byRate.get(rateKeyOf(tax)) ?? 0n) + unitsOf(tax.amount, decimals));
  }
  return byRate;
}

/** A rate of a stored document, minor units: its tax, and the same before rounding. */
export interface StoredRate {
  exactTax: Fraction;
  tax: bigint;
}

/** A stored document in minor units. */
export interface StoredUnits {
  /** Of each line, the amount less all discounts. Contains inclusive taxes. */
  lefts: bigint[];
  /** By `rateKeyOf`. */
  rates: Map<string, StoredRate>;
}

/** The amounts of a credit note in minor units. */
export function unitsOfNote(document: StoredDocument): StoredUnits {
  const { lines } = totalsOf(openOf(document), { mayBeNegative: true, rounding: storedRounding(document) });
  return unitsWith(
    document,
    lines.map(({ discounted }) => discounted),
  );
}

/** An invoice's amounts in minor units. A consolidated invoice has sums of amounts that were rounded one by one. */
export function unitsOfInvoice(document: StoredDocument): StoredUnits {
  const { lines } = totalsOf(openOf(document), { mayBeNegative: true });
  const discounted = document.lines.map((line, index) => {
    const computed = lines[index] ?? { discounted: line.net, net: line.net };
    return subtract(computed.discounted, subtract(computed.net, line.net));
  });
  return unitsWith(document, discounted);
}

function unitsWith(document: StoredDocument, discounted: readonly string[]): StoredUnits {
  const decimals = minorUnits(document.currency);
  const lefts = discounted.map((amount) => unitsOf(amount, decimals));
  const stored = storedTaxes(document);
  const rates = new Map<string, StoredRate>();
  documentTotals({
    ...pricedOf(openOf(document)),
    mayBeNegative: true,
    rounding: (computed) => ({
      lines: lefts.map((left, index) => left - (computed[index] ?? 0n)),
      charge: ({ key }, exactTax) => {
        const tax = stored.get(key);
        if (tax !== undefined) rates.set(key, { exactTax, tax });
        return tax ?? nearest(exactTax);
      },
    }),
  });
  return { lefts, rates };
}

/** A stored document as its terms. */
export function openOf({ currency, lines, discounts, taxes }: StoredDocument): OpenDocument {
  return { currency, lines: [...lines], discounts: [...discounts], taxes: [...taxes] };
}

/** Decimal text in minor units. */
export function unitsOf(amount: string, decimals: number): bigint {
  return roundedUnits(exact(amount), decimals);
}
