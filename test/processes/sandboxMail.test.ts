import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readConfig } from '../../bin/config.ts';
import { type Product, startProduct } from '../support/product.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct({ config: { sandboxSmtpUrl: null } });
});
afterAll(() => product.close());

test('mail of the sandbox is stored, counts as sent and reaches no mail server', async () => {
  const { client } = product;
  const customer = await client.post('/customers', { name: 'Ada', email: 'ada@example.com' });
  const { id } = await client.post('/invoices', { customer: customer.id, items: [{ unit_cost: 5 }] });
  const [email] = await client.post('/invoices/{id}/emails', null, { id });
  await product.row(`select state from email where id = ${email?.id}`, ({ state }) => state === 'sent');
  expect(product.mailbox.messages()).toEqual([]);
  expect(await product.rows('select 1 from document_pdf')).toEqual([]); // a PDF is not created without a recipient
});

test.each([
  [{ SMTP_URL: 'smtp://mail.example.com' }, null],
  [{ SMTP_URL: 'smtp://127.0.0.1:1025' }, 'smtp://127.0.0.1:1025'],
  [{ SMTP_URL: 'smtp://mail.example.com', SANDBOX_SMTP_URL: 'smtp://mailpit:1025' }, 'smtp://mailpit:1025'],
])('with %j, mail of the sandbox is sent to %s', (env, server) => {
  const needed = {
    DATABASE_URL: 'postgres://localhost/x',
    PERENNIAL_ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
  };
  expect(readConfig({ ...needed, ...env }).sandboxSmtpUrl).toBe(server);
});
