import { expect, test } from '@jest/globals';
import type { AppliedDiscount, AppliedTax } from '../../billing/documents/document.ts';
import { consolidate, type Part } from '../../billing/subscriptions/consolidation.ts';

const rate = (id: string, value: number) => ({ id, value, is_percent: true, inclusive: false, currency: null });
const tax = (id: string, value: number, amount: string): AppliedTax => ({
  id: 1,
  amount,
  fixed: null,
  taxRate: rate(id, value),
  rateKey: value,
  updatedAt: 0,
});
const fixedTax = (amount: string): AppliedTax => ({
  id: 2,
  amount,
  fixed: amount,
  taxRate: null,
  rateKey: null,
  updatedAt: 0,
});
const discount = (id: string, amount: string, is_percent = true): AppliedDiscount => ({
  id: 3,
  amount,
  fixed: null,
  coupon: { id, value: 10, is_percent, exclusive: false, currency: null },
  expiresAt: null,
});
const part = (total: string, more: Partial<Part> = {}): Part => ({
  lines: 1,
  characters: 10,
  lineAdjustments: 0,
  discounts: [],
  taxes: [],
  subtotal: total,
  total,
  ...more,
});

test('consolidation does not round again: its total is the sum of the totals', () => {
  // Three times 0.07 with 19 %, 0.0133 rounded to 0.01: 0.08 + 0.08 + 0.08. Computed as one document it would be 0.21 + 0.04.
  const one = part('0.08', { subtotal: '0.07', taxes: [tax('vat', 19, '0.01')] });
  expect(consolidate([one, one, one], 'usd')).toEqual({
    count: 3,
    subtotal: '0.21',
    total: '0.24',
    discounts: [],
    taxes: [tax('vat', 19, '0.03')],
  });
});

test('a rate that was charged stays apart from the same rate under reverse charge', () => {
  const charged = tax('vat', 19, '19.00');
  const reversed = { ...charged, amount: '0.00', taxRate: { ...rate('vat', 0), reverse_charge: true } };
  const parts = [part('119.00', { taxes: [charged] }), part('100.00', { taxes: [reversed] })];
  for (const order of [parts, parts.toReversed()])
    expect(
      consolidate([...order, ...order], 'eur').taxes.map(({ amount, taxRate }) => [amount, taxRate?.value]),
    ).toEqual(
      order === parts
        ? [
            ['38.00', 19],
            ['0.00', 0],
          ]
        : [
            ['0.00', 0],
            ['38.00', 19],
          ], // 2 x 19.00
    );
});

test('amounts of one rate or coupon are merged; fixed and other amounts stay separate', () => {
  const one = part('10.00', {
    taxes: [tax('vat', 19, '1.00'), fixedTax('0.50')],
    discounts: [discount('ten', '1.00')],
  });
  const other = part('5.00', {
    taxes: [tax('vat', 19, '2.00'), tax('low', 7, '0.10')],
    discounts: [discount('flat', '3.00', false)],
  });
  const { taxes, discounts } = consolidate([one, other, one, other], 'usd');
  expect(taxes.map(({ amount }) => amount)).toEqual(['6.00', '0.50', '0.20', '0.50']);
  expect(discounts.map(({ amount }) => amount)).toEqual(['2.00', '3.00', '3.00']);
});

test('as many whole documents are taken as one has room for', () => {
  expect(consolidate([part('1', { lines: 600 }), part('1', { lines: 400 }), part('1')], 'usd')).toMatchObject({
    count: 2,
  });
  expect(consolidate([part('1', { lines: 600 }), part('1', { lines: 401 }), part('1')], 'usd')).toMatchObject({
    count: 1,
  });
  const long = part('1', { characters: 100_000 });
  expect(consolidate([long, long, part('1')], 'usd').count).toBe(2);
  const adjusted = part('1', { lineAdjustments: 2_500 });
  expect(consolidate([adjusted, adjusted, part('1', { lineAdjustments: 1 })], 'usd').count).toBe(2);
  const many = Array.from({ length: 21 }, () => part('1', { taxes: [fixedTax('1')] }));
  expect(consolidate(many, 'usd').count).toBe(20);
  expect(consolidate([], 'usd')).toMatchObject({ count: 0, total: '0.00' });
});
