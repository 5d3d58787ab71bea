import { expect, test } from '@jest/globals';
import { changedTo, NONE, toggled } from '../../dashboard/lists/selection.ts';

test('rows are chosen and left out one by one', () => {
  const both = toggled(toggled(NONE, '1'), '2');
  expect([...both.ids]).toEqual(['1', '2']);
  expect([...toggled(both, '1').ids]).toEqual(['2']);
});

test('of all that match, leaving one out chooses nothing: an act never reaches that one alone', () => {
  const all = { ids: NONE.ids, isAll: true };
  expect(toggled(all, '7')).toEqual(NONE);
  expect(changedTo(all, ['7', '8'], false)).toEqual(NONE);
  expect(changedTo(all, ['7'], true)).toEqual(all);
});
