import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { auditDatabase } from '../../bin/audit.ts';
import { productChoices } from '../support/oracleChoices.ts';
import { compareRun, productSpace, type Shown } from '../support/oracleRuns.ts';
import { type OracleShop, startOracleShop } from '../support/oracleShop.ts';
import { partOf } from '../support/part.ts';
import { type Case, subscriptionCases } from '../support/subscriptionSpace.ts';

/**
 * Four hundred random subscriptions. A difference is reported with its seed, as a case that is as small as possible. PERENNIAL_TEST_SEED
 * chooses other subscriptions, PERENNIAL_TEST_CASES another number of them.
 */

const CASES = Number(process.env.PERENNIAL_TEST_CASES ?? partOf(400));
const MOST_MILLISECONDS = 45 * 60_000;
const seed = Number(process.env.PERENNIAL_TEST_SEED ?? 16);

let shop: OracleShop;
beforeAll(async () => {
  shop = await startOracleShop();
});
afterAll(() => shop.api.close());

test(
  'random subscriptions are billed as the oracle says',
  async () => {
    const cases = subscriptionCases(productSpace, productChoices);
    const input = fc.record({ one: cases, how: fc.constantFrom('onTime' as const, 'late' as const) });
    const found = await fc.check(
      fc.asyncProperty(input, async ({ one, how }) => {
        const { product, oracle } = await compareRun(shop, one, how);
        if (!isDeepStrictEqual(product, oracle)) throw new Error(differences(one, { product, oracle }));
      }),
      { seed, numRuns: CASES, interruptAfterTimeLimit: MOST_MILLISECONDS, markInterruptAsFailure: false },
    );
    if (found.failed) throw new Error(`seed ${found.seed}, path ${found.counterexamplePath}: ${found.errorInstance}`);
    expect(found.numRuns).toBe(CASES);
    expect(shop.api.faults).toEqual([]);
    expect(await auditDatabase(shop.api.databaseUrl)).toEqual([]);
  },
  50 * 60_000,
);

/** A case, and each part in which both sides differ. */
function differences(one: Case, { product, oracle }: { product: Shown; oracle: Shown }): string {
  const parts = (['states', 'invoices', 'pending'] as const).flatMap((name) => {
    const places = [...Array(Math.max(product[name].length, oracle[name].length)).keys()];
    return places.flatMap((at) => {
      const [left, right] = [product[name][at], oracle[name][at]];
      if (isDeepStrictEqual(left, right)) return [];
      return [`${name} ${at}`, `  product ${JSON.stringify(left)}`, `  oracle  ${JSON.stringify(right)}`];
    });
  });
  return [JSON.stringify(one), ...parts].join('\n');
}
