import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { dkimKey, SENDER, verifiedDkim } from '../support/dkim.ts';
import { type Product, startProduct } from '../support/product.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct({ env: { LOG_LEVEL: 'silent' } });
});
afterAll(() => product.close());

test('mails come from the sender of the account, signed by its key; without one from the deployment, and answers go to the account', async () => {
  const { client, mailbox } = product;
  await client.patch('/account', { reply_to: 'help@acme.example' });
  const mailTo = async (address: string) => {
    const { id: customer } = await client.post('/customers', { name: 'Ann', email: address });
    const { id } = await client.post('/invoices', { customer, items: [{ unit_cost: 25 }] });
    await client.post('/invoices/{id}/emails', {}, { id });
    return mailbox.waitFor(({ to }) => to.includes(address), `mail to ${address}`);
  };
  const { privateKey, publicKey } = dkimKey();
  const sender = await client.post('/mail_senders', { ...SENDER, private_key: privateKey });
  const signed = await mailTo('a@example.com');
  expect(signed).toMatchObject({
    from: 'billing@acme.example',
    headers: { from: 'Acme <billing@acme.example>', 'reply-to': 'help@acme.example' },
  });
  expect(signed.files).toHaveLength(1); // the PDF
  expect(await verifiedDkim(signed.raw, publicKey)).toMatchObject({ result: 'pass', domain: 'acme.example' });
  await client.delete('/mail_senders/{id}', { id: sender.id });
  const unsigned = await mailTo('b@example.com');
  expect(unsigned.headers).toMatchObject({
    from: 'Acme <billing@perennial.localhost>',
    'reply-to': 'help@acme.example',
  });
  expect(unsigned.headers['dkim-signature']).toBeUndefined();
});
