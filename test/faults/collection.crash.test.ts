import { afterAll, afterEach, beforeAll, test } from '@jest/globals';
import { killRoles } from '../support/roles.ts';
import {
  expectEachOnce,
  type KillingShop,
  killAtEachCommit,
  killedInstallment,
  openKillingShop,
} from './money/killedSteps.ts';

let shop: KillingShop;
beforeAll(async () => {
  shop = await openKillingShop();
});
afterEach(killRoles);
afterAll(() => shop.product.close());

test('a worker is killed at each commit of an installment, and another worker charges it once', async () => {
  await killAtEachCommit(shop, killedInstallment);
  await expectEachOnce(shop);
});
