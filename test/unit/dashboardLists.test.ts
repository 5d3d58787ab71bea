import { expect, test } from '@jest/globals';
import { kinds } from '../../dashboard/kinds/all.ts';
import type { Field } from '../../dashboard/kinds/kind.ts';
import {
  areAlike,
  filtersIn,
  nextSort,
  parameterOf,
  presetSearch,
  type Sort,
  showsPreset,
} from '../../dashboard/lists/state.ts';
import { formatsOf } from '../../dashboard/written.ts';

const read = (language: string, typed: string) => formatsOf({ language, zone: 'UTC' }).plainNumber(typed);

test.each([
  ['en', '1,000', '1000'],
  ['en', '1,000.50', '1000.50'],
  ['en', '1 000', '1000'],
  ['en', '-12.5', '-12.5'],
  ['de', '1.000,50', '1000.50'],
  ['de', '1.000', '1000'],
  ['de', '1000.5', '1000.5'],
  ['de-CH', "1'000.50", '1000.50'],
  ['es', '1.000,5', '1000.5'],
  ['fr', '1 000,5', '1000.5'],
  ['fr', '1\u202f000', '1000'],
  ['ar', '١٠٠٠', '1000'],
  ['ar-EG', '١٬٠٠٠٫٥', '1000.5'],
  ['ar', '1,000.5', '1000.5'],
  ['hi', '12,34,567', '1234567'],
  ['en', '1.2340', '1.2340'],
  ['en', '0.125', '0.125'],
  ['en', '1234.125', '1234.125'],
  ['fr', '1 234,125', '1234.125'],
  ['es', '1.000', '1000'],
  ['he', '1,000', '1000'],
  ['ja', '1,000', '1000'],
  ['zh', '1,000', '1000'],
  ['ar', '1,000', '1000'],
  ['ar-EG', '1,000', '1000'],
  ['ar-EG', '١٬٠٠٠', '1000'],
  ['ar-EG', '١٫٠٠٠', '1.000'],
])('in %s, %s is the number %s', (language, typed, number) => {
  expect(read(language, typed)).toBe(number);
});

test.each([
  ['en', '1.000,50'],
  ['en', '1,00'],
  ['de', '1,000.50'],
  ['en', 'much'],
  ['en', ''],
])('in %s, "%s" is no number, rather than another one', (language, typed) => {
  expect(read(language, typed)).toBeNull();
});

test.each([
  ['en', '1.000', '1.00'],
  ['de', '1,000', '1,00'],
  ['es', '1,000', '1,00'],
  ['fr', '1,000', '1,00'],
  ['fr', '1.000', '1,00'],
  ['he', '1.000', '1.00'],
  ['ar', '1.000', '1.00'],
  ['ar-EG', '١.٠٠٠', '1.00'],
  ['ja', '1.000', '1.00'],
  ['zh', '1.000', '1.00'],
  ['en', '-12.345', '-12.3450'],
])(
  'in %s, "%s" could be thousands or decimals, so it is no number until it is written as %s',
  (language, typed, exact) => {
    const formats = formatsOf({ language, zone: 'UTC' });
    expect(formats.plainNumber(typed)).toBeNull();
    const two = formats.twoNumbers(typed);
    if (!two) throw new Error('it is not in doubt');
    expect(formats.typedNumber(two.exact)).toBe(exact);
    expect(Number(formats.plainNumber(exact))).toBe(Number(two.exact));
    expect(Number(formats.plainNumber(two.whole))).toBe(Number(two.exact) * 1000);
  },
);

const customers = kinds.find(({ list }) => list === 'customers');
if (!customers) throw new Error('there is no list of customers');

test('a custom field whose id is a word of filters is found again', () => {
  const fields = ['in', 'segment'].map(
    (id): Field => ({ name: `custom_fields.${id}`, label: { own: id }, form: 'text', asked: ['equal'] }),
  );
  const kind = { ...customers, fields: [...customers.fields, ...fields] };
  const search = {
    [parameterOf('custom_fields.in', null)]: 'a',
    [parameterOf('custom_fields.segment', 'in')]: 'a,b',
    'filter[colour]': 'red',
  };
  expect(Object.keys(search).slice(0, 2)).toEqual(['filter[custom_fields][in]', 'filter[custom_fields][segment][in]']);
  expect(filtersIn(kind, search).map(({ field, operator }) => [field?.name, operator])).toEqual([
    ['custom_fields.in', null],
    ['custom_fields.segment', 'in'],
    [undefined, null],
  ]);
});

test('the first press on a head shows the largest and newest first, and names from A; the next one turns it around', () => {
  const sort = (name: string, before: Sort | null) =>
    customers.fields.filter((field) => field.name === name).map((field) => nextSort(field, before).isDescending);
  expect([sort('overdue', null), sort('created_at', null), sort('name', null)]).toEqual([[true], [true], [false]]);
  expect(sort('oldest_due_date', null)).toEqual([false]); // the largest age
  expect(sort('overdue', { by: 'overdue', isDescending: true })).toEqual([false]);
  expect(sort('name', { by: 'overdue', isDescending: true })).toEqual([false]);
});

test('a list is as a view shows it, also if only one of them names the usual columns', () => {
  const columns = customers.columns.join();
  expect(areAlike(customers, { sort: 'name asc' }, { sort: 'name asc', columns })).toBe(true);
  expect(areAlike(customers, { sort: 'name asc' }, { sort: 'name asc', columns: `${columns},phone` })).toBe(false);
  expect(areAlike(customers, { sort: 'name asc' }, { sort: 'name desc' })).toBe(false);
  expect(areAlike(customers, { sort: 'name asc' }, { view: '7' })).toBe(true);
});

test('a preset takes the place of all filters, and leaves columns and currency', () => {
  const owing = customers.presets?.find(({ name }) => name === 'owing') ?? null;
  const before = { 'filter[credit_hold]': 'true', search: 'ann', view: '7', columns: 'email', currency: 'eur' };
  const after = { 'filter[balance][gt]': '0', sort: 'balance desc', columns: 'email', currency: 'eur' };
  expect(presetSearch(owing, before)).toEqual(after);
  expect([showsPreset(owing, before), showsPreset(owing, after), showsPreset(null, after)]).toEqual([
    false,
    true,
    false,
  ]);
  expect(presetSearch(null, after)).toEqual({ columns: 'email', currency: 'eur' });
  expect(showsPreset(null, { sort: 'name asc', view: '7' })).toBe(true);
  expect(filtersIn(customers, after).map(({ field, operator }) => [field?.name, operator])).toEqual([
    ['balance', 'gt'],
  ]);
});
