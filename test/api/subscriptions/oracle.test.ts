import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { auditDatabase } from '../../../bin/audit.ts';
import { compareRun, productCases } from '../../support/oracleRuns.ts';
import { type OracleShop, startOracleShop } from '../../support/oracleShop.ts';

/** Random subscriptions: the API bills what the oracle does. `npm run test:extra` has more of them. */

let shop: OracleShop;
beforeAll(async () => {
  shop = await startOracleShop();
});
afterAll(() => shop.api.close());

const cases = productCases({ seed: 20270316, count: 40 }).map((one, index) => [index, one] as const);

test.each(cases)('subscription %i is billed as the oracle says', async (index, one) => {
  const { product, oracle } = await compareRun(shop, one, index % 2 === 0 ? 'onTime' : 'late');
  expect(product).toEqual(oracle);
});

test('no request failed, and the books are right', async () => {
  expect(shop.api.faults).toEqual([]);
  expect(await auditDatabase(shop.api.databaseUrl)).toEqual([]);
});
