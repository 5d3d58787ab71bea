import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type CollectionModel, startCollectionModel } from '../../support/collectionWalk.ts';

/** Random things happen to what a customer owes. Independent rules watch each step that Perennial takes. */

let model: CollectionModel;
beforeAll(async () => {
  model = await startCollectionModel();
});
afterAll(() => model.close());

test.each([1, 3])(
  'a customer that is charged, asked, promised, planned and disputed at random breaks no rule, seed %i',
  async (seed) => {
    const walk = await model.walk(seed, 25);
    expect(walk.breaches).toEqual([]);
    expect(await model.audit()).toEqual([]);
  },
);
