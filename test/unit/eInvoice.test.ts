import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { AppliedTax } from '../../billing/documents/document.ts';
import { type EInvoiceSource, eInvoiceAmounts } from '../../billing/documents/eInvoice.ts';
import type { Priced } from '../../billing/documents/totals.ts';
import { decimals } from '../support/pricedDocuments.ts';
import { Rational } from '../support/rational.ts';
import { type OracleTotals, oracleTotals } from '../support/totalsOracle.ts';

fc.configureGlobal({ seed: 20270501 });

const RATES = [
  { percent: 19, inclusive: false },
  { percent: 19, inclusive: true },
  { percent: 7.7, inclusive: true },
  { percent: 5.5, inclusive: false },
  { percent: 0, inclusive: false },
];
const REASONS = { reverseCharge: 'Reversed', untaxed: 'Untaxed', exempt: 'Exempt' };

const line = fc.record({
  quantity: fc.oneof(fc.constant('1'), decimals({ min: -100, max: 1000, decimals: 4 })),
  unitCost: fc.oneof(decimals({ min: 0, max: 9999, decimals: 6 }), decimals({ min: -9999, max: 0, decimals: 2 })),
  discountable: fc.boolean(),
  taxable: fc.boolean(),
  off: fc.option(decimals({ min: 0, max: 100, decimals: 2 })),
  rate: fc.option(fc.nat({ max: RATES.length - 1 })),
});
const documents = fc.record({
  lines: fc.array(line, { minLength: 1, maxLength: 6 }),
  off: fc.option(decimals({ min: 0, max: 100, decimals: 2 })),
  rate: fc.option(fc.nat({ max: RATES.length - 1 })),
  currency: fc.constantFrom('eur', 'jpy'),
});
type Drawn = typeof documents extends fc.Arbitrary<infer Document> ? Document : never;

function taxOf(rate: number | null): AppliedTax[] {
  const known = rate === null ? undefined : RATES[rate];
  if (!known) return [];
  const { percent: value, inclusive } = known;
  const taxRate = { id: `r${rate}`, value, is_percent: true, inclusive, currency: null };
  return [{ id: 1, amount: '0', fixed: null, taxRate, rateKey: rate, updatedAt: 0 }];
}

/** A line that names a rate itself is not taxed by the document, too: each line has at most one tax. Its amounts are those of the oracle. */
function sourceOf(drawn: Drawn, oracle: OracleTotals): EInvoiceSource {
  const { lines, rate, currency } = drawn;
  const money = (units = 0n) => decimal(units, currency);
  const withAmounts = (taxes: AppliedTax[], amounts: readonly bigint[] = []) =>
    taxes.map((tax, place) => ({ ...tax, amount: money(amounts[place]) }));
  return {
    currency,
    total: money(oracle.total),
    taxes: withAmounts(taxOf(rate), oracle.taxes),
    lines: lines.map((one, index) => ({
      quantity: one.quantity,
      unitCost: one.unitCost,
      amount: money(oracle.lines[index]?.amount),
      net: money(oracle.lines[index]?.net),
      taxable: one.taxable && one.rate === null,
      taxes: withAmounts(taxOf(one.rate), oracle.lines[index]?.taxes),
    })),
  };
}

/** The same document for the oracle of totals, which takes nothing from the code under test. */
function pricedOf({ lines, off, rate, currency }: Drawn): Priced {
  const terms = (at: number | null) => {
    const known = at === null ? undefined : RATES[at];
    if (!known) return [];
    return [{ key: `r${at}`, value: `${known.percent}`, isPercent: true, inclusive: known.inclusive }];
  };
  const discounts = (value: string | null) => (value === null ? [] : [{ value, isPercent: true }]);
  return {
    currency,
    discounts: discounts(off),
    taxes: terms(rate),
    mayBeNegative: true,
    lines: lines.map((one) => ({
      quantity: one.quantity,
      unitCost: one.unitCost,
      discountable: one.discountable,
      taxable: one.taxable && one.rate === null,
      discounts: discounts(one.off),
      taxes: terms(one.rate),
    })),
  };
}

const sumOf = (amounts: readonly string[]) => Rational.sum(amounts.map(Rational.of));
const isEqual = (one: Rational, other: Rational) => one.compare(other) === 0;
const size = (value: Rational) => (value.sign() < 0 ? new Rational(0n).minus(value) : value);

