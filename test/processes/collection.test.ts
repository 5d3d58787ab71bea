import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Invoice } from '../../client/index.ts';
import { type Product, startProduct } from '../support/product.ts';
import { fastSweepConfig, steppedTime, stepTo } from '../support/steppedTime.ts';
import { invoiceFor, payingCustomer, seconds } from '../support/story.ts';
import { until } from '../support/wait.ts';

const time = steppedTime('2027-03-01T09:00:00Z');
let product: Product;

beforeAll(async () => {
  product = await startProduct({ systemNow: time.systemNow, config: fastSweepConfig });
});
afterAll(() => product.close());

/** Waits until the invoice satisfies `holds`. Returns it. */
function invoiceThat(id: number, holds: (invoice: Invoice) => boolean, what: string): Promise<Invoice> {
  return until(
    async () => {
      const invoice = await product.client.get('/invoices/{id}', { id });
      return holds(invoice) ? invoice : null;
    },
    { what },
  );
}

const attempts = (id: number, count: number) =>
  invoiceThat(id, (invoice) => invoice.attempt_count === count, `${count} attempts`);

test('soft declines are retried after 3, 5 and 7 days; the fourth attempt pays', async () => {
  time.moveTo('2027-03-01T09:00:00Z');
  const customer = await payingCustomer(product, 'tok_script_soft.soft.soft.succeed', { email: 'soft@example.com' });
  const { id, number } = await invoiceFor(product, customer.id, 80);

  expect(await attempts(id, 1)).toMatchObject({
    paid: false,
    balance: 80,
    next_payment_attempt: seconds('2027-03-04T09:00:00Z'),
    payment_failure: {
      code: 'insufficient_funds',
      at: seconds('2027-03-01T09:00:00Z'),
      next_attempt: seconds('2027-03-04T09:00:00Z'),
    },
  });
  const failed = (code: 'insufficient_funds' | 'expired') =>
    product.client.get('/invoices', { filter: { payment_failure: code } });
  expect(await failed('insufficient_funds')).toMatchObject([{ id }]);
  expect(await failed('expired')).toEqual([]);
  time.moveTo('2027-03-04T09:00:00Z');
  expect(await attempts(id, 2)).toMatchObject({ next_payment_attempt: seconds('2027-03-09T09:00:00Z') }); // + 5 days
  time.moveTo('2027-03-09T09:00:00Z');
  expect(await attempts(id, 3)).toMatchObject({ next_payment_attempt: seconds('2027-03-16T09:00:00Z') }); // + 7 days
  time.moveTo('2027-03-16T09:00:00Z');
  expect(await attempts(id, 4)).toMatchObject({ paid: true, balance: 0, status: 'paid', next_payment_attempt: null });
  expect((await attempts(id, 4)).payment_failure).toBeNull();

  const subject = `Your payment for ${number} did not go through`;
  const receipt = `Receipt for ${number} from Acme`;
  await product.mailbox.waitFor((mail) => mail.subject === receipt, receipt);
  const mails = product.mailbox.messages().filter((mail) => mail.to.includes('soft@example.com'));
  expect(mails.map((mail) => mail.subject)).toEqual([subject, subject, subject, receipt]);
  expect(mails[0]?.text).toContain('There is not enough money on the account, or a limit was reached.');
  expect(mails[0]?.text).toContain('We will try again on March 4, 2027.');
  expect(await product.audit()).toEqual([]);
});

test('after the last retry the invoice is collected by hand: it becomes due, then past due, and is paid by check', async () => {
  time.moveTo('2027-04-01T09:00:00Z');
  await product.client.patch('/account', { autopay_retry_days: [2] });
  const customer = await payingCustomer(product, 'tok_4000000000000069');
  const { id } = await invoiceFor(product, customer.id, 25);
  await attempts(id, 1);
  time.moveTo('2027-04-03T09:00:00Z');
  // 3 April + 30 days of the account's terms = 3 May
  expect(await attempts(id, 2)).toMatchObject({
    next_payment_attempt: null,
    due_date: seconds('2027-05-03T09:00:00Z'),
    status: 'not_sent',
    payment_failure: { code: 'insufficient_funds', at: seconds('2027-04-03T09:00:00Z'), next_attempt: null },
  });
  await stepTo(product, time, '2027-05-03T23:59:00Z');
  expect(await product.client.get('/invoices/{id}', { id })).toMatchObject({ status: 'not_sent' });
  time.moveTo('2027-05-04T00:00:00Z');
  await invoiceThat(id, (invoice) => invoice.status === 'past_due', 'past due once the local day has ended');
  await product.client.post('/payments', {
    customer: customer.id,
    amount: 25,
    method: 'check',
    applied_to: [{ type: 'invoice', invoice: id, amount: 25 }],
  });
  expect(await product.client.get('/invoices/{id}', { id })).toMatchObject({
    status: 'paid',
    paid: true,
    attempt_count: 2,
    payment_failure: null,
  });
  await product.client.patch('/account', { autopay_retry_days: [3, 5, 7] });
  expect(await product.audit()).toEqual([]);
});

