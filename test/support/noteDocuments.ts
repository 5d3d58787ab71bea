import {
  type AppliedDiscount,
  type AppliedTax,
  type OpenDocument,
  totalsOf,
} from '../../billing/documents/document.ts';
import { creditedUnits, type EarlierNote, type NoteLine } from '../../billing/documents/noteRounding.ts';
import { type CreditedInvoice, roundingOf } from '../../billing/payments/creditCeiling.ts';
import { Rational } from './rational.ts';

/** An invoice and credit notes that divide it, without a database. */

export const rate = (key: number, value: number, inclusive = false): AppliedTax => {
  const taxRate = { id: `rate-${key}`, value, is_percent: true, inclusive, currency: null };
  return { id: key, amount: '0', fixed: null, taxRate, rateKey: key, updatedAt: 0 };
};
export const percentOff = (percent: string): AppliedDiscount => {
  return { id: 9, amount: '0', fixed: null, coupon: null, percent, expiresAt: null };
};
export type Line = Omit<NoteLine, 'discounts' | 'taxes'> & { discounts: AppliedDiscount[]; taxes: AppliedTax[] };
export type Document = Omit<OpenDocument, 'lines' | 'discounts' | 'taxes'> & {
  lines: Line[];
  discounts: AppliedDiscount[];
  taxes: AppliedTax[];
};

export const lineOf = (quantity: string, unitCost: string, more: Partial<Line> = {}): Line => {
  return { quantity, unitCost, discountable: true, taxable: true, discounts: [], taxes: [], ...more };
};
export const documentOf = (lines: Line[], more: Partial<Document> = {}): Document => {
  return { lines, discounts: [], taxes: [], currency: 'usd', ...more };
};

export type Stored = EarlierNote & { total: string; taxTotal: string };

export function stored(document: Document, rounding?: ReturnType<typeof roundingOf>): Stored {
  const totals = totalsOf(document, rounding ? { rounding } : {});
  const { total, taxTotal } = totals;
  const lines = document.lines.map((line, index) => {
    const { amount = '', net = '', taxes = [] } = totals.lines[index] ?? {};
    const own: readonly AppliedTax[] = line.taxes;
    const taxed = own.map((tax, place) => ({ ...tax, amount: taxes[place] ?? '' }));
    return { ...line, amount, net, taxes: taxed };
  });
  const taxes = document.taxes.map((tax, place) => ({ ...tax, amount: totals.taxes[place] ?? '' }));
  return { ...document, lines, taxes, total, taxTotal, isEarlyDiscount: false };
}

export const against = (invoice: Stored, earlier: Stored[]): CreditedInvoice => {
  return { invoice, earlier, otherwise: '0', units: creditedUnits(invoice, earlier) };
};

/** Issues credit notes one after another. `plain`: indexes of those that are rounded by themselves, as before the rule. */
export function issued(invoice: Stored, notes: readonly Document[], plain: ReadonlySet<number> = new Set()): Stored[] {
  const earlier: Stored[] = [];
  for (const [index, note] of notes.entries()) {
    earlier.push(stored(note, plain.has(index) ? undefined : roundingOf(note, against(invoice, earlier))));
  }
  return earlier;
}

export const sumOf = (amounts: readonly string[]) => Rational.sum(amounts.map((amount) => Rational.of(amount)));

/** The tax of each rate, by its key. */
export function ratesIn(documents: readonly Stored[]): Map<number, Rational> {
  const taxes = documents.flatMap((one) => [...one.taxes, ...one.lines.flatMap((line) => line.taxes)]);
  const byRate = Map.groupBy(taxes, ({ rateKey }) => rateKey ?? 0);
  return new Map([...byRate].map(([key, all]) => [key, sumOf(all.map(({ amount }) => amount))]));
}

export function expectWhole(invoice: Stored, notes: readonly Stored[]): void {
  const credited = sumOf(notes.map(({ total }) => total));
  if (credited.compare(Rational.of(invoice.total)) !== 0) {
    throw new Error(`${notes.map(({ total }) => total).join(' + ')} is not ${invoice.total}`);
  }
  const [rates, whole] = [ratesIn(notes), ratesIn([invoice])];
  for (const [key, tax] of whole) {
    const got = rates.get(key) ?? new Rational(0n);
    if (got.compare(tax) !== 0)
      throw new Error(`tax of rate ${key}: ${got.over}/${got.under}, not ${tax.over}/${tax.under}`);
  }
}

export const totals = (notes: readonly Stored[]) => notes.map(({ total }) => total);
export const taxes = (notes: readonly Stored[]) => notes.map(({ taxTotal }) => taxTotal);
export const times = (count: number, note: Document) => Array.from({ length: count }, () => note);
