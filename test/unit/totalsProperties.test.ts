import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type DiscountTerm, documentTotals, type Priced, type TaxTerm } from '../../billing/documents/totals.ts';
import { pricedDocuments } from '../support/pricedDocuments.ts';
import { Rational } from '../support/rational.ts';
import { decimalsOf, type OracleTotals, oracleTotals } from '../support/totalsOracle.ts';

fc.configureGlobal({ seed: 20270301 });

const shapes = [0, 1, 2, 3, 4].map((decimals) =>
  decimals === 0 ? /^-?\d+$/ : new RegExp(`^-?\\d+\\.\\d{${decimals}}$`),
);

/** Minor units of an amount. Throws when it does not have exactly the decimals of its currency. `expect` would be too slow for a million calls. */
function units(amount: string, currency: string): bigint {
  if (!shapes[decimalsOf(currency)]?.test(amount)) throw new Error(`${amount} is no amount of ${currency}`);
  return BigInt(amount.replace('.', ''));
}

function calculated(document: Priced): OracleTotals {
  const read = (amount: string) => units(amount, document.currency);
  const totals = documentTotals(document);
  return {
    lines: totals.lines.map((line) => ({
      amount: read(line.amount),
      discounts: line.discounts.map(read),
      taxes: line.taxes.map(read),
      net: read(line.net),
    })),
    discounts: totals.discounts.map(read),
    taxes: totals.taxes.map(read),
    subtotal: read(totals.subtotal),
    discountTotal: read(totals.discountTotal),
    taxTotal: read(totals.taxTotal),
    total: read(totals.total),
  };
}

describe.each([
  { of: 'charged lines', signed: false, numRuns: 3000 },
  { of: 'charged and credited lines', signed: true, numRuns: 3000 },
])('totals of random documents with $of', ({ signed, numRuns }) => {
  test('equal those that the oracle computes with exact fractions', () => {
    fc.assert(
      fc.property(pricedDocuments({ signed }), (document) => {
        expect(calculated(document)).toEqual(oracleTotals(document));
      }),
      { numRuns },
    );
  });
});

const of = (values: readonly bigint[]) => values.reduce((soFar, value) => soFar + value, 0n);
const net = (totals: OracleTotals) => of(totals.lines.map((line) => line.net));

/** The document with only the terms for which `keeps` returns true, on its lines and on itself. */
function withTerms(document: Priced, keeps: (term: DiscountTerm | TaxTerm) => boolean): Priced {
  const kept = <Terms extends Pick<Priced, 'discounts' | 'taxes'>>(terms: Terms): Terms => ({
    ...terms,
    discounts: terms.discounts.filter(keeps),
    taxes: terms.taxes.filter(keeps),
  });
  return { ...kept(document), lines: document.lines.map(kept) };
}

const negatedText = (text: string) => (text.startsWith('-') ? text.slice(1) : `-${text}`);

/** The totals with negated amounts. */
function negated({ lines, discounts, taxes, ...rest }: OracleTotals): OracleTotals {
  const all = (amounts: bigint[]) => amounts.map((amount) => -amount);
  return {
    lines: lines.map((line) => ({
      amount: -line.amount,
      discounts: all(line.discounts),
      taxes: all(line.taxes),
      net: -line.net,
    })),
    discounts: all(discounts),
    taxes: all(taxes),
    subtotal: -rest.subtotal,
    discountTotal: -rest.discountTotal,
    taxTotal: -rest.taxTotal,
    total: -rest.total,
  };
}

/** The document with each percentage replaced by the resulting amount. */
function withAmounts(document: Priced): Priced {
  const totals = documentTotals(document);
  const came = <Terms extends Pick<Priced, 'discounts' | 'taxes'>>(terms: Terms, to: Came, place: string): Terms => ({
    ...terms,
    discounts: terms.discounts.map((_, index) => ({ value: to.discounts[index] ?? '', isPercent: false })),
    taxes: terms.taxes.map((tax, index) => {
      return { ...tax, key: `${place}[${index}]`, value: to.taxes[index] ?? '', isPercent: false };
    }),
  });
  const lines = document.lines.map((line, index) =>
    came(line, totals.lines[index] ?? { discounts: [], taxes: [] }, `line ${index}`),
  );
  return { ...came(document, totals, 'document'), lines };
}

interface Came {
  discounts: readonly string[];
  taxes: readonly string[];
}

/** Parts that differ by a unit or more from their exact share of the sum. */
function furtherThanAUnit(parts: readonly Rational[], weights: readonly Rational[]): Rational[] {
  const [whole, all] = [Rational.sum(parts), Rational.sum(weights)];
  if (all.sign() === 0) return parts.filter((part) => part.sign() !== 0);
  return parts.filter((part, at) => {
    const off = part.minus(whole.times(weights[at] ?? all).dividedBy(all));
    return off.compare(new Rational(1n)) >= 0 || off.compare(new Rational(-1n)) <= 0;
  });
}

