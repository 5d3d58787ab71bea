import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type StripeServer, startStripe } from '../adapters/stripe/server.ts';
import { advanceTo, clockAt } from '../support/clock.ts';
import { type Product, startProduct } from '../support/product.ts';
import { invoiceFor } from '../support/story.ts';
import { until } from '../support/wait.ts';

// AutoPay charges at Stripe, which refuses the request for a reason of the account: no decline, and charged again once that is mended.

const CREATE = /^POST \/v1\/payment_intents$/;
const CONFIRM = /^POST \/v1\/payment_intents\/\w+\/confirm$/;

let stripe: StripeServer;
let product: Product;
let merchant: number;
beforeAll(async () => {
  stripe = await startStripe();
  const { host, port } = stripe.address;
  product = await startProduct({ env: { LOG_LEVEL: 'silent', STRIPE_API: `http://${host}:${port}` } });
  const secrets = { secret_key: 'sk_test_Rome2027', publishable_key: 'pk_test_Rome2027' };
  merchant = (await product.client.post('/merchant_accounts', { gateway: 'stripe', name: 'Stripe', ...secrets })).id;
});
afterAll(async () => {
  await product.close();
  await stripe.close();
});

/** A customer on AutoPay with a card at Stripe. */
async function payer(name: string, more: { test_clock?: number } = {}): Promise<number> {
  const person = { name, email: `${name}@example.com`, autopay: true, cc_gateway: merchant, ...more };
  const { id } = await product.client.post('/customers', person);
  await store(id);
  return id;
}

const store = (id: number) =>
  product.client.post(
    '/customers/{id}/payment_sources',
    { method: 'credit_card', gateway_token: 'pm_card_visa', make_default: true },
    { id },
  );

const read = (id: number) => product.client.get('/invoices/{id}', { id });
const untilInvoice = (id: number, holds: (invoice: Awaited<ReturnType<typeof read>>) => boolean) =>
  until(
    async () => {
      const invoice = await read(id);
      return holds(invoice) ? invoice : null;
    },
    { what: `invoice ${id}` },
  );
const refusedOnce = (id: number) => untilInvoice(id, ({ payment_failure: failure }) => failure !== null);
const paid = (id: number) => untilInvoice(id, (invoice) => invoice.paid);

async function problems() {
  const data = await product.client.get('/problems');
  return data.filter(({ subject }) => subject.object === 'merchant_account');
}

/** Expects that nothing of an invoice looks like a decline of its customer. */
async function expectNoDecline(id: number) {
  expect(await read(id)).toMatchObject({ paid: false, attempt_count: 0 });
  const declines = `select 'charge' from charge c join attempt_invoice i on i.attempt_id = c.attempt_id where i.invoice_id = ?
    union all select 'mail' from email where template = 'auto_payment_failed_email'`;
  expect(await product.rows(declines, [id])).toEqual([]);
}

test('a method that is not activated is a problem of the account; its retry charges the invoices that wait', async () => {
  const [first, second] = [await payer('ann'), await payer('ben')];
  stripe.fail({ request: CREATE, how: 'payment_method_unactivated', times: 2 });
  const invoices = [(await invoiceFor(product, first, 20)).id, (await invoiceFor(product, second, 30)).id];
  for (const id of invoices) {
    const { payment_failure: failure, next_payment_attempt: next } = await refusedOnce(id);
    expect(failure).toMatchObject({ code: 'gateway_refused', message: expect.stringContaining('is not activated') });
    expect(Number(next) - Date.now() / 1000).toBeGreaterThan(86_000);
    await expectNoDecline(id);
  }
  const [problem, ...others] = await problems();
  expect(others).toEqual([]);
  expect(problem).toMatchObject({
    subject: { id: merchant },
    step: 'charge by credit_card',
    message: expect.stringContaining('The payment method type is not activated. (request req_1)'),
  });
  await product.client.post('/problems/{id}/retries', null, { id: problem?.id ?? 0 });
  for (const id of invoices) expect(await paid(id)).toMatchObject({ attempt_count: 1, payment_failure: null });
  await until(async () => (await problems()).length === 0, { what: 'the problem to close' });
});

test('a key that is revoked before a charge, and one amid a charge, is replaced: then the invoices are charged, once', async () => {
  const customer = await payer('cat');
  stripe.fail({ request: CONFIRM, how: 'api_key_expired' });
  const amid = await invoiceFor(product, customer, 20);
  await refusedOnce(amid.id);
  stripe.revoke('sk_test_Rome2027');
  const before = await invoiceFor(product, customer, 30);
  await refusedOnce(before.id);
  for (const { id } of [amid, before]) await expectNoDecline(id);
  expect(await problems()).toHaveLength(1);
  // The stand-in names the account of a key by the key, so the new key is the old one.
  stripe.restore('sk_test_Rome2027');
  await product.client.patch('/merchant_accounts/{id}', { secret_key: 'sk_test_Rome2027' }, { id: merchant });
  expect(await problems()).toEqual([]);
  for (const { id } of [amid, before]) await paid(id);
  const ofInvoices =
    'select reference from attempt a join attempt_invoice i on i.attempt_id = a.id where i.invoice_id = any(?)';
  const made = await product.rows<{ reference: string | null }>(ofInvoices, [`{${amid.id},${before.id}}`]);
  const captured = made.map(({ reference }) => stripe.world.captures.get(reference ?? '') ?? 0);
  expect(captured.reduce((sum, one) => sum + one, 0)).toBe(2);
  expect(await product.audit()).toEqual([]);
});

test('a charge that is refused is made when the customer has another card', async () => {
  const customer = await payer('dan');
  stripe.fail({ request: CONFIRM, how: 'without_code' });
  const { id } = await invoiceFor(product, customer, 20);
  await refusedOnce(id);
  await expectNoDecline(id);
  await store(customer);
  await paid(id);
});

test('a charge that is refused is made after a day of the customer, whose test clock does not stop', async () => {
  const clock = await clockAt(product, '2027-03-01T09:00:00Z');
  const customer = await payer('eve', { test_clock: clock.id });
  stripe.fail({ request: CREATE, how: 'account_invalid' });
  const { id } = await invoiceFor(product, customer, 20);
  await refusedOnce(id);
  expect(await advanceTo(product, clock, '2027-03-02T08:00:00Z')).toMatchObject({ status: 'ready' });
  await expectNoDecline(id);
  expect(await advanceTo(product, clock, '2027-03-02T12:00:00Z')).toMatchObject({ status: 'ready' });
  expect(await read(id)).toMatchObject({ paid: true, attempt_count: 1 });
});
