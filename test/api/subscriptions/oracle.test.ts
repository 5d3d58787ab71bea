import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { auditDatabase } from '../../../bin/audit.ts';
import { answeredWith, compareRun, productCases, refusalOf } from '../../support/oracleRuns.ts';
import { type OracleShop, startOracleShop } from '../../support/oracleShop.ts';
import { checkSold } from '../../support/subscriptionOracleRequest.ts';
import { wrongSales } from '../../support/subscriptionWrongRequests.ts';

/** Random subscriptions: the API bills what the oracle does, and refuses the same. `npm run test:extra` has more of them. */

let shop: OracleShop;
beforeAll(async () => {
  shop = await startOracleShop();
});
afterAll(() => shop.api.close());

/** The fields of refused changes. */
const refusals: unknown[] = [];

const pausing = productCases({ seed: 5, count: 10 }, { mostlyPauses: true });
const cases = productCases({ seed: 20270316, count: 24 })
  .concat(pausing)
  .map((one, index) => [index, one] as const);

test.each(cases)('subscription %i is billed as the oracle says', async (index, one) => {
  const { product, oracle } = await compareRun(shop, one, index % 2 === 0 ? 'onTime' : 'late');
  expect(product).toEqual(oracle);
  refusals.push(...product.states.flatMap(({ refused }) => refused ?? []));
});

test('a change that the oracle refuses is refused with its field', () => {
  expect(refusals.length).toBeGreaterThan(15);
  expect(new Set(refusals).size).toBeGreaterThan(8);
});

const sales = cases.flatMap(([index, { sold }]) => (index % 8 === 0 ? [[index, sold] as const] : []));

test.each(sales)('subscription %i with one thing wrong is refused with its field', async (_, sold) => {
  for (const wrong of wrongSales(sold)) {
    const refusal = refusalOf(() => checkSold(wrong));
    const answered = answeredWith(await shop.offer(wrong), refusal);
    expect([answered, refusal, wrong]).toEqual([expect.any(String), answered, wrong]);
  }
});

test('no request failed, and the books are right', async () => {
  expect(shop.api.faults).toEqual([]);
  expect(await auditDatabase(shop.api.databaseUrl)).toEqual([]);
});
