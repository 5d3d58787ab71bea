import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { bodyOf, type FormField, numberNeeded, retyped, unreadableIn, valuesOf } from '../../dashboard/forms/field.ts';
import { formatsOf } from '../../dashboard/written.ts';
import { en as wordsInEnglish } from '../../words/dashboard/en.ts';
import { spokenLanguages } from '../../words/languages.ts';

const limit: FormField = { name: 'credit_limit', label: 'Credit limit', kind: 'money' };
const rate: FormField = { name: 'metadata[rate]', label: 'Rate', kind: 'number' };
const fields = [limit, rate];
const inLanguage = (language: string) => formatsOf({ language, zone: 'UTC' });

function sent(language: string, typed: string): unknown {
  const formats = inLanguage(language);
  const values = { ...valuesOf(fields, null, formats), credit_limit: typed };
  return bodyOf(fields, { base: null, values, formats }).credit_limit;
}

function unreadable(language: string, typed: string): string | undefined {
  const formats = inLanguage(language);
  const base = valuesOf(fields, null, formats);
  return unreadableIn(fields, { base, values: { ...base, credit_limit: typed }, formats })?.name;
}

test.each([
  ['en', '1,000', 1000],
  ['en', '1,000.50', 1000.5],
  ['de', '1.000,50', 1000.5],
  ['de', '1.000', 1000],
  ['fr', '1 000,5', 1000.5],
  ['ar', '١٠٠٠', 1000],
  ['en', '0.10', 0.1],
])('in %s, an amount typed as %s is sent as %s', (language, typed, amount) => {
  expect(sent(language, typed)).toBe(amount);
  expect(unreadable(language, typed)).toBeUndefined();
});

test.each([
  ['en', '1.000,50'],
  ['de', '1,000.50'],
  ['en', '1,00'],
  ['en', 'much'],
])('in %s, "%s" is refused at the field', (language, typed) => {
  expect(unreadable(language, typed)).toBe('credit_limit');
});

test('more digits than a number of JSON has are sent as they were typed', () => {
  expect(sent('en', '12,345,678,901,234,567.89')).toBe('12345678901234567.89');
});

test('what stands in a field for an amount is read as that amount in every language', () => {
  const amounts = fc.tuple(fc.integer({ min: -999_999, max: 999_999 }), fc.integer({ min: 0, max: 999 }));
  fc.assert(
    fc.property(fc.constantFrom(...spokenLanguages, 'de-CH', 'ar-EG', 'hi'), amounts, (language, [whole, parts]) => {
      const formats = inLanguage(language);
      const amount = Number((whole + parts / 1000).toFixed(3));
      const row = { credit_limit: amount, metadata: { rate: String(amount) } };
      const values = valuesOf(fields, row, formats);
      const base = { ...values, credit_limit: '', 'metadata[rate]': '' };
      const written = formats.plainNumber(String(values.credit_limit));
      expect(Number(written)).toBe(amount);
      expect(bodyOf(fields, { base, values, formats })).toEqual({ ...row, metadata: { rate: written } });
      const shown = { ...values, credit_limit: formats.number(amount) };
      if (formats.twoNumbers(shown.credit_limit))
        expect(unreadableIn(fields, { base, values: shown, formats })).toBe(limit);
      else expect(bodyOf(fields, { base, values: shown, formats }).credit_limit).toBe(amount);
    }),
  );
});

test('a text of a custom number that is none is sent as it is with what was changed beside it', () => {
  const formats = inLanguage('de');
  const base = valuesOf(fields, { credit_limit: null, metadata: { rate: 'v1.2' } }, formats);
  const values = { ...base, credit_limit: '0,0000001' };
  expect(unreadableIn(fields, { base, values, formats })).toBeUndefined();
  expect(bodyOf(fields, { base, values, formats })).toEqual({ credit_limit: '0.0000001' });
  expect(valuesOf(fields, { credit_limit: 1e-7, metadata: {} }, formats).credit_limit).toBe('0,0000001');
});

test('a number that could be two is refused at its field, which says how to write it', () => {
  const formats = inLanguage('en');
  const base = valuesOf(fields, null, formats);
  expect(unreadableIn(fields, { base, values: { ...base, 'metadata[rate]': '1.000' }, formats })).toBe(rate);
  expect(numberNeeded('1.000', wordsInEnglish, formats)).toBe('“1.000” could be two numbers. Write 1000 or 1.00');
  expect(numberNeeded('much', wordsInEnglish, formats)).toBe('Enter a number such as 1,234.5');
});

test('a draft whose numbers were typed in another language keeps their values', () => {
  const values = { credit_limit: '1.125', 'metadata[rate]': '1,125', name: '1.125' };
  const english = { credit_limit: '1125', 'metadata[rate]': '1.125', name: '1.125' };
  expect(retyped(fields, values, [inLanguage('de'), inLanguage('en')])).toEqual(english);
  expect(retyped(fields, { credit_limit: 'much' }, [inLanguage('de'), inLanguage('en')])).toEqual({
    credit_limit: 'much',
  });
});
