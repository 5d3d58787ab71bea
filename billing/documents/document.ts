import type { Json } from '../json.ts';
import { add, type Money } from '../money/money.ts';
import {
  type DiscountTerm,
  discountedAmounts,
  documentRates,
  documentTotals,
  type Priced,
  type RateTotal,
  type TaxTerm,
  type Totals,
} from './totals.ts';

/** A coupon as the API presents it, copied when it was attached. */
export interface CouponSnapshot {
  [field: string]: Json;
  id: string;
  value: number;
  is_percent: boolean;
  exclusive: boolean;
  currency: string | null;
}

/** A tax rate as the API presents it, copied when it was chosen. */
export interface TaxRateSnapshot {
  [field: string]: Json;
  id: string;
  value: number;
  is_percent: boolean;
  inclusive: boolean;
  currency: string | null;
}

/** A discount of a line or a document, with its computed amount. */
export interface AppliedDiscount {
  id: number;
  amount: Money;
  /** Maximum amount of a discount without a coupon; null with a coupon. */
  fixed: Money | null;
  coupon: CouponSnapshot | null;
  /** Percentage of a discount for early payment: decimal text. Absent: it is another discount. */
  percent?: string;
  /** When a discount for early payment ends, epoch milliseconds; null: it does not. */
  expiresAt: number | null;
}

/** A tax of a line or a document, with its computed amount. */
export interface AppliedTax {
  id: number;
  amount: Money;
  /** Amount of a tax without a tax rate; null with a rate. */
  fixed: Money | null;
  /** The tax, if another document determines its amount, which may have any sign. Without it, the tax is computed. */
  given?: Money;
  taxRate: TaxRateSnapshot | null;
  /** Distinguishes rates that used the same id one after another. */
  rateKey: number | null;
  /** Epoch milliseconds. */
  updatedAt: number;
}

/** A discount whose amount is not computed yet. `id` null: it is new. */
export type OpenDiscount = Omit<AppliedDiscount, 'id' | 'amount'> & { id: number | null };

/** A tax whose amount is not computed yet. `id` null: it is new. */
export type OpenTax = Omit<AppliedTax, 'id' | 'amount' | 'updatedAt'> & { id: number | null };

/** The values from which the amounts of a line are computed. */
export interface OpenLine {
  quantity: string;
  unitCost: string;
  discountable: boolean;
  taxable: boolean;
  discounts: OpenDiscount[];
  taxes: OpenTax[];
}

/** A document whose amounts are not computed yet. */
export interface OpenDocument<Line extends OpenLine = OpenLine> {
  lines: Line[];
  discounts: OpenDiscount[];
  taxes: OpenTax[];
  currency: string;
}

/** Computes the amounts of a document. Refuses what `documentTotals` refuses. */
export function totalsOf(
  document: OpenDocument,
  how: Pick<Priced, 'mayBeNegative' | 'isLine' | 'rounding'> = {},
): Totals {
  return documentTotals({ ...pricedOf(document), ...how });
}

/** The rates of a document, each with its base amount. `key` is `rateKeyOf` of the taxes that have this tax rate. */
export function ratesOf(document: OpenDocument, how: Pick<Priced, 'rounding'> = {}): RateTotal[] {
  return documentRates({ ...pricedOf(document), ...how });
}

/** The amount of each line after all discounts. Contains inclusive taxes, and no other. */
export function discountedOf(document: OpenDocument): Money[] {
  return discountedAmounts(pricedOf(document));
}

/** Lines of a document that are taxed with the same rates. */
export interface RateGroup {
  /** Their amount after discounts, with inclusive taxes. */
  price: Money;
  taxes: { tax: OpenTax; amount: Money }[];
}

/** The lines of a document, grouped by the rates that tax them. The keys are the same for documents with the same rates. */
export function rateGroupsOf(document: OpenDocument): Map<string, RateGroup> {
  const { lines, discounts, taxes, currency } = pricedOf(document);
  const shared = taxes.map((term, index) => ({ term, tax: document.taxes[index] }));
  const taxed = lines.map((line, index) => {
    const own = line.taxes.map((term, place) => ({ term, tax: document.lines[index]?.taxes[place] }));
    return oncePerKey([...own, ...(line.taxable ? shared : [])]);
  });
  const alone = lines.map((line, index) => ({ ...line, taxable: false, taxes: (taxed[index] ?? []).map(termOf) }));
  const totals = documentTotals({ lines: alone, discounts, taxes: [], currency, mayBeNegative: true });
  const groups = new Map<string, RateGroup>();
  for (const [index, { discounted, taxes: amounts }] of totals.lines.entries()) {
    const all = taxed[index] ?? [];
    const key = JSON.stringify(all.map(({ term }) => [term.key, term.value, term.isPercent, term.inclusive]));
    const known = groups.get(key);
    groups.set(key, {
      price: add(known?.price ?? '0', discounted),
      taxes: all.flatMap(({ tax }, place) =>
        tax ? [{ tax, amount: add(known?.taxes[place]?.amount ?? '0', amounts[place] ?? '0') }] : [],
      ),
    });
  }
  return groups;
}

