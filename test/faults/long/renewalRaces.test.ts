import { expect, test } from '@jest/globals';
import { goldSubscriptions } from '../../support/goldSubscriptions.ts';
import { raceRenewals } from '../money/renewalRaces.ts';
import { raceKinds, sellForRaces } from '../money/renewalRequests.ts';

/** Hundreds of requests of each kind at the very instant of a renewal. A difference is reported with its seed. */

const ROUNDS = 200;
const seed = Number(process.env.PERENNIAL_TEST_SEED ?? 16);

const gold = goldSubscriptions(sellForRaces);

test.each(raceKinds)('hundreds of times, $kind comes before a renewal or after it', async (kind) => {
  const firsts = await raceRenewals(gold, kind, { rounds: ROUNDS, seed });
  expect(firsts.renewal + firsts.request).toBe(ROUNDS);
  const least = kind.merges ? 0 : ROUNDS / 20;
  expect(Math.min(firsts.renewal, firsts.request)).toBeGreaterThanOrEqual(least);
});

test('no request failed, and the books are right', async () => {
  expect(gold.api.faults).toEqual([]);
  await gold.expectCleanBooks();
});
