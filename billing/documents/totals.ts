import { checkAmount } from '../limits.ts';
import { isNegative, type Money, minorUnits } from '../money/money.ts';
import { decimalText, exact, roundedUnits, sumOf } from '../money/units.ts';
import { Refusal } from '../refusal.ts';
import { type Discounted, type DiscountTerm, discountsOf } from './discount.ts';
import { type Charge, type Taxed, type TaxTerm, taxesOf } from './tax.ts';

export type { DiscountTerm } from './discount.ts';
export type { TaxTerm } from './tax.ts';

/** Quantity and unit cost are decimal text; a negative unit cost credits. */
export interface PricedLine {
  quantity: string;
  unitCost: string;
  /** False: the document's discounts do not apply to it. */
  discountable: boolean;
  /** False: the document's taxes do not apply to it. */
  taxable: boolean;
  discounts: readonly DiscountTerm[];
  taxes: readonly TaxTerm[];
}

/** How a document is rounded whose amounts complete those of others. */
export interface Rounding {
  /** Minor units by which each line exceeds its rounded amount. */
  lines: readonly bigint[];
  charge: Charge;
}

export interface Priced {
  lines: readonly PricedLine[];
  discounts: readonly DiscountTerm[];
  taxes: readonly TaxTerm[];
  currency: string;
  /** Allows a negative total. For pending lines and for bills that no request asked for, whose negative total becomes a credit. */
  mayBeNegative?: boolean;
  /** Called with the discounted amount of each line, minor units. Absent: each line and each rate is rounded by itself. */
  rounding?: (discounted: readonly bigint[]) => Rounding;
  /** The request is one line without `items`: refusals name the fields of that line. */
  isLine?: boolean;
}

export interface LineTotals {
  /** quantity x unit cost, before discounts, with inclusive taxes. */
  amount: Money;
  /** One for each of its own discounts and taxes, in their order. */
  discounts: Money[];
  taxes: Money[];
  /** Amount less its own discounts and its share of the document's discounts. Still contains inclusive taxes. */
  discounted: Money;
  /** `discounted` less inclusive taxes. Posted as revenue. */
  net: Money;
}

export interface Totals {
  lines: LineTotals[];
  /** One for each discount and tax of the document, in their order. */
  discounts: Money[];
  taxes: Money[];
  /** Sum of the line amounts less inclusive taxes. */
  subtotal: Money;
  discountTotal: Money;
  taxTotal: Money;
  total: Money;
}

/** A rate with its base and its tax. */
export interface RateTotal {
  term: TaxTerm;
  base: Money;
  amount: Money;
}

/**
 * Computes all amounts of a document by the rules of docs/calculation.md. Two equations always hold: subtotal - discountTotal + taxTotal =
 * total, and the sum of the lines' nets + taxTotal = total. Refuses amounts that are too large, and a negative total unless
 * `mayBeNegative`.
 */
export function documentTotals(document: Priced): Totals {
  const { decimals, discounted, taxed } = calculated(document);
  const totals = inUnits(taxed.lines, discounted.document, taxed.document);
  const money = (units: bigint) => decimalText(units, decimals);
  const shown: Totals = {
    lines: taxed.lines.map((line) => {
      const discounted = money(line.left);
      return {
        amount: money(line.amount),
        discounts: line.discountAmounts.map(money),
        taxes: line.taxAmounts.map(money),
        discounted,
        net: line.inclusive === 0n ? discounted : money(line.left - line.inclusive),
      };
    }),
    discounts: discounted.document.map(money),
    taxes: taxed.document.map(money),
    subtotal: money(totals.subtotal),
    discountTotal: money(totals.discountTotal),
    taxTotal: money(totals.taxTotal),
    total: money(totals.total),
  };
  checkTotals(shown, document);
  return shown;
}

/** The tax rates of a document, each with the net of all lines that it taxes (`base`) and its tax (`amount`). */
export function documentRates(document: Priced): RateTotal[] {
  const { decimals, taxed } = calculated(document);
  const money = (units: bigint) => decimalText(units, decimals);
  return taxed.rates.map(({ term, base, amount }) => ({ term, base: money(base), amount: money(amount) }));
}

/** The amount of each line after all discounts. Contains inclusive taxes, and no other. */
export function discountedAmounts(document: Priced): Money[] {
  const { decimals, discounted } = calculated(document);
  return discounted.lines.map(({ left }) => decimalText(left, decimals));
}

function calculated(document: Priced) {
  const decimals = minorUnits(document.currency);
  const priced = document.lines.map((line) => ({ ...line, amount: lineAmount(line, decimals) }));
  const discounted = discountsOf(priced, document.discounts, decimals);
  const rounding = document.rounding?.(discounted.lines.map(({ left }) => left));
  if (!rounding)
    return { decimals, discounted, taxed: taxesOf(discounted.lines, document.taxes, { minorUnits: decimals }) };
  const lines = discounted.lines.map((line, index) => {
    const more = rounding.lines[index] ?? 0n;
    return { ...line, amount: line.amount + more, left: line.left + more };
  });
  const taxed = taxesOf(lines, document.taxes, { minorUnits: decimals, decide: rounding.charge });
  return { decimals, discounted: { ...discounted, lines }, taxed };
}

type CalculatedLine = Taxed<Discounted<{ amount: bigint }>>;

/** Adds exact minor units without rounding, so that the identity of `documentTotals` holds. */
function inUnits(lines: readonly CalculatedLine[], discounts: readonly bigint[], taxes: readonly bigint[]) {
  const subtotal = sumOf(lines.map((line) => line.amount - line.inclusive));
  const discountTotal = sumOf([...lines.flatMap((line) => line.discountAmounts), ...discounts]);
  const taxTotal = sumOf([...lines.flatMap((line) => line.taxAmounts), ...taxes]);
  return { subtotal, discountTotal, taxTotal, total: subtotal - discountTotal + taxTotal };
}

/** quantity x unit cost, exact and then rounded once. */
function lineAmount(line: PricedLine, decimals: number): bigint {
  const quantity = exact(line.quantity);
  const unitCost = exact(line.unitCost);
  const product = {
    digits: quantity.digits * unitCost.digits,
    decimals: quantity.decimals + unitCost.decimals,
  };
  return roundedUnits(product, decimals);
}

function checkTotals(totals: Totals, { mayBeNegative = false, isLine = false }: Priced): void {
  for (const [index, line] of totals.lines.entries()) {
    checkAmount(line.amount, isLine ? 'unit_cost' : `items[${index}]`);
    for (const amount of line.taxes) checkAmount(amount, isLine ? 'taxes' : `items[${index}][taxes]`);
  }
  for (const amount of [...totals.taxes, totals.taxTotal]) checkAmount(amount, 'taxes');
  const whole = isLine ? 'unit_cost' : 'items';
  for (const amount of [totals.subtotal, totals.discountTotal, totals.total]) checkAmount(amount, whole);
  if (isNegative(totals.total) && !mayBeNegative) {
    throw new Refusal('parameter_invalid', `Total must not be negative: ${totals.total}`, 'items');
  }
}
