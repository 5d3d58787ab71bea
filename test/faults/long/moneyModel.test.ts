import { afterAll, beforeAll, test } from '@jest/globals';
import { partOf } from '../../support/part.ts';
import { openShop, work } from '../model/run.ts';
import type { Shop } from '../model/shop.ts';

const SEEDS = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11];

let shop: Shop;

beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.product.close());

test.each(SEEDS.slice(0, partOf(SEEDS.length)))(
  '10,000 random operations by 16 clients, a thousand at a time: books, gateway and events agree (seed %i)',
  async (seed) => {
    await work(shop, { seed, operations: 1000, clients: 16 });
  },
);