describe('totals of any random document', () => {
  const any = fc.boolean().chain((signed) => pricedDocuments({ signed }));
  const charging = pricedDocuments({ signed: false });
  const holds = (documents: fc.Arbitrary<Priced>, check: (document: Priced) => void) => () =>
    fc.assert(fc.property(documents, check), { numRuns: 1000 });

  test(
    'satisfy subtotal - discounts + taxes = total, and nets + taxes = total',
    holds(any, (document) => {
      const totals = calculated(document);
      expect(totals.subtotal - totals.discountTotal + totals.taxTotal).toBe(totals.total);
      expect(net(totals) + totals.taxTotal).toBe(totals.total);
    }),
  );

  test(
    'equal the sums of the amounts that are shown',
    holds(any, (document) => {
      const totals = calculated(document);
      expect(of([...totals.lines.flatMap((line) => line.discounts), ...totals.discounts])).toBe(totals.discountTotal);
      expect(of([...totals.lines.flatMap((line) => line.taxes), ...totals.taxes])).toBe(totals.taxTotal);
      const inclusive = of(totals.lines.map((line) => line.amount)) - totals.subtotal;
      expect(net(totals)).toBe(of(totals.lines.map((line) => line.amount)) - totals.discountTotal - inclusive);
    }),
  );

  test(
    'round a discount or a tax of the document once; the share of each line is exact to within a unit',
    holds(charging, (document) => {
      const lines = document.lines.map((line) => ({ ...line, discounts: [], taxes: [] }));
      const taxes = [{ key: 'one', value: '8.875', isPercent: true, inclusive: true }];
      const discounted = calculated({ ...document, lines, discounts: [{ value: '12.5', isPercent: true }], taxes: [] });
      const taxed = calculated({ ...document, lines, discounts: [], taxes });
      const eighth = new Rational(1n, 8n);
      const contained = Rational.of('8.875').dividedBy(Rational.of('108.875'));
      const share = (flag: 'discountable' | 'taxable', of: Rational) =>
        lines.map((line, at) => new Rational(line[flag] ? (taxed.lines[at]?.amount ?? 0n) : 0n).times(of));
      const taken = ({ lines: all }: OracleTotals) => all.map(({ amount, net }) => new Rational(amount - net));
      expect(discounted.discounts).toEqual([Rational.sum(share('discountable', eighth)).nearest()]);
      expect(taxed.taxes).toEqual([Rational.sum(share('taxable', contained)).nearest()]);
      expect(Rational.sum(taken(discounted)).nearest()).toBe(discounted.discountTotal);
      expect(Rational.sum(taken(taxed)).nearest()).toBe(taxed.taxTotal);
      expect(furtherThanAUnit(taken(discounted), share('discountable', eighth))).toEqual([]);
      expect(furtherThanAUnit(taken(taxed), share('taxable', contained))).toEqual([]);
    }),
  );

  test(
    'have no negative discounts or taxes if all lines are charged, and are not negative themselves',
    holds(charging, (document) => {
      const totals = calculated(document);
      const shown = [totals, ...totals.lines].flatMap((one) => [...one.discounts, ...one.taxes]);
      expect(shown.filter((amount) => amount < 0n)).toEqual([]);
      expect(totals.total >= 0n && totals.discountTotal <= of(totals.lines.map((line) => line.amount))).toBe(true);
    }),
  );

  test(
    'do not depend on the order of the lines if nothing is spread over lines before taxes are computed',
    holds(any, (document) => {
      const { lines, ...plain } = withTerms(document, (term) => term.isPercent);
      const first = calculated({ ...plain, discounts: [], lines });
      const last = calculated({ ...plain, discounts: [], lines: lines.toReversed() });
      const { subtotal, discountTotal, taxTotal, total } = first;
      expect(last).toMatchObject({ subtotal, discountTotal, taxTotal, total });
    }),
  );

  test(
    'are exactly negated if all lines are credited instead of charged and all terms are percentages',
    holds(charging, (document) => {
      const charged = withTerms(document, (term) => term.isPercent);
      const lines = charged.lines.map((line) => ({ ...line, unitCost: negatedText(line.unitCost) }));
      expect(calculated({ ...charged, lines })).toEqual(negated(calculated(charged)));
    }),
  );

  test(
    'do not change if each percentage is replaced by the amount that it gave',
    holds(charging, (document) => {
      const exclusive = withTerms(document, (term) => !('inclusive' in term && term.inclusive));
      expect(calculated(withAmounts(exclusive))).toEqual(calculated(exclusive));
    }),
  );
});
