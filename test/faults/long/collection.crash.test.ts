import { afterAll, afterEach, beforeAll, test } from '@jest/globals';
import { killRoles } from '../../support/roles.ts';
import {
  expectEachOnce,
  type KillingShop,
  killAtEachCommit,
  killedSteps,
  openKillingShop,
} from '../money/killedSteps.ts';

let shop: KillingShop;
beforeAll(async () => {
  shop = await openKillingShop();
});
afterEach(killRoles);
afterAll(() => shop.product.close());

test.each(killedSteps)('a worker is killed at each commit of $kind, and another worker takes it once', (kind) =>
  killAtEachCommit(shop, kind),
);

test('no step was taken twice, and the books are sound', () => expectEachOnce(shop));
