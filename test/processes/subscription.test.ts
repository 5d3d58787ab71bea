import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Product, startProduct } from '../support/product.ts';
import { startReceiver } from '../support/receiver.ts';

let product: Product;

beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product.close());

test('a subscription bills by itself: invoice, charge, books, receipt, webhook', async () => {
  const receiver = await startReceiver();
  const webhook = await product.client.post('/webhooks', { url: receiver.url, events: '*' });
  const customer = await product.client.post('/customers', { name: 'Bob', email: 'bob@example.com', autopay: true });
  const source = { method: 'credit_card', gateway_token: 'tok_4242424242424242', make_default: true } as const;
  await product.client.post('/customers/{id}/payment_sources', source, { id: customer.id });
  await product.client.post('/plans', { id: 'gold', name: 'Gold', amount: 12.5, interval: 'month' });
  const subscription = await product.client.post('/subscriptions', {
    customer: customer.id,
    plan: 'gold',
    quantity: 3,
  });

  // 3 x 12.50 = 37.50, issued and charged at once: the sandbox has no minimum delay.
  await product.row('select 1 from invoice where paid');
  const [invoice] = await product.client.get('/invoices', { filter: { customer: customer.id } });
  expect(invoice).toMatchObject({
    number: 'INV-00001',
    subscription: subscription.id,
    subtotal: 37.5,
    total: 37.5,
    balance: 0,
    status: 'paid',
    paid: true,
    attempt_count: 1,
    next_payment_attempt: null,
  });
  expect(invoice?.items).toMatchObject([{ type: 'plan', plan: 'gold', quantity: 3, unit_cost: 12.5, amount: 37.5 }]);
  const [payment] = await product.client.get('/payments', { filter: { customer: customer.id } });
  expect(payment).toMatchObject({ amount: 37.5, balance: 0, charge: { status: 'succeeded', amount: 37.5 } });

  const mail = await product.mailbox.waitFor(
    (message) => message.subject === 'Receipt for INV-00001 from Acme',
    'the receipt',
  );
  expect(mail.text).toContain('$37.50');

  const paid = await receiver.waitFor((request) => JSON.parse(request.body).type === 'invoice.paid', 'invoice.paid');
  const object = { id: invoice?.id, number: 'INV-00001', total: 37.5, balance: 0, status: 'paid', paid: true };
  expect(JSON.parse(paid.body).data.object).toMatchObject(object);
  expect(await product.audit()).toEqual([]);
  await receiver.stop();
  await product.client.delete('/webhooks/{id}', { id: webhook.id });
});

test('workers of the live environment bill, deliver webhooks and send mail', async () => {
  const receiver = await startReceiver();
  const { live } = product;
  const { id: webhook } = await live.post('/webhooks', { url: 'https://example.com', events: ['invoice.created'] });
  await product.rows('update webhook set url = ? where id = ?', [receiver.url, webhook]); // its certificate is not trusted
  await live.post('/plans', { id: 'silver', name: 'Silver', amount: 7, interval: 'month' });
  const customer = await live.post('/customers', { name: 'Eva', email: 'eva@example.com' });
  const subscription = await live.post('/subscriptions', { customer: customer.id, plan: 'silver' });
  const issued = `select id from invoice where subscription_id = ${subscription.id} and number = 'INV-00001'`;
  const { id } = await product.row<{ id: number }>(issued);
  await receiver.waitFor((request) => JSON.parse(request.body).data.object.id === id, 'the live invoice');
  await live.post('/invoices/{id}/emails', null, { id });
  await product.mailbox.waitFor(({ subject, text }) => /INV-00001/.test(subject) && text.includes('$7.00'), 'its mail');
  await receiver.stop();
});