test('amounts of random documents obey the rules of EN 16931 and add up to the total of the oracle', () => {
  fc.assert(
    fc.property(documents, (drawn) => {
      const unit = drawn.currency === 'jpy' ? new Rational(1n) : new Rational(1n, 100n);
      const oracle = oracleTotals(pricedOf(drawn));
      const source = sourceOf(drawn, oracle);
      const { total } = source;
      const amounts = eInvoiceAmounts(source, REASONS);
      if (typeof amounts === 'string') {
        // Two rates of 19 %, each rounded to a whole yen, differ by 1 from one rate.
        expect([drawn.currency, amounts]).toEqual(['jpy', 'E-invoices cannot state amounts that were rounded apart']);
        const used = [...drawn.lines.map((one) => one.rate), drawn.rate].map((at) => RATES[at ?? -1]?.percent);
        return expect(used.filter((percent) => percent === 19).length).toBeGreaterThan(1);
      }
      const { lines, vat, net, tax } = amounts;
      // BR-CO-10 and 13: the net is the sum of the lines. BR-CO-14: the tax is the sum of the categories. BR-CO-15: net + tax = total.
      expect(isEqual(sumOf(lines.map((one) => one.net)), Rational.of(net))).toBe(true);
      expect(isEqual(sumOf(vat.map((one) => one.tax)), Rational.of(tax))).toBe(true);
      expect(isEqual(sumOf([net, tax]), Rational.of(total))).toBe(true);
      for (const { vat: of, base, tax: charged } of vat) {
        const same = lines.filter((one) => one.vat.category === of.category && one.vat.percent === of.percent);
        // BR-S-08 and its twins: the base is the sum of the lines of that category and rate.
        expect(isEqual(sumOf(same.map((one) => one.net)), Rational.of(base))).toBe(true);
        // BR-S-09: the tax is the rounded product of base and rate. Each of two rates with this percentage was rounded once.
        const exact = Rational.of(base).times(Rational.of(of.percent)).times(new Rational(1n, 100n));
        expect(size(exact.minus(Rational.of(charged))).compare(unit.times(new Rational(2n)))).not.toBe(1);
        if (of.category !== 'S') expect(isEqual(Rational.of(charged), new Rational(0n))).toBe(true);
      }
      for (const [index, one] of lines.entries()) {
        expect(
          isEqual(Rational.of(one.net), Rational.of(decimal(oracle.lines[index]?.net ?? 0n, drawn.currency))),
        ).toBe(true);
        expect(Rational.of(one.price).sign()).not.toBe(-1); // BR-27
        expect(Rational.of(one.basis).sign()).toBe(1);
        const product = Rational.of(one.quantity).times(Rational.of(one.price)).dividedBy(Rational.of(one.basis));
        const difference = product.minus(Rational.of(one.allowance)).minus(Rational.of(one.net));
        expect(size(difference).compare(unit.times(new Rational(1n, 2n)))).not.toBe(1);
      }
    }),
    { numRuns: 1000 },
  );
});

function decimal(units: bigint, currency: string): string {
  if (currency === 'jpy') return `${units}`;
  const digits = `${units < 0n ? -units : units}`.padStart(3, '0');
  return `${units < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

const [NINETEEN] = taxOf(0);
/** A line of 100 units with a tax of 19 %. */
const oneLine = (tax: string, total: string): EInvoiceSource => ({
  currency: 'eur',
  total,
  taxes: NINETEEN ? [{ ...NINETEEN, amount: tax }] : [],
  lines: [
    { quantity: '1.0000000000', unitCost: '100.0000', amount: '100.0000', net: '100.0000', taxable: true, taxes: [] },
  ],
});

test.each([
  // Credit notes take back what is left of a tax: it differs by cents from 100 x 19 %.
  ['a tax of other cents is stated', oneLine('19.9900', '119.9900'), { tax: '19.99', total: '119.99' }],
  [
    'a tax that differs by 1',
    oneLine('20.0000', '120.0000'),
    'E-invoices cannot state amounts that were rounded apart',
  ],
  [
    'parts that do not add up',
    oneLine('19.0000', '118.9900'),
    'E-invoices cannot state amounts that were rounded apart',
  ],
])('%s', (_, source, expected) => {
  const amounts = eInvoiceAmounts(source, REASONS);
  if (typeof amounts === 'string' || typeof expected === 'string') expect(amounts).toBe(expected);
  else expect(amounts).toMatchObject(expected);
});
