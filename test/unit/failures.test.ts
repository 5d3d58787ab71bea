import { expect, test } from '@jest/globals';
import { failuresWith, STEP_FAILED } from '../../workers/steps.ts';

test.each([
  ['the first failure', undefined, STEP_FAILED, 1, false],
  ['the third', 2, STEP_FAILED, 3, true],
  ['one after tries that were lost to the database', 0, STEP_FAILED, 1, false],
  ['the database away, for whatever time', 0, 'DatabaseUnavailable', 0, false],
  ['the database away between failures', 2, 'DatabaseUnavailable', 2, false],
  ['details of another version', { n: 7 }, STEP_FAILED, 1, false],
])('%s', (_, earlier, type, failures, isOver) => {
  expect(failuresWith(earlier, type)).toEqual({ failures, isOver });
});
