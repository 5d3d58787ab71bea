import { describe, expect, test } from '@jest/globals';
import { documentTotals, type Priced, type PricedLine, type TaxTerm } from '../../billing/documents/totals.ts';
import { Refusal } from '../../billing/refusal.ts';

const percent = (value: string) => ({ value, isPercent: true });
const fixed = (value: string) => ({ value, isPercent: false });

function tax(value: string, over: Partial<TaxTerm> = {}): TaxTerm {
  return { key: `${value} %`, value, isPercent: true, inclusive: false, ...over };
}

/** A line with quantity 1 at this price. */
function line(unitCost: string, over: Partial<PricedLine> = {}): PricedLine {
  return { quantity: '1', unitCost, discountable: true, taxable: true, discounts: [], taxes: [], ...over };
}

function totalsOf(lines: PricedLine[], over: Partial<Priced> = {}) {
  return documentTotals({ lines, discounts: [], taxes: [], currency: 'usd', ...over });
}

describe('discounts', () => {
  test('line amounts come first, then document amounts, each on the remainder', () => {
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
  test('a rate touches a line once, wherever it is named', () => {
    // 19 % of 100 is shown with the line, 19 % of 50 with the document; a repeated rate has no effect; the last line has only the reduced rate
    const lines = [line('100', { taxes: [tax('19'), tax('19')] }), line('50')];
    const reduced = line('10', { taxes: [tax('7')], taxable: false });
    const totals = totalsOf([...lines, reduced], { taxes: [tax('19'), tax('19')] });
    expect(totals.lines.map((one) => one.taxes)).toEqual([['19.00', '0.00'], [], ['0.70']]);
    expect(totals).toMatchObject({ taxes: ['9.50', '0.00'], taxTotal: '29.20', total: '189.20' });
  });
  test('are another rate when the same key had another value at another time', () => {
    const former = tax('19', { key: 'vat' });
    const totals = totalsOf([line('100', { taxes: [former] }), line('100')], { taxes: [tax('20', { key: 'vat' })] });
    expect(totals).toMatchObject({ taxes: ['20.00'], taxTotal: '39.00' });
  });
  test('that are flat are charged once, and not on nothing', () => {
    const flat = tax('2.50', { isPercent: false });
    const totals = totalsOf([line('80', { taxes: [flat] }), line('20')], { taxes: [flat] });
    // the part of the 80 is 2.00, shown with the line; the part of the 20 is 0.50, shown with the document
    expect(totals).toMatchObject({ lines: [{ taxes: ['2.00'] }, {}], taxes: ['0.50'], total: '102.50' });
    const free = [line('80', { discounts: [percent('100')] }), line('80', { taxable: false })];
    expect(totalsOf(free, { taxes: [flat] }).taxTotal).toBe('0.00');
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

test('numbers are read as JSON prints them', () => {
  // 0.0000001 % of 10^9 is 1.00; 1.5e-7 x 10^8 is 15
  const tiny = totalsOf([line('1000000000')], { taxes: [tax(String(0.0000001))] });
  expect(tiny.taxes).toEqual(['1.00']);
  expect(totalsOf([line('100000000', { quantity: String(0.00000015) })]).total).toBe('15.00');
  expect(totalsOf([line('1.25e+3'), line('1e0'), line('-2.5e1')]).total).toBe('1226.00');
});

test('amounts of 10^12 are refused, whichever it is', () => {
  const large = line('999999999999.99');
  expect(totalsOf([large]).total).toBe('999999999999.99');
  const refused = (lines: PricedLine[], over: Partial<Priced>, param: string) =>
    expect(() => totalsOf(lines, over)).toThrow(expect.objectContaining({ name: 'Refusal', param }));
  refused([line('1'), line('1000000000000')], {}, 'items[1]');
  refused([large, line('0.01')], {}, 'items');
  refused([large], { taxes: [tax('10')] }, 'items');
  refused([large], { taxes: [tax('101')] }, 'taxes');
  refused([line('500000000000', { taxes: [tax('200')] })], {}, 'items[0][taxes]');
  // 123456789012.3 + 123456789.0123: 16 digits, more than a JSON number keeps
  refused([line('123456789012.3')], { currency: 'clf', taxes: [tax('0.1')] }, 'items');
});

test('a negative total is refused, unless the document may have one', () => {
  expect(() => totalsOf([line('-1')])).toThrow(
    new Refusal('parameter_invalid', 'Total must not be negative: -1.00', 'items'),
  );
  expect(totalsOf([line('-1')], { mayBeNegative: true }).total).toBe('-1.00');
});
