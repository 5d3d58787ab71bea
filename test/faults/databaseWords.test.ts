import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Account } from '../../db/schema/account.ts';
import { inTransaction } from '../../db/transaction.ts';
import { classified } from '../../workers/steps.ts';
import { type Product, startProduct } from '../support/product.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct({ worker: false });
});
afterAll(() => product.close());

test('what PostgreSQL repeats of a row reaches neither histories nor problems', async () => {
  const refused = await inTransaction(product.deps.em, async (em) => {
    const account = await em.findOneOrFail(Account, { id: product.accountId });
    Object.assign(account, { name: 'Roberta Secretperson', environment: 'neither' }); // a check refuses it
  }).catch((error: unknown) => error);
  expect(String(refused)).toContain('Secretperson'); // PostgreSQL's own words do, of tables without a policy
  expect(classified(refused)).toMatchObject({
    type: 'StepFailed',
    message: 'database error 23514 (account_environment)',
  });
});
