import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { OpenDiscount, OpenTax } from '../../billing/documents/document.ts';
import type { Pricing } from '../../billing/documents/pricing.ts';
import { type BilledDifference, type CorrectedBill, differencesOf } from '../../billing/usage/lateUsage.ts';
import type { BilledUsage, BillLine } from '../../billing/usage/usageBill.ts';
import { oracleTotals } from '../support/totalsOracle.ts';

// The rule in words: the invoice that took the usage is computed again with and without the late usage, with its own discounts and rates; the
// difference is billed. The oracle computes invoices by `oracleTotals`, and prices of usage by itself. Quantities are whole units.

interface Model {
  base: { unitCost: string; discountable: boolean; taxable: boolean; taxes: number[] }[];
  usage: {
    kind: 'unit' | 'volume' | 'tiered';
    low: number;
    high: number;
    edge: number;
    took: number;
    taxes: number[];
    discountable: boolean;
  }[];
  discounts: { value: number; isPercent: boolean }[];
  rates: { value: number; isPercent: boolean; inclusive: boolean }[];
  shared: number[];
  changes: { span: number; to: number }[];
  voidAfter: number;
}

const few = <One>(one: fc.Arbitrary<One>, max: number) => fc.array(one, { maxLength: max });
const someRates = few(fc.nat({ max: 3 }), 2);
const cents = fc.integer({ min: 0, max: 20_000 });
const model: fc.Arbitrary<Model> = fc.record({
  base: few(
    fc.record({
      unitCost: cents.map((one) => (one / 100).toFixed(2)),
      discountable: fc.boolean(),
      taxable: fc.boolean(),
      taxes: someRates,
    }),
    3,
  ),
  usage: fc.array(
    fc.record({
      kind: fc.constantFrom('unit' as const, 'volume' as const, 'tiered' as const),
      low: cents,
      high: cents,
      edge: fc.integer({ min: 1, max: 60 }),
      took: fc.nat({ max: 100 }),
      taxes: someRates,
      discountable: fc.boolean(),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  discounts: few(fc.record({ value: fc.integer({ min: 0, max: 100 }), isPercent: fc.boolean() }), 3),
  rates: fc.array(
    fc.record({
      value: fc.constantFrom(0, 5, 7.7, 19, 20, 33.3),
      isPercent: fc.constant(true),
      inclusive: fc.boolean(),
    }),
    { minLength: 4, maxLength: 4 },
  ),
  shared: someRates,
  changes: few(fc.record({ span: fc.nat({ max: 2 }), to: fc.nat({ max: 150 }) }), 6),
  voidAfter: fc.nat({ max: 6 }),
});

/** Lines of usage at the prices of its plan: quantity and unit cost. */
function pricedBy({ kind, low, high, edge }: Model['usage'][number], quantity: number): [number, number][] {
  if (kind === 'unit') return [[quantity, low]];
  if (kind === 'volume') return [[quantity, quantity <= edge ? low : high]];
  return quantity <= edge
    ? [[quantity, low]]
    : [
        [edge, low],
        [quantity - edge, high],
      ];
}

/** What the invoice comes to with these quantities, in cents. */
function oracleTotal(sold: Model, quantities: readonly number[]): bigint {
  const termOf = (index: number) => {
    const { value, isPercent, inclusive } = sold.rates[index] ?? { value: 0, isPercent: true, inclusive: false };
    return { key: `rate ${index}`, value: `${value}`, isPercent, inclusive };
  };
  const usage = sold.usage.flatMap((one, index) =>
    pricedBy(one, quantities[index] ?? 0).map(([quantity, cost]) => ({
      quantity: `${quantity}`,
      unitCost: (cost / 100).toFixed(2),
      discountable: one.discountable,
      taxable: true,
      discounts: [],
      taxes: one.taxes.map(termOf),
    })),
  );
  const base = sold.base.map((line) => ({ ...line, quantity: '1', discounts: [], taxes: line.taxes.map(termOf) }));
  const discounts = sold.discounts.map(({ value, isPercent }) => ({ value: `${value}`, isPercent }));
  const taxes = sold.shared.map(termOf);
  return oracleTotals({ currency: 'usd', lines: [...base, ...usage], discounts, taxes }).total;
}

const openTax =
  (sold: Model) =>
  (index: number): OpenTax => {
    const {
      value,
      isPercent: is_percent,
      inclusive,
    } = sold.rates[index] ?? { value: 0, isPercent: true, inclusive: false };
    return {
      id: null,
      fixed: null,
      rateKey: index,
      taxRate: { id: `${index}`, value, is_percent, inclusive, currency: null },
    };
  };
const openDiscount = ({ value, isPercent: is_percent }: Model['discounts'][number]): OpenDiscount => ({
  id: null,
  fixed: null,
  coupon: { id: `${value}`, value, is_percent, exclusive: false, currency: null },
  expiresAt: null,
});

function pricingOf({ kind, low, high, edge }: Model['usage'][number]): Pricing {
  if (kind === 'unit') return { mode: 'per_unit', amount: (low / 100).toFixed(2), tiers: null };
  const tiers = [
    { minQuantity: null, maxQuantity: `${edge}`, unitCost: (low / 100).toFixed(2) },
    { minQuantity: `${edge + 1}`, maxQuantity: null, unitCost: (high / 100).toFixed(2) },
  ];
  return { mode: kind, amount: null, tiers };
}

/** The bill as it was written. Usage of which nothing was used has no line. */
function billOf(sold: Model): CorrectedBill {
  const line = (fields: object): BillLine => ({
    addonId: null,
    planCode: 'base',
    period: null,
    isSwept: false,
    quantity: '1',
    unitCost: '0',
    discountable: true,
    taxable: true,
    discounts: [],
    taxes: [],
    ...fields,
  });
  const tax = openTax(sold);
  const span = { startAt: 0, endAt: 1000 };
  const base = sold.base.map(({ taxes, ...one }) => line({ ...one, taxes: taxes.map(tax) }));
  const usage: BilledUsage[] = sold.usage.map((one, addonId) => ({
    ...span,
    addonId,
    planCode: 'usage',
    pricing: pricingOf(one),
    took: `${one.took}`,
    line: { discountable: one.discountable, taxable: true, taxes: one.taxes.map(tax) },
  }));
  const lines = sold.usage.flatMap((one, addonId) =>
    one.took === 0
      ? []
      : pricedBy(one, one.took).map(([quantity, cost]) =>
          line({
            addonId,
            planCode: 'usage',
            period: span,
            quantity: `${quantity}`,
            unitCost: (cost / 100).toFixed(2),
            discountable: one.discountable,
            taxes: one.taxes.map(tax),
          }),
        ),
  );
  return {
    currency: 'usd',
    lines: [...base, ...lines],
    discounts: sold.discounts.map(openDiscount),
    taxes: sold.shared.map(tax),
    usage,
    counted: sold.usage.map(({ took }) => `${took}`),
    later: sold.usage.map(() => '0'),
    differences: [],
  };
}

/** What lines with these differences come to, in cents. */
function billedIn(differences: readonly BilledDifference[]): bigint {
  const amounts = differences.flatMap(({ price, taxes }) => [
    price,
    ...taxes.flatMap(({ taxRate, given = '0' }) => (taxRate?.inclusive ? [] : [given])),
  ]);
  return amounts.reduce((sum, amount) => sum + BigInt(Math.round(Number(amount) * 100)), 0n);
}

test('corrections one after another come to the invoice with all usage less the invoice as it was, also after it is voided', () => {
  fc.assert(
    fc.property(model, (sold) => {
      let bill = billOf(sold);
      const took = sold.usage.map((one) => one.took);
      const now = [...took];
      let without = took;
      let billed = 0n;
      const correct = (span: number, more: number) => {
        const [parts = []] = differencesOf(bill, [[{ index: span, quantity: `${more}` }]]);
        billed += billedIn(parts);
        bill = {
          ...bill,
          later: bill.later.map((later, index) => (index === span ? `${Number(later) + more}` : later)),
          differences: [...bill.differences, ...parts],
        };
        expect(billed).toBe(oracleTotal(sold, now) - oracleTotal(sold, without));
      };
      for (const [step, { span: any, to }] of sold.changes.entries()) {
        const span = any % sold.usage.length;
        if (step === sold.voidAfter) {
          // What it took is unbilled again, and is billed again, all at once.
          bill = { ...bill, counted: took.map(() => '0') };
          without = took.map(() => 0);
          const again = took.map((quantity, index) => [{ index, quantity: `${quantity}` }]);
          const parts = differencesOf(bill, again).flat();
          billed += billedIn(parts);
          const later = bill.later.map((one, index) => `${Number(one) + (took[index] ?? 0)}`);
          bill = { ...bill, later, differences: [...bill.differences, ...parts] };
          expect(billed).toBe(oracleTotal(sold, now) - oracleTotal(sold, without));
        }
        const more = to - (now[span] ?? 0);
        now[span] = to;
        if (more !== 0) correct(span, more);
      }
    }),
    { numRuns: 500 },
  );
});
