import { afterAll, beforeAll, test } from '@jest/globals';
import { openShop, work } from './model/run.ts';
import type { Shop } from './model/shop.ts';

let shop: Shop;

beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.product.close());

test('after 500 random operations by 16 clients, books, gateway and events agree', async () => {
  await work(shop, { seed: 1, operations: 500, clients: 16 });
});
