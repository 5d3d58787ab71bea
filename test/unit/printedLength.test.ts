import { expect, test } from '@jest/globals';
import { checkCharacters, countCharacters, type LineText, MOST_CHARACTERS } from '../../billing/look/printedLength.ts';

const line = (name: string, more: Partial<LineText> = {}): LineText => ({ name, discounts: [], taxes: [], ...more });
const coupon = { id: 'c', name: 'Spring', value: 10, is_percent: true, exclusive: false, currency: null };
const taxRate = { id: 'vat', name: 'VAT', value: 19, is_percent: true, inclusive: false, currency: null };
const long = 'x'.repeat(50_000);

test('a line counts its texts, 20 for a line break, coupons per line and each rate once', () => {
  expect(countCharacters([line('ab', { description: 'cd\n\n \nef' })])).toBe(2 + 2 + 20 + 2);
  const dear = line('ab', { discounts: [{ coupon }], taxes: [{ taxRate }] });
  expect(countCharacters([dear, dear])).toBe(2 * (2 + 20 + 6) + 20 + 3);
});

test('200,000 characters are accepted, and one more is refused', () => {
  const most = [line(long), line(long), line(long), line(long)];
  expect(countCharacters(most)).toBe(MOST_CHARACTERS);
  expect(() => checkCharacters(most)).not.toThrow();
  expect(() => checkCharacters([...most, line('a')])).toThrow(/^A document prints at most 200,000 .*: 200,001$/);
});
