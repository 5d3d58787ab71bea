import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { numberKey, prefixKey } from '../../billing/documents/numbering.ts';

/** Letters with unusual case mappings: one letter to several, several to one, or none. Texts are composed (NFC), as clients send them. */
const letter = fc.constantFrom(...'aIiİıßẞſΣςσǅŉΐﬁK\u0307 １½\u2010\u2212\ufe63\u00a0');
const text = fc
  .string({
    unit: fc.oneof(letter, fc.string({ unit: 'binary', minLength: 1, maxLength: 1 })),
    maxLength: 20,
  })
  .map((number) => number.normalize('NFKC'));

test('a key is the same in any case, and is its own key', () => {
  fc.assert(
    fc.property(text, (number) => {
      const key = numberKey(number);
      expect(numberKey(key)).toBe(key);
      expect([number.toLowerCase(), number.toUpperCase()].map(numberKey)).toEqual([key, key]);
      expect(numberKey(` ${number}\u00a0`)).toBe(key);
    }),
    { numRuns: 3000 },
  );
});

test('the key of a number of a series is the key of its prefix and its digits', () => {
  const digits = fc.integer({ min: 0, max: 999_999_999 }).map((value) => String(value).padStart(5, '0'));
  fc.assert(
    fc.property(text, digits, (prefix, value) =>
      expect(numberKey(`${prefix}${value}`)).toBe(`${prefixKey(prefix)}${value}`),
    ),
    { numRuns: 3000 },
  );
});

test('characters that look like a space count as a space', () => {
  for (const blank of ['\u2800', '\u{1d159}', '\u{13441}', '\u{13442}', '\u3000', '\u00a0']) {
    expect([`INV-1${blank}`, `${blank}INV-1`].map(numberKey)).toEqual(['INV-1', 'INV-1']);
    expect(numberKey(`INV${blank}1`)).toBe('INV 1');
  }
});

test('characters that look like a hyphen count as a hyphen', () => {
  const dashes = [
    '\u2010',
    '\u2011',
    '\u2012',
    '\u2013',
    '\u2014',
    '\u02d7',
    '\u2043',
    '\u2212',
    '\u2796',
    '\ufe58',
    '\ufe63',
    '\uff0d',
  ];
  for (const dash of dashes) expect([dash, numberKey(`X${dash}1`)]).toEqual([dash, 'X-1']);
});

test('numbers that look different have different keys', () => {
  const numbers = ['INV-1', 'INV-2', 'INV 1', 'INV1', 'INV-01', 'ÏNV-1', 'INV_1'];
  expect(new Set(numbers.map(numberKey)).size).toBe(numbers.length);
});
