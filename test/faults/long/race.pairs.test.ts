import { afterAll, beforeAll, test } from '@jest/globals';
import {
  closePairs,
  groupsOfVerbs,
  openPairs,
  type Pairs,
  raceGroups,
  runLosersAlone,
  type Winners,
} from '../money/pairs.ts';

let pairs: Pairs;
const winners: Winners = new Set();
const PARTS = 6;

beforeAll(async () => {
  pairs = await openPairs();
});
afterAll(() => closePairs(pairs));

test.each(Array.from({ length: PARTS }, (_, part) => part + 1))(
  'part %i of every pair of money commands at once, each of them twice: no deadlock, no overdraft, no drift',
  async (part) => {
    const groups = groupsOfVerbs(6).filter((_, place) => place % PARTS === part - 1);
    await raceGroups(pairs, { groups, copies: 2, winners });
  },
);

test('money commands that lost all their races succeed alone', () => runLosersAlone(pairs, winners));
