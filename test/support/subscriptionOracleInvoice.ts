import { Rational } from './rational.ts';
import type { Choices } from './subscriptionOracleChoices.ts';
import type { Period } from './subscriptionOraclePeriods.ts';
import {
  type Attached,
  activeCoupons,
  type Coupon,
  minorText,
  type TaxRate,
  type Terms,
} from './subscriptionOracleTerms.ts';
import { decimalsOf, oracleTotals } from './totalsOracle.ts';

// Invoices of the oracle of subscriptions. Amounts are whole minor units.

/** `charge` and `credit` prorate a change. `remaining` bills the rest of a canceled term. */
export type LineKind = 'period' | 'charge' | 'credit' | 'remaining';

export interface LineDiscount {
  coupon: string;
  value: string;
  isPercent: boolean;
}

export interface Line {
  component: string;
  product: string;
  kind: LineKind;
  periodStart: number;
  periodEnd: number;
  quantity: string;
  unitCost: string;
  prorated: boolean;
  discountable: boolean;
  discounts: readonly LineDiscount[];
  taxable: boolean;
  taxes: readonly TaxRate[];
  /** What a credit takes back, with the invoice that has it; null: none has it yet. */
  takesBack?: readonly { invoice: Invoice | null }[];
}

export interface BilledLine extends Line {
  source: Line;
  amount: bigint;
  /** All discounts that fall on the line, also its part of those of the document. */
  discount: bigint;
}

/** `now`: prorated lines at once. `closing`: arrears of a period that a new anchor ends. `final`: at the end. */
export type InvoiceKind = 'period' | 'now' | 'closing' | 'final';

export interface Invoice extends Totals {
  kind: InvoiceKind;
  segment: number;
  /** The period's number in its segment, from 0. Null if the invoice bills no whole period. */
  n: number | null;
  /** The time at which it was due. */
  date: number;
  period: Pick<Period, 'start' | 'end'> | null;
  /** Ids of the coupons, and the rates, of the document. */
  coupons: readonly string[];
  rates: readonly TaxRate[];
  /** The sum, or zero if it is negative. */
  total: bigint;
  /** The credit to the customer's balance that a negative sum becomes. */
  credited: bigint;
  /** Credit of the customer that pays it, at its issue or later. */
  creditApplied: bigint;
  voided: boolean;
}

export interface Totals {
  lines: BilledLine[];
  subtotal: bigint;
  /** Nonzero discounts by coupon, and nonzero taxes by rate, of lines and document together. */
  discounts: Record<string, bigint>;
  taxes: Record<string, bigint>;
  discountTotal: bigint;
  taxTotal: bigint;
  /** Subtotal - discounts + taxes. It may be negative. */
  sum: bigint;
}

/** The price of a line after all its discounts. Inclusive taxes are still in it. */
export const netOf = (line: BilledLine): bigint => line.amount - line.discount;

export interface Document {
  lines: readonly Line[];
  coupons: readonly Coupon[];
  taxes: readonly TaxRate[];
  currency: string;
}

type Priced = Parameters<typeof oracleTotals>[0];

export function totalsOf({ lines, coupons, taxes, currency }: Document): Totals {
  const document: Priced = {
    lines: lines.map((line) => ({
      quantity: line.quantity,
      unitCost: line.unitCost,
      discountable: line.discountable,
      taxable: line.taxable,
      discounts: line.discounts.map(({ value, isPercent }) => ({ value, isPercent })),
      taxes: line.taxes.map(termOf),
    })),
    discounts: coupons.map(({ value, isPercent }) => ({ value, isPercent })),
    taxes: taxes.map(termOf),
    currency,
    mayBeNegative: true,
  };
  const totals = oracleTotals(document);
  const untaxed = oracleTotals({ ...document, taxes: [], lines: document.lines.map((one) => ({ ...one, taxes: [] })) });
  const billed = lines.map((line, at): BilledLine => {
    const amount = totals.lines[at]?.amount ?? 0n;
    return { ...line, source: line, amount, discount: amount - (untaxed.lines[at]?.net ?? 0n) };
  });
  const { subtotal, discountTotal, taxTotal, total } = totals;
  const discounts = sumsBy([
    ...coupons.map(({ id }, at) => ({ id, amount: totals.discounts[at] })),
    ...lines.flatMap((line, at) =>
      line.discounts.map(({ coupon }, index) => ({ id: coupon, amount: totals.lines[at]?.discounts[index] })),
    ),
  ]);
  const byRate = sumsBy([
    ...taxes.map(({ id }, at) => ({ id, amount: totals.taxes[at] })),
    ...lines.flatMap((line, at) => line.taxes.map(({ id }, index) => ({ id, amount: totals.lines[at]?.taxes[index] }))),
  ]);
  return { lines: billed, subtotal, discounts, taxes: byRate, discountTotal, taxTotal, sum: total };
}

const termOf = ({ id, value, inclusive }: TaxRate) => ({ key: id, value, isPercent: true, inclusive });

/** Nonzero sums of amounts with the same id. */
function sumsBy(all: readonly { id: string; amount: bigint | undefined }[]): Record<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const { id, amount = 0n } of all) sums.set(id, (sums.get(id) ?? 0n) + amount);
  return Object.fromEntries([...sums].filter(([, amount]) => amount !== 0n));
}

/** The coupons of an invoice of a short first period. */
export function couponsIn(
  attached: readonly Attached[],
  { share, choices, currency }: { share: Rational; choices: Choices; currency: string },
): Coupon[] {
  return couponsOf(attached).map((coupon) => {
    if (coupon.isPercent || choices.fixedCouponInShortPeriod === 'whole') return coupon;
    const minor = minorOf(coupon.value, currency).times(share).nearest();
    return { ...coupon, value: minorText(minor, decimalsOf(currency)) };
  });
}

export interface Issued {
  kind: InvoiceKind;
  segment: number;
  n: number | null;
  date: number;
  period: Invoice['period'];
  document: Document;
  /** The customer's credit before. */
  creditBalance: bigint;
}

export function invoiceOf({ document, creditBalance, ...facts }: Issued, choices: Choices): Invoice {
  const totals = totalsOf(document);
  const total = totals.sum > 0n ? totals.sum : 0n;
  const most = creditBalance < total ? creditBalance : total;
  const creditApplied = choices.applyCredits ? most : 0n;
  const of = { coupons: document.coupons.map(({ id }) => id), rates: document.taxes };
  return { ...facts, ...of, ...totals, total, credited: total - totals.sum, creditApplied, voided: false };
}

/** Whether something is applied to an invoice, so that it cannot be voided. A negative sum has become credit. */
export function isApplied(invoice: Invoice, invoicesArePaid: boolean): boolean {
  return invoicesArePaid || invoice.creditApplied > 0n || invoice.credited > 0n;
}

/** An amount of decimal text in exact minor units. */
export function minorOf(amount: string, currency: string): Rational {
  return Rational.of(amount).times(new Rational(10n ** BigInt(decimalsOf(currency))));
}

export function couponsOf(attached: readonly Attached[]): Coupon[] {
  return attached.map(({ coupon }) => coupon);
}

/** The terms after an invoice has used a cycle of these coupons. */
export function withUsed(terms: Terms, used: readonly Attached[], choices: Choices): Terms {
  const coupons = terms.coupons.map((one) => (used.includes(one) ? { ...one, used: one.used + 1 } : one));
  const after = { ...terms, coupons };
  return choices.usedUpCouponAgain === 'fresh' ? { ...after, coupons: activeCoupons(after) } : after;
}
