import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { OpenDocument } from '../../billing/documents/document.ts';
import {
  discountParts,
  discountValue,
  earlyAmount,
  isEarned,
  type PostedDocument,
} from '../../billing/documents/earlyDiscount.ts';
import type { Priced } from '../../billing/documents/totals.ts';
import { pricedDocuments } from '../support/pricedDocuments.ts';
import { decimalsOf, oracleTotals } from '../support/totalsOracle.ts';

const GL = ['4000', '4100', null];

/** The same document as an invoice stores it. */
function asStored({ lines, discounts, taxes, currency }: Priced): PostedDocument {
  const discount = ({ value, isPercent }: Priced['discounts'][number]) => ({
    id: 1,
    amount: '0',
    fixed: isPercent ? null : value,
    coupon: isPercent ? { id: 'c', value: Number(value), is_percent: true, exclusive: false, currency: null } : null,
    expiresAt: null,
  });
  const tax = ({ key, value, isPercent, inclusive }: Priced['taxes'][number]) => ({
    id: 1,
    amount: '0',
    fixed: null,
    taxRate: { id: key, value: Number(value), is_percent: isPercent, inclusive, currency: null },
    rateKey: Number(key.slice(1)),
    updatedAt: 0,
  });
  return {
    currency,
    discounts: discounts.map(discount),
    taxes: taxes.map(tax),
    lines: lines.map((line, index) => ({
      ...line,
      glAccount: GL[index % GL.length],
      discounts: line.discounts.map(discount),
      taxes: line.taxes.map(tax),
    })),
  };
}

const units = (amount: string, currency: string): bigint => {
  const [whole = '0', decimals = ''] = amount.replace('-', '').split('.');
  const places = decimalsOf(currency);
  const value = BigInt(whole + decimals.padEnd(places, '0').slice(0, places));
  return amount.startsWith('-') ? -value : value;
};
const total = (amounts: readonly bigint[]) => amounts.reduce((soFar, amount) => soFar + amount, 0n);

const percents = fc.constantFrom('0.5', '1', '2', '2.5', '3', '10', '33.3333', '99.9999');
/** A percentage that survives a round trip through a JSON number, as coupons and rates store it. */
const isShort = ({ lines, discounts, taxes }: Priced): boolean =>
  [...discounts, ...taxes, ...lines.flatMap((line) => [...line.discounts, ...line.taxes])].every(
    ({ value }) => value.length < 15 && !/e/.test(String(Number(value))),
  );

describe('an early-payment discount', () => {
  test('is worth what an independent calculation of both totals says, and its parts are what revenue and taxes lose', () => {
    fc.assert(
      fc.property(pricedDocuments({ signed: true }), percents, (priced, percent) => {
        fc.pre(isShort(priced));
        const stored = asStored(priced);
        const full = oracleTotals(priced);
        const less = oracleTotals({ ...priced, discounts: [...priced.discounts, { value: percent, isPercent: true }] });
        const of = (amount: string) => units(amount, priced.currency);
        const value = full.total - less.total;
        expect(of(discountValue(stored, percent))).toBe(value);
        const parts = discountParts(stored, percent);
        expect(of(parts.total)).toBe(value);
        const net = total(parts.revenue.map((part) => of(part.net)));
        const own = parts.revenue.flatMap((part) => part.taxes);
        const taxed = total([...parts.taxes, ...own].map(({ amount }) => of(amount)));
        expect(net).toBe(total(full.lines.map((line) => line.net)) - total(less.lines.map((line) => line.net)));
        expect(taxed).toBe(full.taxTotal - less.taxTotal);
        expect(net + taxed).toBe(value);
        // No part of one side is taken from the other.
        expect(parts.revenue.length === 1 || parts.revenue.every((part) => of(part.net) >= 0n)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test('is the same whether it is on the document already or not', () => {
    fc.assert(
      fc.property(pricedDocuments({ signed: true }), percents, (priced, percent) => {
        fc.pre(isShort(priced));
        const without: OpenDocument = asStored(priced);
        const included = { id: 9, fixed: null, coupon: null, percent, expiresAt: 1 };
        const on = { ...without, discounts: [...without.discounts, included] };
        expect(discountValue(on, percent)).toBe(discountValue(without, percent));
      }),
      { numRuns: 200 },
    );
  });
});

test.each([
  ['all but the discount came in time', { paidInTime: '980' }, true],
  ['a cent is missing', { paidInTime: '979.99' }, false],
  ['late fees do not count', { total: '1015', fees: '15', paidInTime: '980' }, true],
  ['everything came in time', { paidInTime: '1000' }, true],
  ['there is nothing to discount', { value: '0', paidInTime: '1000' }, false],
])('it is earned if %s', (_, more, earned) => {
  const facts = { total: '1000', fees: '0', value: '20' };
  expect(isEarned({ ...facts, ...more })).toBe(earned);
});

test.each([
  ['while it lasts', {}, 9, '980'],
  ['not after its end', {}, 10, null],
  ['not if the balance contains it', { isIncluded: true }, 9, null],
])('the amount that is less than the balance: %s', (_, more, now, amount) => {
  const shown = { percent: '2', endsAt: 10, value: '20', isIncluded: false, ...more };
  expect(earlyAmount(shown, '1000', now)).toBe(amount);
});