const termOf = ({ term }: { term: TaxTerm }) => term;

function oncePerKey<One extends { term: TaxTerm }>(all: readonly One[]): One[] {
  return [...new Map(all.toReversed().map((one) => [one.term.key, one])).values()].toReversed();
}

/** Key that distinguishes a tax's rate from others. */
export function rateKeyOf({ rateKey }: Pick<OpenTax, 'rateKey'>): string {
  return `rate ${rateKey}`;
}

/** The tax rates of a line, as `taxesOf` (tax.ts) charges them: its own and, if it is taxable, the others of its document. No fixed taxes. */
export function taxesOn(
  { taxes, taxable }: Pick<OpenLine, 'taxes' | 'taxable'>,
  ofDocument: readonly OpenTax[],
): OpenTax[] {
  const known = new Set<string>();
  return [...taxes, ...(taxable ? ofDocument : [])].filter((tax) => {
    const isKnown = known.has(rateKeyOf(tax));
    known.add(rateKeyOf(tax));
    return !isKnown;
  });
}

/** A document as `documentTotals` takes it. */
export function pricedOf(document: OpenDocument): Priced {
  const { lines, discounts, taxes, currency } = document;
  const priced = lines.map((line, index) => ({
    ...line,
    discounts: line.discounts.map(discountTerm),
    taxes: line.taxes.map((tax, place) => taxTerm(tax, `line ${index} tax ${place}`)),
  }));
  return {
    lines: priced,
    discounts: discounts.map(discountTerm),
    taxes: taxes.map((tax, place) => taxTerm(tax, `tax ${place}`)),
    currency,
  };
}

function discountTerm({ coupon, fixed, percent }: OpenDiscount): DiscountTerm {
  if (percent !== undefined) return { value: percent, isPercent: true };
  if (coupon) return { value: String(coupon.value), isPercent: coupon.is_percent };
  return { value: fixed ?? '0', isPercent: false };
}

/** `place` is the key of a fixed tax: no two fixed taxes are the same. */
function taxTerm(tax: OpenTax, place: string): TaxTerm {
  const { taxRate, fixed, given } = tax;
  const amount = given === undefined ? {} : { given };
  if (!taxRate) return { key: place, value: fixed ?? '0', isPercent: false, inclusive: false, ...amount };
  const { value, is_percent: isPercent, inclusive } = taxRate;
  return { key: rateKeyOf(tax), value: String(value), isPercent, inclusive, ...amount };
}

/** Number of discounts and taxes of a document, lines included, that have no id yet. */
export function missingIds({ lines, discounts, taxes }: OpenDocument): number {
  const all = [...discounts, ...taxes, ...lines.flatMap((line) => [...line.discounts, ...line.taxes])];
  return all.filter(({ id }) => id === null).length;
}

/** Adds amounts to discounts, and ids to new ones. */
export function appliedDiscounts(
  open: readonly OpenDiscount[],
  amounts: readonly Money[],
  takeId: () => number,
): AppliedDiscount[] {
  return open.map((discount, index) => ({
    ...discount,
    id: discount.id ?? takeId(),
    amount: amounts[index] ?? '0',
  }));
}

/** Adds amounts to taxes, and ids to new ones. A tax whose amount did not change keeps its `updatedAt`. */
export function appliedTaxes(
  open: readonly OpenTax[],
  amounts: readonly Money[],
  how: { takeId: () => number; before: readonly AppliedTax[]; now: number },
): AppliedTax[] {
  return open.map((tax, index) => {
    const amount = amounts[index] ?? '0';
    const before = how.before.find(({ id }) => id === tax.id);
    const updatedAt = before && before.amount === amount ? before.updatedAt : how.now;
    return { ...tax, id: tax.id ?? how.takeId(), amount, updatedAt };
  });
}

/** Tables of documents with lines. */
export const documentTables = ['invoice', 'estimate', 'credit_note'] as const;
export type DocumentTable = (typeof documentTables)[number];

/** Types of documents with a public page and a PDF. The document of a payment is its receipt. */
export const documentTypes = [...documentTables, 'payment'] as const;
export type DocumentType = (typeof documentTypes)[number];
