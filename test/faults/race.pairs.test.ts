import { afterAll, beforeAll, test } from '@jest/globals';
import { closePairs, openPairs, type Pairs, racePairs } from './money/pairs.ts';

let pairs: Pairs;

beforeAll(async () => {
  pairs = await openPairs();
});
afterAll(() => closePairs(pairs));

test('every pair of money commands at once: no deadlock, no overdraft, no drift', async () => {
  await racePairs(pairs, { size: 12, copies: 1 });
});
