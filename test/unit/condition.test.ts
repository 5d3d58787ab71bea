import { expect, test } from '@jest/globals';
import { all, condition } from '../../db/queries/kernel/sql.ts';

test('combined conditions all apply, whatever each consists of', () => {
  const either = condition('a = ? or b = ?', 1, 2);
  expect(all([either, condition('c = ?', 3)])).toEqual(condition('(a = ? or b = ?) and (c = ?)', 1, 2, 3));
  expect(all([either])).toEqual(condition('(a = ? or b = ?)', 1, 2));
  expect(all([])).toEqual(condition('true'));
});
