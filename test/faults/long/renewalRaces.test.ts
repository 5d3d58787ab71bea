import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { auditDatabase } from '../../../bin/audit.ts';
import type { GoldSubscriptions } from '../../support/goldSubscriptions.ts';
import { raceKinds, raceRenewals, startRaces } from '../money/renewalRaces.ts';

/** Hundreds of requests of each kind at the very instant of a renewal. A difference is reported with its seed. */

const ROUNDS = 200;
const seed = Number(process.env.PERENNIAL_TEST_SEED ?? 16);

let gold: GoldSubscriptions;
beforeAll(async () => {
  gold = await startRaces();
});
afterAll(() => gold.api.close());

test.each(raceKinds)('hundreds of times, $kind comes before a renewal or after it', async (kind) => {
  const firsts = await raceRenewals(gold, kind, { rounds: ROUNDS, seed });
  expect(firsts.renewal + firsts.request).toBe(ROUNDS);
  const least = kind.merges ? 0 : ROUNDS / 20;
  expect(Math.min(firsts.renewal, firsts.request)).toBeGreaterThanOrEqual(least);
});

test('no request failed, and the books are right', async () => {
  expect(gold.api.faults).toEqual([]);
  expect(await auditDatabase(gold.api.databaseUrl)).toEqual([]);
});
