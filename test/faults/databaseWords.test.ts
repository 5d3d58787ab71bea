import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Customer } from '../../db/schema/customer.ts';
import { inTransaction } from '../../db/transaction.ts';
import { classified } from '../../workers/steps.ts';
import { type Product, startProduct } from '../support/product.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct({ worker: false });
});
afterAll(() => product.close());

test('what PostgreSQL repeats of a row reaches neither histories nor problems', async () => {
  await product.call('POST', '/customers', { name: 'Roberta Secretperson' });
  const refused = await inTransaction(product.deps.em, async (em) => {
    const customer = await em.findOneOrFail(Customer, { accountId: product.accountId });
    customer.autopayDelayDays = -9; // a check refuses it
  }).catch((error: unknown) => error);
  expect(String(refused)).toContain('Secretperson'); // PostgreSQL's own words do
  expect(classified(refused)).toMatchObject({
    type: 'StepFailed',
    message: 'database error 23514 (customer_autopay_delay)',
  });
});
