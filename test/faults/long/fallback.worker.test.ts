import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { type Product, startProduct } from '../../support/product.ts';
import { killRoles, startRole } from '../../support/roles.ts';
import { invoiceFor, payingCustomer } from '../../support/story.ts';
import { letMinutePass } from '../money/meanwhile.ts';
import { token } from '../money/payers.ts';
import { capturesOf, expectRecovered, untilPaid } from '../money/recovery.ts';

let product: Product;

beforeAll(async () => {
  product = await startProduct({ endpoint: true, worker: false });
});
afterEach(killRoles);
afterAll(() => product.close());

const LOST = 'tok_4000000000000002';

test.each([
  ['the decline is recorded', 'charge.recorded', 1],
  ['the fallback charge is committed', 'invoice.committed', 2],
  ['the gateway has taken the money of the fallback charge', 'charge.confirmed', 2],
])('the fallback source is charged once when a worker is killed after %s', async (_, point, times) => {
  const { id: customer } = await payingCustomer(product, token.pays, { autopay_fallback: true });
  const lost = { method: 'credit_card', gateway_token: LOST, make_default: true } as const;
  await product.client.post('/customers/{id}/payment_sources', lost, { id: customer });
  const worker = await startRole(product, 'worker', { PERENNIAL_FAILPOINTS: `${point}=kill:${times}` });
  const { id: invoice } = await invoiceFor(product, customer, 25);
  await worker.untilKilledAt(point);

  await letMinutePass(product);
  await startRole(product, 'worker');
  await untilPaid(product, invoice);
  expect(await capturesOf(product, invoice)).toBe(1);
  const paid = 'select 1 from attempt where customer_id = ? and is_fallback and state = ?';
  expect(await product.rows(paid, [customer, 'succeeded'])).toHaveLength(1);
  await expectRecovered(product);
});
