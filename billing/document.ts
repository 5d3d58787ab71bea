import type { Json } from './json.ts';
import type { Money } from './money.ts';
import {
  type DiscountTerm,
  documentRates,
  documentTotals,
  type Priced,
  type RateTotal,
  type TaxTerm,
  type Totals,
} from './totals.ts';

/** A coupon as it is presented, kept as it was when it was attached. */
export interface CouponSnapshot {
  [field: string]: Json;
  id: string;
  value: number;
  is_percent: boolean;
  exclusive: boolean;
  currency: string | null;
}

/** A tax rate as it is presented, kept as it was when it was chosen. */
export interface TaxRateSnapshot {
  [field: string]: Json;
  id: string;
  value: number;
  is_percent: boolean;
  inclusive: boolean;
  currency: string | null;
}

/** A discount of a line or a document, with the amount it came to. */
export interface AppliedDiscount {
  id: number;
  amount: Money;
  /** What is taken off at most, of one that no coupon gave; null with a coupon. */
  fixed: Money | null;
  coupon: CouponSnapshot | null;
  /** Epoch milliseconds. */
  expiresAt: number | null;
}

/** A tax of a line or a document, with the amount it came to. */
export interface AppliedTax {
  id: number;
  amount: Money;
  /** The tax itself, where no rate says how much it is; null with a rate. */
  fixed: Money | null;
  taxRate: TaxRateSnapshot | null;
  /** Tells rates apart that had the same id one after another. */
  rateKey: number | null;
  /** Epoch milliseconds. */
  updatedAt: number;
}

/** A discount whose amount has yet to be computed. Id null: it is new. */
export type OpenDiscount = Omit<AppliedDiscount, 'id' | 'amount'> & { id: number | null };

/** A tax whose amount has yet to be computed. Id null: it is new. */
export type OpenTax = Omit<AppliedTax, 'id' | 'amount' | 'updatedAt'> & { id: number | null };

/** What of a line its amounts follow from. */
export interface OpenLine {
  quantity: string;
  unitCost: string;
  discountable: boolean;
  taxable: boolean;
  discounts: OpenDiscount[];
  taxes: OpenTax[];
}

/** A document whose amounts have yet to be computed. */
export interface OpenDocument<Line extends OpenLine = OpenLine> {
  lines: Line[];
  discounts: OpenDiscount[];
  taxes: OpenTax[];
  currency: string;
}

/** The amounts of a document. Refuses what `documentTotals` refuses. */
export function totalsOf(document: OpenDocument, how: Pick<Priced, 'mayBeNegative' | 'isLine'> = {}): Totals {
  return documentTotals({ ...pricedOf(document), ...how });
}

/** The rates of a document with what each is computed on; its `key` is `rateKeyOf` of a tax of it. */
export function ratesOf(document: OpenDocument): RateTotal[] {
  return documentRates(pricedOf(document));
}

/** What tells its rate apart from others. */
export function rateKeyOf({ rateKey }: Pick<OpenTax, 'rateKey'>): string {
  return `rate ${rateKey}`;
}

function pricedOf(document: OpenDocument): Priced {
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

function discountTerm({ coupon, fixed }: OpenDiscount): DiscountTerm {
  if (coupon) return { value: String(coupon.value), isPercent: coupon.is_percent };
  return { value: fixed ?? '0', isPercent: false };
}

/** `place` tells fixed taxes apart, which are all different ones. */
function taxTerm(tax: OpenTax, place: string): TaxTerm {
  const { taxRate, fixed } = tax;
  if (!taxRate) return { key: place, value: fixed ?? '0', isPercent: false, inclusive: false };
  const { value, is_percent: isPercent, inclusive } = taxRate;
  return { key: rateKeyOf(tax), value: String(value), isPercent, inclusive };
}

/** How many ids the discounts and taxes of a document need that have none yet. */
export function missingIds({ lines, discounts, taxes }: OpenDocument): number {
  const all = [...discounts, ...taxes, ...lines.flatMap((line) => [...line.discounts, ...line.taxes])];
  return all.filter(({ id }) => id === null).length;
}

/** Discounts with their amounts; new ones take ids. */
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

/** Taxes with their amounts; new ones take ids. One that comes to the same as before keeps its time. */
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
