import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Product, startProduct } from '../support/product.ts';
import { lookUpNow } from './money/past.ts';
import { newPayer } from './money/payers.ts';
import { expectRecovered } from './money/recovery.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct({ endpoint: true });
});
afterAll(() => product.close());

test('a charge that cannot reach its gateway becomes a problem after three tries, and continues once that is fixed', async () => {
  const customer = await newPayer(product, { autopay: true });
  await product.rows(`update payment_source set gateway = 'gone' where customer_id = ${customer}`);
  const invoice = await product.call('POST', '/invoices', { customer, items: [{ name: 'Work', unit_cost: 30 }] });
  const problem = await product.row<{ id: number; message: string; risk: string }>(
    `select id, message, money_at_risk as risk from problem where subject_type = 'invoice' and subject_id = ${invoice.id}`,
  );
  expect(problem).toMatchObject({ message: expect.stringContaining('gone'), risk: '30.0000' });

  // The look-up abandons the attempt that never reached a gateway. The next attempt reaches one.
  await product.rows(`update payment_source set gateway = 'test' where customer_id = ${customer}`);
  await lookUpNow(product, customer, 'open');
  await product.row(`select 1 from attempt where customer_id = ${customer} and state = 'abandoned'`);
  await product.row(`select 1 from invoice where id = ${invoice.id} and paid and balance = 0`);
  await product.row(`select 1 from problem where id = ${problem.id} and closed_at is not null`);
  await expectRecovered(product);
});
