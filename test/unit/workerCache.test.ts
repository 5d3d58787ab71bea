import { expect, test } from '@jest/globals';
import { cacheByMemory } from '../../bin/workerCache.ts';

const GIB = 2 ** 30;

test('a worker keeps a hundred workflows for each GiB that it may have, of its container where that has less', () => {
  expect(cacheByMemory({ machine: 24 * GIB, limit: 0 })).toBe(2400);
  expect(cacheByMemory({ machine: 24 * GIB, limit: 6 * GIB })).toBe(600);
  // "No limit" is reported as the largest 64-bit number. A quota may exceed the machine's memory.
  expect(cacheByMemory({ machine: 24 * GIB, limit: 2 ** 64 })).toBe(2400);
  expect([0.5, 1000].map((size) => cacheByMemory({ machine: size * GIB, limit: 2 ** 64 }))).toEqual([200, 4000]);
});
