import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { documentTotals, type Priced } from '../../billing/totals.ts';
import { pricedDocuments } from '../support/pricedDocuments.ts';
import { decimalsOf, type OracleTotals, oracleTotals } from '../support/totalsOracle.ts';

fc.configureGlobal({ seed: 20270301 });

/** Minor units of an amount, which has exactly the decimals of its currency. */
function units(amount: string, currency: string): bigint {
  const decimals = decimalsOf(currency);
  expect(amount).toMatch(decimals === 0 ? /^-?\d+$/ : new RegExp(`^-?\\d+\\.\\d{${decimals}}$`));
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
])('documents of $of', ({ signed, numRuns }) => {
  test('are what exact fractions make them', () => {
    fc.assert(
      fc.property(pricedDocuments({ signed }), (document) => {
        expect(calculated(document)).toEqual(oracleTotals(document));
      }),
      { numRuns },
    );
  });
});
