import { afterAll, beforeAll, test } from '@jest/globals';
import {
  closePairs,
  groupsOfVerbs,
  openPairs,
  type Pairs,
  raceGroups,
  runLosersAlone,
  type Winners,
} from './money/pairs.ts';

let pairs: Pairs;

beforeAll(async () => {
  pairs = await openPairs();
});
afterAll(() => closePairs(pairs));

test('every pair of money commands at once: no deadlock, no overdraft, no drift', async () => {
  const winners: Winners = new Set();
  await raceGroups(pairs, { groups: groupsOfVerbs(12), copies: 1, winners });
  await runLosersAlone(pairs, winners);
});

test('every pair of money commands at once, while credit reaches open invoices: no deadlock, no overdraft, no drift', async () => {
  await raceGroups(pairs, { groups: groupsOfVerbs(12), copies: 1, winners: new Set(), applies: true });
});
