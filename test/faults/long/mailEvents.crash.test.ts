import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { deliveryReport, POSTMARK, reportRequest, sendEvent } from '../../support/bounces.ts';
import { type Product, startProduct } from '../../support/product.ts';
import { killRoles, startRole } from '../../support/roles.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct({ worker: false });
});
afterEach(killRoles);
afterAll(() => product.close());

test('an API that is killed while it stores a bounce leaves nothing; the bounce that is sent again has its whole effect once', async () => {
  const { client } = product;
  const provider = await client.post('/mail_providers', { ...POSTMARK, provider: 'mailbox' });
  const address = 'crash@example.com';
  const customer = await client.post('/customers', { name: 'Ann', email: address });
  const invoice = await client.post('/invoices', { customer: customer.id, items: [{ unit_cost: 25 }] });
  await client.post('/invoices/{id}/emails', {}, { id: invoice.id });
  const [mail] = await product.rows<{ message_id: string }>('select message_id from email');
  const request = reportRequest(deliveryReport({ messageId: mail?.message_id ?? '', address }));
  const told = async () => [
    (await product.rows('select 1 from mail_event')).length,
    (await product.rows('select 1 from suppression')).length,
    (await product.rows('select 1 from task')).length,
    (await product.rows(`select 1 from email where state = 'bounced'`)).length,
  ];
  const killed = await startRole(product, 'api', { PERENNIAL_FAILPOINTS: 'mail_event.stored=kill' });
  await expect(sendEvent({ origin: new URL(killed.url).origin }, provider, request)).rejects.toThrow();
  await killed.untilKilledAt('mail_event.stored');
  expect(await told()).toEqual([0, 0, 0, 0]);
  const next = await startRole(product, 'api');
  const again = () => sendEvent({ origin: new URL(next.url).origin }, provider, request);
  const answers = await Promise.all([again(), again(), again()]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(await told()).toEqual([1, 1, 1, 1]);
});
