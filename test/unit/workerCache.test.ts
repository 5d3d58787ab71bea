import { expect, test } from '@jest/globals';
import { cacheByMemory } from '../../bin/workerCache.ts';

const GIB = 2 ** 30;

test('a worker keeps a hundred workflows for each GiB that it may have, of its container where that has less', () => {
  expect(cacheByMemory({ machine: 24 * GIB, limit: 0 })).toBe(2400);
  expect(cacheByMemory({ machine: 24 * GIB, limit: 6 * GIB })).toBe(600);
  // No limit is told as the largest number of 64 bits; a quota may be beyond what there is.
  expect(cacheByMemory({ machine: 24 * GIB, limit: 2 ** 64 })).toBe(2400);
  expect([0.5, 1000].map((size) => cacheByMemory({ machine: size * GIB, limit: 2 ** 64 }))).toEqual([200, 4000]);
});
