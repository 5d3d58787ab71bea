import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ApiError } from '../../client/index.ts';
import { faultsIn, numberNeeded } from '../../dashboard/forms/checks.ts';
import { dropDrafts, isAnswer, keysFrom, unansweredOf } from '../../dashboard/forms/drafts.ts';
import { bodyOf, type FormField, retyped, valuesOf } from '../../dashboard/forms/field.ts';
import { formatsOf } from '../../dashboard/written.ts';
import { en as wordsInEnglish } from '../../words/dashboard/en.ts';
import { en as formWords } from '../../words/editing/en.ts';
import { spokenLanguages } from '../../words/languages.ts';

const limit: FormField = { name: 'credit_limit', label: 'Credit limit', kind: 'money' };
const rate: FormField = { name: 'metadata[rate]', label: 'Rate', kind: 'number' };
const fields = [limit, rate];
const words = { ...wordsInEnglish, ...formWords, uploading: 'Uploading …' };
const inLanguage = (language: string) => formatsOf({ language, zone: 'UTC' });

function sent(language: string, typed: string): unknown {
  const formats = inLanguage(language);
  const values = { ...valuesOf(fields, null, formats), credit_limit: typed };
  return bodyOf(fields, { base: null, values, formats }).credit_limit;
}

function unreadable(language: string, typed: string): string | undefined {
  const formats = inLanguage(language);
  const base = valuesOf(fields, null, formats);
  return faultsIn(fields, { base, values: { ...base, credit_limit: typed }, formats, words })[0]?.field.name;
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
        expect(faultsIn(fields, { base, values: shown, formats, words })).toMatchObject([{ field: limit }]);
      else expect(bodyOf(fields, { base, values: shown, formats }).credit_limit).toBe(amount);
    }),
  );
});

test('a text of a custom number that is none is sent as it is with what was changed beside it', () => {
  const formats = inLanguage('de');
  const base = valuesOf(fields, { credit_limit: null, metadata: { rate: 'v1.2' } }, formats);
  const values = { ...base, credit_limit: '0,0000001' };
  expect(faultsIn(fields, { base, values, formats, words })).toEqual([]);
  expect(bodyOf(fields, { base, values, formats })).toEqual({ credit_limit: '0.0000001' });
  expect(valuesOf(fields, { credit_limit: 1e-7, metadata: {} }, formats).credit_limit).toBe('0,0000001');
});

test('a number that could be two is refused at its field, which says how to write it', () => {
  const formats = inLanguage('en');
  const base = valuesOf(fields, null, formats);
  const doubtful = { ...base, 'metadata[rate]': '1.000' };
  expect(faultsIn(fields, { base, values: doubtful, formats, words })).toMatchObject([{ field: rate }]);
  expect(numberNeeded('1.000', wordsInEnglish, formats)).toBe('“1.000” could be two numbers. Write 1000 or 1.00');
  expect(numberNeeded('much', wordsInEnglish, formats)).toBe('Enter a number such as 1,234.5');
});

test('everything that is wrong is told at once, and what did not change is left alone', () => {
  const formats = inLanguage('en');
  const name: FormField = { name: 'name', label: 'Name', kind: 'text', isRequired: true };
  const email: FormField = { name: 'email', label: 'Email', kind: 'email' };
  const form = [name, email, limit, rate];
  const base = valuesOf(form, null, formats);
  const values = { name: ' ', email: 'ann.example.com', credit_limit: 'much', 'metadata[rate]': '5' };
  expect(faultsIn(form, { base, values, formats, words })).toEqual([
    { field: name, message: 'Name is missing' },
    { field: email, message: 'Enter an email address such as ann@example.com' },
    { field: limit, message: 'Enter a number such as 1,234.5' },
  ]);
  const stored = { ...values, name: 'Ann' };
  expect(faultsIn(form, { base: stored, values: stored, formats, words })).toEqual([]);
});

