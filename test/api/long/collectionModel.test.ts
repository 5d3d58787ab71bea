import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type CollectionModel, startCollectionModel } from '../../support/collectionWalk.ts';

/** The walks of `test/api/invoices/collectionModel.test.ts` with more seeds and steps. */

let model: CollectionModel;
const counts = new Map<string, number>();
const waits = new Set<string>();
beforeAll(async () => {
  model = await startCollectionModel();
});
afterAll(() => model.close());

test.each(Array.from({ length: 20 }, (_, index) => index + 1))(
  'a long random walk breaks no rule, seed %i',
  async (seed) => {
    const walk = await model.walk(seed, 60);
    expect(walk.breaches).toEqual([]);
    expect(await model.audit()).toEqual([]);
    for (const [what, count] of walk.counts) counts.set(what, (counts.get(what) ?? 0) + count);
    for (const wait of walk.waits) waits.add(wait);
  },
);

test.each([
  /^invoice: attempt/,
  /^invoice: past due/,
  /^invoice: late fee of/,
  /^invoice: late fee postponed/,
  /^invoice: promised payment/,
  /^chasing: .*by email$/,
  /^chasing: .*\(phone\)/,
  /^chasing: .*\(review\)/,
  /^charge: .*dispute/,
  /^cancel the plan$/,
])('the walks came to steps like %s', (words) => {
  expect([...counts.keys()].filter((what) => words.test(what))).not.toEqual([]);
});

test('invoices waited for wake-ups, people and the bank', () => {
  expect([...waits]).toEqual(
    expect.arrayContaining([
      'wake-up attempt of the invoice',
      'wake-up past_due of the invoice',
      'wake-up promise of the invoice',
      'wake-up chase of its customer',
      'the person who has the task',
    ]),
  );
});
