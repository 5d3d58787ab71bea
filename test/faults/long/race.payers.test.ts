import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startProduct } from '../../support/product.ts';
import { killRoles, startRole } from '../../support/roles.ts';
import { collectNow, type Field, newRace, racePayers, sendAll } from '../money/payerRaces.ts';
import { capturesOf, expectRecovered, untilPaid } from '../money/recovery.ts';

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

test.each([1, 2, 3])(
  '20 simultaneous charges of one invoice: one capture, and the others are refused with the reason (%i)',
  () => racePayers(field, 20),
);

test('when payments by check race with charges, all money is recorded and no invoice is overpaid', async () => {
  const { product } = field;
  const { customer, invoice, sourceId } = await newRace(product);
  const applied_to = [{ type: 'invoice', invoice, amount: 10 }];
  const check = { customer, method: 'check', amount: 10, applied_to };
  const charge = {
    customer,
    method: 'credit_card',
    amount: 10,
    applied_to,
    payment_source_type: 'card',
    payment_source_id: sourceId,
  };
  const requests = Array.from({ length: 20 }, (_, n) =>
    n % 2 === 0 ? { path: '/payments', body: check } : { path: '/charges', body: charge },
  );
  const [answers] = await Promise.all([sendAll(field, requests), collectNow(product, invoice)]);
  await untilPaid(product, invoice);
  await expectRecovered(product);
  const payments = await product.rows<{ id: number; charged: boolean; amount: number; balance: number }>(
    `select id, charge_id is not null as charged, amount::float8 as amount, balance::float8 as balance from payment
     where customer_id = ${customer} order by id`,
  );
  const checks = answers.filter((_, n) => n % 2 === 0);
  for (const { status } of answers) expect([201, 400]).toContain(status);
  const told = checks.filter(({ status }) => status === 201).map(({ body }) => body.id);
  expect(payments.filter(({ charged }) => !charged).map(({ id }) => id)).toEqual(told.sort((a, b) => a - b));
  expect(await capturesOf(product, invoice)).toBe(payments.filter(({ charged }) => charged).length);
  const sum = (of: 'amount' | 'balance') => payments.reduce((total, payment) => total + payment[of], 0);
  expect(sum('amount') - sum('balance')).toBe(25);
});