test.each([
  [
    'hard decline',
    'lost',
    'tok_4000000000000002',
    ['for % did not', 'This card or account cannot be used', 'We will not try again by ourselves.'],
  ],
  [
    'decline that needs the customer',
    'unconfirmed',
    'tok_4000000000003220',
    ['confirm your payment for %', 'Your bank asks you'],
  ],
])('a %s is not retried until there is a new source', async (_decline, name, token, [subject = '', ...says]) => {
  time.moveTo('2027-06-01T09:00:00Z');
  const customer = await payingCustomer(product, token, { email: `${name}@example.com` });
  const { id, number } = await invoiceFor(product, customer.id, 19.99);
  expect(await attempts(id, 1)).toMatchObject({
    next_payment_attempt: null,
    due_date: seconds('2027-07-01T09:00:00Z'),
  });
  const mail = await product.mailbox.waitFor(
    (each) => each.subject.includes(subject.replace('%', `${number}`)),
    'the failure mail',
  );
  for (const said of says) expect(mail.text).toContain(said);

  const source = { method: 'credit_card', gateway_token: 'tok_4242424242424242', make_default: true } as const;
  await product.client.post('/customers/{id}/payment_sources', source, { id: customer.id });
  expect(await attempts(id, 2)).toMatchObject({ paid: true, balance: 0 });
  expect(await product.audit()).toEqual([]);
});

test('an invoice without a source is not charged and gets a due date', async () => {
  time.moveTo('2027-06-02T09:00:00Z');
  const customer = await product.client.post('/customers', { name: 'Eve', autopay: true });
  const { id } = await invoiceFor(product, customer.id, 5);
  const invoice = await invoiceThat(id, (each) => each.due_date !== null, 'a due date');
  expect(invoice).toMatchObject({
    attempt_count: 0,
    next_payment_attempt: null,
    due_date: seconds('2027-07-02T09:00:00Z'), // 2 June + 30 days of the account's terms
  });
});

test('a bank debit is pending for two days, then paid', async () => {
  time.moveTo('2027-07-01T09:00:00Z');
  const customer = await payingCustomer(product, 'tok_123123123_123123893');
  const { id } = await invoiceFor(product, customer.id, 300);
  // The balance is owed until the money has arrived.
  expect(await invoiceThat(id, (each) => each.status === 'pending', 'pending')).toMatchObject({
    balance: 300,
    paid: false,
  });
  time.moveTo('2027-07-03T10:00:00Z');
  expect(await invoiceThat(id, (each) => each.paid, 'paid')).toMatchObject({ balance: 0, attempt_count: 1 });
  expect(await product.audit()).toEqual([]);
});

test('a bank debit that fails later voids its payment and is retried at most twice', async () => {
  time.moveTo('2027-08-01T09:00:00Z');
  const customer = await payingCustomer(product, 'tok_123123123_000222222227');
  const { id } = await invoiceFor(product, customer.id, 40);
  await invoiceThat(id, (each) => each.status === 'pending', 'pending');
  time.moveTo('2027-08-03T10:00:00Z');
  expect(await attempts(id, 1)).toMatchObject({
    paid: false,
    balance: 40,
    next_payment_attempt: seconds('2027-08-06T10:00:00Z'),
  });
  const payments = await product.client.get('/payments', { filter: { customer: customer.id } });
  expect(payments).toMatchObject([{ voided: true, balance: 0, charge: { status: 'failed' } }]);
  expect(await product.audit()).toEqual([]);
});

test("when all attempts fail, the account's setting pauses or cancels the subscription, or leaves it", async () => {
  time.moveTo('2027-09-01T09:00:00Z');
  await product.client.post('/plans', { id: 'silver', name: 'Silver', amount: 9, interval: 'month' });
  for (const [action, expected] of [
    ['pause', { paused: true, status: 'active' }],
    ['cancel', { status: 'canceled' }],
  ] as const) {
    await product.client.patch('/account', { autopay_final_action: action });
    const customer = await payingCustomer(product, 'tok_4000000000000002');
    const { id } = await product.client.post('/subscriptions', { customer: customer.id, plan: 'silver' });
    const ended = async () => {
      const subscription = await product.client.get('/subscriptions/{id}', { id });
      return subscription.paused || subscription.status === 'canceled' ? subscription : null;
    };
    expect(await until(ended, { what: action })).toMatchObject(expected);
    const about = { customer: customer.id, template: 'subscription_canceled_email' };
    const mails = await product.client.get('/emails', { filter: about });
    const isTold = mails.map(({ message }) => message?.includes('ended on this day because a payment failed'));
    expect(isTold).toEqual(action === 'cancel' ? [true] : []);
  }
  await product.client.patch('/account', { autopay_final_action: 'leave' });
  const customer = await payingCustomer(product, 'tok_4000000000000002');
  const { id } = await product.client.post('/subscriptions', { customer: customer.id, plan: 'silver' });
  await product.row(`select 1 from invoice where subscription_id = ${id} and attempt_count = 1 and autopay_stopped`);
  expect(await product.client.get('/subscriptions/{id}', { id })).toMatchObject({ paused: false, status: 'active' });
});
