import { expect, test } from '@jest/globals';
import { goldSubscriptions } from '../../support/goldSubscriptions.ts';
import { partOf } from '../../support/part.ts';
import { raceRenewals } from '../money/renewalRaces.ts';
import { raceKinds, sellForRaces, TERMS } from '../money/renewalRequests.ts';

/** Hundreds of requests of each kind at the very instant of a renewal. A difference is reported with its seed. */

const seed = Number(process.env.PERENNIAL_TEST_SEED ?? 16);

const gold = goldSubscriptions(sellForRaces);

/** Twice the list of all terms, or once if the run takes a part of the cases; ten subscriptions each. Both orders occur. */
const groups = Math.max(TERMS.length, partOf(2 * TERMS.length));
const races = { groups, count: 10, least: 2, seed };

test.each(raceKinds)('hundreds of times, on all terms, $kind comes before a renewal and after it', async (kind) => {
  await raceRenewals(gold, kind, races);
});

test('no request failed, and the books are right', async () => {
  expect(gold.api.faults).toEqual([]);
  await gold.expectCleanBooks();
});
