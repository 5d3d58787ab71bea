import { afterAll, beforeAll, test } from '@jest/globals';
import { startProduct } from '../support/product.ts';
import { killRoles, startRole } from '../support/roles.ts';
import { type Field, racePayers } from './money/payerRaces.ts';

let field: Field;

beforeAll(async () => {
  const product = await startProduct({ endpoint: true });
  const [otherApi] = await Promise.all([startRole(product, 'api'), startRole(product, 'worker')]);
  field = { product, otherApi };
});
afterAll(async () => {
  await killRoles();
  await field.product.close();
});

test('200 racing payers through API, AutoPay and `pay`: one payment of the balance', () => racePayers(field, 200));
