import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { advanceTo, clockAt } from '../support/clock.ts';
import { type Product, startProduct } from '../support/product.ts';
import { expectSound } from '../support/soundness.ts';
import { payingCustomer } from '../support/story.ts';

// A renewal is never refused: an invoice that may not be issued stays a draft and is issued later.

let product: Product;
beforeAll(async () => {
  product = await startProduct();
  await product.client.post('/plans', { id: 'gold', name: 'Gold', amount: 30, interval: 'month' });
});
afterAll(() => product.close());

const CARD = 'tok_4242424242424242';
const draftOf = (customer: number) =>
  product.row<{ id: number }>(
    `select i.id from invoice i join problem p on p.subject_type = 'invoice' and p.subject_id = i.id and p.closed_at is null
     where i.customer_id = ${customer} and i.status = 'draft'`,
  );
const paidOf = (id: number) => product.row(`select 1 from invoice where id = ${id} and paid and attempt_count = 1`);

test('a renewal of a customer on hold becomes a draft with a task and a problem, and is issued after the hold', async () => {
  const { client } = product;
  const customer = await payingCustomer(product, CARD, { credit_hold: true });
  await client.post('/subscriptions', { customer: customer.id, plan: 'gold' });
  const { id } = await draftOf(customer.id);
  const message = `Customer ${customer.id} is on credit hold`;
  expect(await client.get('/invoices/{id}', { id })).toMatchObject({
    draft: true,
    status: 'draft',
    number: null,
    total: 30,
    next_payment_attempt: null,
  });
  expect(await product.client.get('/problems')).toMatchObject([
    { subject: { object: 'invoice', id }, step: 'issue', message, money_at_risk: 30, currency: 'usd' },
  ]);
  expect(await client.get('/tasks', { filter: { customer: customer.id } })).toMatchObject([
    { action: 'review', complete: false, name: `Not issued: Gold of 30.00 usd. ${message}` },
  ]);
  expect(await client.get('/customers/{id}/balance', { id: customer.id })).toMatchObject({ total_outstanding: 0 });
  await expect(client.patch('/invoices/{id}', { draft: false }, { id })).rejects.toMatchObject({ status: 400 });

  await client.patch('/customers/{id}', { credit_hold: false }, { id: customer.id });
  await paidOf(id);
  expect(await client.get('/invoices/{id}', { id })).toMatchObject({
    draft: false,
    paid: true,
    number: expect.anything(),
  });
  expect(await product.client.get('/problems')).toEqual([]);
  await expectSound(product);
});

test('a renewal beyond the credit limit waits until there is room, and is retried when the limit changes', async () => {
  const { client } = product;
  const customer = await payingCustomer(product, CARD, { credit_limit: 29.99 });
  await client.post('/subscriptions', { customer: customer.id, plan: 'gold' });
  const { id } = await draftOf(customer.id);
  const [problem] = await product.client.get('/problems');
  expect(problem?.message).toBe(`Customer ${customer.id} would owe 30.00 usd, more than its credit limit of 29.99`);
  await client.post('/problems/{id}/retries', null, { id: problem?.id ?? 0 });
  await product.row(`select 1 from problem where id = ${problem?.id} and tries = 2`);
  await client.patch('/customers/{id}', { credit_limit: 30 }, { id: customer.id });
  await paidOf(id);
  await expectSound(product);
});

test('a held bill is mailed to the team, with its amount', async () => {
  const { client, mailbox } = product;
  await client.patch('/account', { alert_recipients: ['team@example.com'] });
  const customer = await payingCustomer(product, CARD, { credit_hold: true });
  await client.post('/subscriptions', { customer: customer.id, plan: 'gold' });
  const { id } = await draftOf(customer.id);
  const mail = await mailbox.waitFor(({ to }) => to.includes('team@example.com'), 'mail to the team');
  expect(mail.headers.subject).toBe('$30.00 cannot be collected');
  expect(mail.text).toContain(`invoice ${id}`);
  await client.delete('/invoices/{id}', { id });
});

test('deleting the draft closes its problem, and its period is not billed again', async () => {
  const { client } = product;
  const customer = await payingCustomer(product, CARD, { credit_hold: true });
  await client.post('/subscriptions', { customer: customer.id, plan: 'gold' });
  const { id } = await draftOf(customer.id);
  await client.patch('/invoices/{id}', { notes: 'changed, and still held' }, { id });
  expect(await product.client.get('/problems')).toHaveLength(1);
  await client.delete('/invoices/{id}', { id });
  expect(await product.client.get('/problems')).toEqual([]);
  await expectSound(product);
});

test('on a test clock the problem stops the clock, which continues after the hold', async () => {
  const { client } = product;
  const clock = await clockAt(product, '2027-03-01T00:00:00Z');
  const customer = await payingCustomer(product, CARD, { test_clock: clock.id });
  await client.post('/subscriptions', { customer: customer.id, plan: 'gold' });
  await product.row(`select 1 from invoice where customer_id = ${customer.id} and paid`);
  await client.patch('/customers/{id}', { credit_hold: true }, { id: customer.id });
  const stopped = await advanceTo(product, clock, '2027-05-15T00:00:00Z');
  expect(stopped).toMatchObject({ status: 'stopped', frozen_time: Date.UTC(2027, 3, 1) / 1000 });
  const { id } = await draftOf(customer.id);
  await client.patch('/customers/{id}', { credit_hold: false }, { id: customer.id });
  await product.row(`select 1 from invoice where id = ${id} and status <> 'draft'`);
  const arrived = await advanceTo(product, clock, '2027-05-15T00:00:00Z');
  expect(arrived.status).toBe('ready');
  const invoices = await product.rows(
    `select date::date::text as date, issued_at::date::text as issued, paid from invoice where customer_id = ${customer.id} order by date`,
  );
  expect(invoices).toEqual(
    ['2027-03-01', '2027-04-01', '2027-05-01'].map((day) => ({ date: day, issued: day, paid: true })),
  );
  expect(await product.audit()).toEqual([]);
});
