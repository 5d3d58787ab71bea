import { describe, expect, test } from '@jest/globals';
import { Refusal } from '../../billing/refusal.ts';
import { documentTotals, type Priced, type PricedLine, type TaxTerm } from '../../billing/totals.ts';

const percent = (value: string) => ({ value, isPercent: true });
const fixed = (value: string) => ({ value, isPercent: false });

function tax(value: string, over: Partial<TaxTerm> = {}): TaxTerm {
  return { key: `${value} %`, value, isPercent: true, inclusive: false, ...over };
}

/** A line of one at this price. */
function line(unitCost: string, over: Partial<PricedLine> = {}): PricedLine {
  return { quantity: '1', unitCost, discountable: true, taxable: true, discounts: [], taxes: [], ...over };
}

function totalsOf(lines: PricedLine[], over: Partial<Priced> = {}) {
  return documentTotals({ lines, discounts: [], taxes: [], currency: 'usd', ...over });
}

describe('discounts', () => {
  test('of a line come first, then those of the document, each on what is left', () => {
    // 100 - 10 = 90; 90 - 20 % = 72; with the 28 it is 100: 10 % of that is 10, 7.20 of the one and 2.80 of the other; 5 more: 3.60 + 1.40
    const totals = totalsOf([line('100', { discounts: [fixed('10'), percent('20')] }), line('28')], {
      discounts: [percent('10'), fixed('5')],
    });
    expect(totals.lines.map((one) => one.discounts)).toEqual([['10.00', '18.00'], []]);
    expect(totals.lines.map((one) => one.net)).toEqual(['61.20', '23.80']);
    expect(totals.discounts).toEqual(['10.00', '5.00']);
    expect(totals).toMatchObject({ subtotal: '128.00', discountTotal: '43.00', taxTotal: '0.00', total: '85.00' });
  });
  test('leave nothing below zero', () => {
    const totals = totalsOf([line('10', { discounts: [fixed('8'), fixed('8')] }), line('1', { discountable: false })], {
      discounts: [percent('60'), fixed('3'), percent('100')],
    });
    expect(totals.lines[0]?.discounts).toEqual(['8.00', '2.00']);
    expect(totals.discounts).toEqual(['0.00', '0.00', '0.00']);
    expect(totals.total).toBe('1.00');
  });
});

describe('taxes', () => {
  test('contained in the price come off the discounted price', () => {
    const vat = tax('20', { inclusive: true });
    const totals = totalsOf([line('120')], { discounts: [percent('10')], taxes: [vat] });
    expect(totals).toMatchObject({ subtotal: '102.00', discountTotal: '12.00', taxTotal: '18.00', total: '108.00' });
    expect(totals.lines[0]?.net).toBe('90.00');
  });
  test('are rounded once per rate', () => {
    // 3 x 0.33 x 7.5 % is 0.02475 each: rounded by line it would be 0.06
    const totals = totalsOf([line('0.33', { taxes: [tax('7.5')] }), line('0.33'), line('0.33')], {
      taxes: [tax('7.5')],
    });
    expect(totals).toMatchObject({ taxTotal: '0.07', total: '1.06', taxes: ['0.04'] });
    expect(totals.lines.map((one) => one.taxes)).toEqual([['0.03'], [], []]);
  });
});

test('a negative total is refused, unless the document may have one', () => {
  expect(() => totalsOf([line('-1')])).toThrow(new Refusal('Total must not be negative: -1.00', 'items'));
  expect(totalsOf([line('-1')], { mayBeNegative: true }).total).toBe('-1.00');
});
