import { expect, test } from '@jest/globals';
import { Refusal } from '../../billing/refusal.ts';
import { checkAddonInterval, checkComponentLines, lineDescription } from '../../billing/subscriptions/addon.ts';
import { checkAgreedAmount } from '../../billing/subscriptions/plan.ts';

/** The message and param with which work is refused; null: it is not. */
function refusalOf(work: () => void): { message: string; param: string | null } | null {
  try {
    work();
    return null;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { message: error.message, param: error.param };
  }
}

test.each([
  ['month', 1, 'month', 1, null],
  ['year', 1, 'year', 1, null],
  ['month', 3, 'month', 3, null],
  ['month', 1, 'year', 1, 'Plan seats is billed every year: this subscription needs every month'],
  ['month', 12, 'year', 1, 'Plan seats is billed every year: this subscription needs every 12 months'],
  ['week', 2, 'week', 1, 'Plan seats is billed every week: this subscription needs every 2 weeks'],
  ['week', 1, 'day', 7, 'Plan seats is billed every 7 days: this subscription needs every week'],
] as const)('a plan for every %s (%i) and an add-on for every %s (%i)', (interval, count, of, ofCount, message) => {
  const main = { interval, intervalCount: count };
  const addon = { code: 'seats', interval: of, intervalCount: ofCount };
  const refusal = refusalOf(() => checkAddonInterval(main, addon, 'addons[2][plan]'));
  expect(refusal).toEqual(message && { message, param: 'addons[2][plan]' });
});

test('a line has the text of its add-on, then the words of its tier', () => {
  expect(lineDescription('Hotline', 'Up to 10')).toBe('Hotline\nUp to 10');
  expect(lineDescription(null, 'Up to 10')).toBe('Up to 10');
  expect(lineDescription('Hotline', null)).toBe('Hotline');
  expect(lineDescription(null, null)).toBeNull();
  const long = 'x'.repeat(9991); // with a line break and 8 characters of the tier 10,000
  expect(lineDescription(long, 'Up to 10')).toBe(`${long}\nUp to 10`);
  expect(lineDescription(`${long}x`, 'Up to 10')).toBe(`${long}x`);
});

test('a line whose amount is too large names the quantity of its component', () => {
  const line = (addonId: number | null, quantity: string) => ({ addonId, quantity, unitCost: '100000' });
  const check = (...lines: ReturnType<typeof line>[]) =>
    refusalOf(() => checkComponentLines(lines, { addonIds: [7, 8], currency: 'usd' }))?.param;
  expect(check(line(null, '9999999'), line(7, '1'), line(8, '9999999'))).toBeUndefined();
  expect(check(line(null, '10000000'), line(7, '1'))).toBe('quantity');
  expect(check(line(null, '1'), line(7, '10000000'))).toBe('addons[0][quantity]');
  expect(check(line(null, '1'), line(7, '1'), line(8, '1'), line(8, '10000000'))).toBe('addons[1][quantity]');
});

test('a bill has at most 999 lines of a subscription', () => {
  const lines = (count: number) => Array.from({ length: count }, () => ({ addonId: 7, quantity: '1', unitCost: '1' }));
  const check = (count: number) =>
    refusalOf(() => checkComponentLines(lines(count), { addonIds: [7], currency: 'usd' }));
  expect(check(999)).toBeNull();
  const message = 'A bill would have 1000 lines, one for each tier; the most is 999';
  expect(check(1000)).toEqual({ message, param: 'addons' });
});

test('a custom plan needs an amount, and any other plan refuses one', () => {
  const check = (pricingMode: 'custom' | 'volume', amount: string | null) =>
    refusalOf(() => checkAgreedAmount({ code: 'gold', pricingMode }, amount, 'addons[0][amount]'))?.message;
  expect(check('custom', '0')).toBeUndefined();
  expect(check('volume', null)).toBeUndefined();
  expect(check('custom', null)).toBe('Amount missing: plan gold has a custom price');
  expect(check('volume', '5')).toBe('Plan gold has a price: omit amount');
});