function storage(items = new Map<string, string>()): { items: Map<string, string>; kept: Storage } {
  const kept: Storage = {
    get length() {
      return items.size;
    },
    key: (place) => [...items.keys()][place] ?? null,
    getItem: (name) => items.get(name) ?? null,
    setItem: (name, text) => void items.set(name, text),
    removeItem: (name) => void items.delete(name),
    clear: () => items.clear(),
  };
  return { items, kept };
}

test('a write whose answer is lost has its key when it is begun again, and a new one after its answer or a day', () => {
  const { items, kept } = storage();
  const day = 86_400_000;
  let now = 100 * day;
  const place = { account: 1, environment: 'live' } as const;
  const me = { email: 'ann@acme.example', member: { id: 2 } };
  const begin = (about = 'invoices/7/charge', by = me) => {
    const unanswered = unansweredOf({ place, me: by, about }, { kept, now: () => now });
    const keys = keysFrom(unanswered.read());
    const send = (write: object) => {
      const key = keys.of(write);
      const sent = Object.fromEntries(Object.entries(keys.all()).filter(([, one]) => one === key));
      unanswered.sent(sent);
      return { key, answered: () => unanswered.answered(sent) };
    };
    return send;
  };
  const lost = begin()({ amount: 100 });
  expect(items.get([...items.keys()][0] ?? '')).not.toContain('100'); // what was typed is not kept
  const other = begin()({ amount: 50 });
  expect(other.key).not.toBe(lost.key);
  other.answered();
  expect(begin('invoices/8/charge')({ amount: 100 }).key).not.toBe(lost.key);
  expect(begin('invoices/7/charge', { ...me, member: { id: 3 } })({ amount: 100 }).key).not.toBe(lost.key);
  const again = begin()({ amount: 100 });
  expect(again.key).toBe(lost.key);
  again.answered();
  const deliberate = begin()({ amount: 100 });
  expect(deliberate.key).not.toBe(lost.key);
  now += day + 1;
  expect(begin()({ amount: 100 }).key).not.toBe(deliberate.key);
  kept.setItem([...items.keys()][0] ?? '', 'nothing that can be read');
  expect(begin()({ amount: 100 }).key).not.toBe(lost.key);
});

test.each([
  [new ApiError(402, new Headers(), '{}'), true],
  [new ApiError(429, new Headers(), '{}'), false],
  [new ApiError(502, new Headers(), ''), false],
  [new TypeError('Failed to fetch'), false],
])('after %s it is known whether a write took effect: %s', (error, isKnown) => {
  expect(isAnswer(error)).toBe(isKnown);
});

test('drafts of another person and those older than seven days are dropped', () => {
  const { items, kept } = storage();
  const day = 86_400_000;
  const now = 100 * day;
  const ann = 'ann@acme.example';
  const keep = (about: string, draft: object) =>
    kept.setItem(`perennial-draft:1:live:2:${about}`, JSON.stringify(draft));
  keep('customers/new', { at: now - 6 * day, by: ann });
  keep('customers/7', { at: now - 8 * day, by: ann });
  keep('customers/8', { at: now, by: 'bob@acme.example' });
  kept.setItem('perennial-draft:1:live:2:customers/9', 'no draft');
  kept.setItem('another', 'thing');
  dropDrafts(kept, { person: ann, now });
  expect([...items.keys()]).toEqual(['perennial-draft:1:live:2:customers/new', 'another']);
});

test('a draft whose numbers were typed in another language keeps their values', () => {
  const values = { credit_limit: '1.125', 'metadata[rate]': '1,125', name: '1.125' };
  const english = { credit_limit: '1125', 'metadata[rate]': '1.125', name: '1.125' };
  expect(retyped(fields, values, [inLanguage('de'), inLanguage('en')])).toEqual(english);
  expect(retyped(fields, { credit_limit: 'much' }, [inLanguage('de'), inLanguage('en')])).toEqual({
    credit_limit: 'much',
  });
});
