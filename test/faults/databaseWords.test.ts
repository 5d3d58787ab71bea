import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { inTransaction } from '../../db/transaction.ts';
import { classified } from '../../workers/steps.ts';
import { type Product, startProduct } from '../support/product.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct({ worker: false });
});
afterAll(() => product.close());

test("row contents in PostgreSQL's messages reach neither histories nor problems", async () => {
  const twice = `insert into throttle (key, count, ends_at) values (?, 1, now()), (?, 2, now())`;
  const name = 'Roberta Secretperson';
  const refused = await inTransaction(product.deps.em, (em) => em.execute(twice, [name, name])).catch(
    (error: unknown) => error,
  );
  expect(String(refused)).toContain(name); // PostgreSQL's message has row contents, for tables without a policy
  expect(classified(refused)).toMatchObject({
    type: 'StepFailed',
    message: 'database error 23505 (throttle_pkey)',
  });
});
