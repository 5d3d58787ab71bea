import { expect, test } from '@jest/globals';
import type { OpenDiscount, OpenTax } from '../../billing/documents/document.ts';
import type { Pricing } from '../../billing/documents/pricing.ts';
import { type CorrectedBill, differencesOf } from '../../billing/usage/lateUsage.ts';

/** Late usage is the bill of its period, computed with it, less what is billed. */

const MARCH = { startAt: Date.UTC(2027, 2), endAt: Date.UTC(2027, 3) };

const coupon = (value: number, is_percent = true): OpenDiscount => ({
  id: null,
  fixed: null,
  coupon: { id: `${value}`, value, is_percent, exclusive: false, currency: null },
  expiresAt: null,
});
const rate = (value: number, inclusive = false): OpenTax => ({
  id: null,
  fixed: null,
  rateKey: value,
  taxRate: { id: `${value}`, value, is_percent: true, inclusive, currency: null },
});
const perUnit = (amount: string): Pricing => ({ mode: 'per_unit', amount, tiers: null });
const usageOf = (pricing: Pricing, took: string, taxes: OpenTax[] = []) => ({
  addonId: 7,
  planCode: 'calls',
  pricing,
  took,
  ...MARCH,
  line: { discountable: true, taxable: true, taxes },
});
const lineOf = (fields: object) => ({
  addonId: null,
  planCode: 'gold',
  period: MARCH,
  isSwept: false,
  quantity: '1',
  unitCost: '0',
  discountable: true,
  taxable: true,
  discounts: [],
  taxes: [],
  ...fields,
});
const billOf = (usage: ReturnType<typeof usageOf>, more: Partial<CorrectedBill>): CorrectedBill => ({
  currency: 'usd',
  lines: [lineOf({ addonId: 7, planCode: 'calls', quantity: usage.took, unitCost: usage.pricing.amount ?? '0' })],
  discounts: [],
  taxes: [],
  usage: [usage],
  counted: [usage.took],
  later: ['0'],
  differences: [],
  ...more,
});
const shown = (bill: CorrectedBill, ...quantities: string[]) =>
  differencesOf(
    bill,
    quantities.map((quantity) => [{ index: 0, quantity }]),
  ).map((parts) => parts.map(({ price, taxes }) => [price, ...taxes.map(({ given }) => given)]));

test('a correction has the discounts of its bill', () => {
  const bill = billOf(usageOf(perUnit('1'), '100'), { discounts: [coupon(50)] });
  expect(shown(bill, '-100')).toEqual([[['-50.00']]]); // 0 - 100 x 50 %
  expect(shown(bill, '100')).toEqual([[['50.00']]]);
});

test('a fixed discount is used up once: 50 off, 30 used, then 30 and 5 more', () => {
  const bill = billOf(usageOf(perUnit('1'), '30'), { discounts: [coupon(50, false)] });
  // max(0, 60 - 50) - max(0, 30 - 50) = 10; then 65 - 50 - 10 = 5
  expect(shown(bill, '30', '5')).toEqual([[['10.00']], [['5.00']]]);
});

test('several discounts apply in their order', () => {
  const bill = billOf(usageOf(perUnit('1'), '100'), { discounts: [coupon(30, false), coupon(10)] });
  expect(shown(bill, '-80')).toEqual([[['-63.00']]]); // max(0, 20 - 30) x 0.9 - (100 - 30) x 0.9
});

test('taxes are the differences of the taxes of the bill, so that corrections add up to the cent', () => {
  const bill = billOf(usageOf(perUnit('0.33'), '0'), { taxes: [rate(20)], lines: [] });
  // 20 % of 0.33, 0.66 and 0.99: 0.066, 0.132, 0.198
  expect(shown(bill, '1', '1', '1')).toEqual([[['0.33', '0.07']], [['0.33', '0.06']], [['0.33', '0.07']]]);
  const inclusive = { ...bill, taxes: [rate(20, true)] };
  // contained in 0.33, 0.66 and 0.99: 0.055, 0.11, 0.165
  expect(shown(inclusive, '1', '1', '1')).toEqual([[['0.33', '0.06']], [['0.33', '0.05']], [['0.33', '0.06']]]);
});

test('tiers and volume prices count the whole quantity', () => {
  const tiers = [
    { minQuantity: null, maxQuantity: '10', unitCost: '2' },
    { minQuantity: '11', maxQuantity: null, unitCost: '1.5' },
  ];
  const half = { discounts: [coupon(50)] };
  const tiered = billOf(usageOf({ mode: 'tiered', amount: null, tiers }, '12'), {
    ...half,
    lines: [
      lineOf({ addonId: 7, planCode: 'calls', quantity: '10', unitCost: '2' }),
      lineOf({ addonId: 7, planCode: 'calls', quantity: '2', unitCost: '1.5' }),
    ],
  });
  expect(shown(tiered, '-4', '1')).toEqual([[['-3.50']], [['1.00']]]); // (8 x 2 - 23) / 2; (18 - 16) / 2
  const volume = billOf(usageOf({ mode: 'volume', amount: null, tiers }, '9'), {
    ...half,
    lines: [lineOf({ addonId: 7, planCode: 'calls', quantity: '9', unitCost: '2' })],
  });
  expect(shown(volume, '2')).toEqual([[['-0.75']]]); // (11 x 1.5 - 9 x 2) / 2
});

test('what a discount moves to lines with other taxes has a line of its own', () => {
  const gold = lineOf({ unitCost: '100', taxes: [rate(20)], taxable: false });
  const calls = lineOf({ addonId: 7, planCode: 'calls', quantity: '100', unitCost: '1', taxable: false });
  const bill = billOf(usageOf(perUnit('1'), '100'), { lines: [gold, calls], discounts: [coupon(50, false)] });
  // Of 50 off, 25 went to each of 100 and 100; of 100 and 300 it is 12.50 and 37.50: calls 262.50 - 75, gold 87.50 - 75, taxed with 20 %.
  expect(shown(bill, '200')).toEqual([[['187.50'], ['12.50', '2.50']]]);
});

test('a line that a person changed stays as it is: only what is late is added', () => {
  const changed = lineOf({ addonId: 7, planCode: 'calls', quantity: '100', unitCost: '0.8' });
  const bill = billOf(usageOf(perUnit('1'), '100'), { lines: [changed], discounts: [coupon(50)] });
  expect(shown(bill, '10', '-110')).toEqual([[['5.00']], [['-55.00']]]); // (80 + 10) / 2 - 40; (80 - 100) / 2 - 45
});

test('usage of a voided bill is billed against what later bills have for it', () => {
  const bill = billOf(usageOf(perUnit('1'), '30'), { discounts: [coupon(50, false)] });
  const [[later] = []] = differencesOf(bill, [[{ index: 0, quantity: '30' }]]);
  if (!later) throw new Error('no difference');
  const voided = { ...bill, counted: ['0'], later: ['30'], differences: [later] };
  expect(shown(voided, '30')).toEqual([[['0.00']]]); // 60 - 50, less the 10.00 that the later bill has
});
