import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { answerAtBank, type PayingPage, payOnPage, statusOf } from '../support/presentPayers.ts';
import { type Product, startProduct } from '../support/product.ts';
import { fastSweepConfig, steppedTime } from '../support/steppedTime.ts';

/** Payers who do not come back from the challenge of their bank: their processes find what became of it. */

const time = steppedTime('2027-03-01T09:00:00Z');
let product: Product;
let page: PayingPage;
beforeAll(async () => {
  product = await startProduct({ systemNow: time.systemNow, config: fastSweepConfig });
  const { deps, accountId } = product;
  page = { deps, gateway: deps.testGateway, accountId };
});
afterAll(() => product.close());

async function challenged() {
  const { client } = product;
  const { id: customerId } = await client.post('/customers', { name: 'Payer', email: 'payer@example.com' });
  const { id: invoiceId } = await client.post('/invoices', { customer: customerId, items: [{ unit_cost: 12 }] });
  const begun = await payOnPage(page, { customerId, invoiceId, amount: '12.00' });
  await product.row(`select 1 from attempt where id = ${begun.id} and state = 'waiting'`);
  return { begun, customerId, invoiceId };
}

test('a process ends the charge of a payer who never comes back after an hour, and releases the invoice', async () => {
  time.moveTo('2027-03-01T09:00:00Z');
  const { begun, invoiceId } = await challenged();
  const timeline = await product.client.get('/invoices/{id}/timeline', { id: invoiceId });
  expect(timeline).toContainEqual(
    expect.objectContaining({ what: 'ask the payment gateway whether the payer has authenticated' }),
  );
  time.moveTo('2027-03-01T09:59:59Z');
  await product.row(`select 1 from wakeup where process = 'charge' and subject_id = ${begun.id}
    and at = '2027-03-01T10:00:00Z'`);
  expect(await statusOf(page, begun)).toMatchObject({ status: 'challenge' });
  time.moveTo('2027-03-01T10:00:00Z');
  await product.row(`select 1 from attempt where id = ${begun.id} and state = 'abandoned'`);
  expect(await statusOf(page, begun)).toMatchObject({ status: 'abandoned', why: 'unauthenticated' });
  expect(await answerAtBank(page, begun, true)).toBe(false);
  expect(await product.client.post('/invoices/{id}/void', null, { id: invoiceId })).toMatchObject({ status: 'voided' });
  expect(await product.audit()).toEqual([]);
});

test.each([
  { by: 'a look-up', told: false },
  { by: 'an event of the gateway', told: true },
])('a process records what a payer paid who does not come back, by $by', async ({ told }) => {
  time.moveTo('2027-03-01T12:00:00Z');
  const { begun, invoiceId } = await challenged();
  await answerAtBank(page, begun, true);
  if (told) await product.deps.testGateway.sendEvents(new URL(product.url).origin);
  else time.moveTo('2027-03-01T12:01:00Z');
  await product.row(`select 1 from invoice where id = ${invoiceId} and paid`);
  expect(await statusOf(page, begun)).toMatchObject({ status: 'succeeded' });
  await product.row(`select 1 from email where template = 'payment_receipt_email' and cause = 'payment:' || (
    select p.id from payment p join charge c on c.id = p.charge_id where c.attempt_id = ${begun.id})`);
  expect(await product.audit()).toEqual([]);
});
