import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createWaker } from '../../../bin/deps.ts';
import { type Product, startProduct } from '../../support/product.ts';
import { killRoles, type Role, startRole } from '../../support/roles.ts';
import { invoiceFor } from '../../support/story.ts';
import { type Heard, type Sent, send } from '../money/client.ts';
import { newPayer } from '../money/payers.ts';
import { capturesOf, expectRecovered, untilPaid } from '../money/recovery.ts';

let product: Product;
let otherApi: Role;

beforeAll(async () => {
  product = await startProduct({ endpoint: true });
  [otherApi] = await Promise.all([startRole(product, 'api'), startRole(product, 'worker')]);
});
afterAll(async () => {
  await killRoles();
  await product.close();
});

test.each([1, 2, 3])(
  '20 simultaneous charges of one invoice: one capture, and the others are refused with the reason (%i)',
  async () => {
    const { customer, invoice, sourceId } = await newRace();
    const charge = {
      customer,
      method: 'credit_card',
      amount: 25,
      payment_source_type: 'card',
      payment_source_id: sourceId,
      applied_to: [{ type: 'invoice', invoice, amount: 25 }],
    };
    const requests = Array.from({ length: 19 }, (_, n) =>
      n % 2 === 0 ? { path: '/charges', body: charge } : { path: `/invoices/${invoice}/pay`, body: {} },
    );
    const [answers] = await Promise.all([Promise.all(requests.map(sendToEither)), collectNow(invoice)]);
    await untilPaid(product, invoice);
    const losers = answers.filter(({ status }) => status >= 300);
    expect(answers.length - losers.length).toBeLessThanOrEqual(1);
    for (const { status, body } of losers) {
      expect(status).toBe(400);
      expect(body).toMatchObject({ type: 'invalid_request' });
      expect(body.message).toMatch(/^(Another charge of this invoice is in progress|Invoice INV-\d+ is paid)$/);
    }
    expect(await capturesOf(product, invoice)).toBe(1);
    expect(await product.call('GET', `/invoices/${invoice}`)).toMatchObject({ balance: 0, attempt_count: 1 });
    await expectRecovered(product);
  },
);

test('when payments by check race with charges, all money is recorded and no invoice is overpaid', async () => {
  const { customer, invoice, sourceId } = await newRace();
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
  const [answers] = await Promise.all([Promise.all(requests.map(sendToEither)), collectNow(invoice)]);
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

let requestCount = 0;

const RETRY_MILLISECONDS = 200;

/** Sends a request to this process's API or to the other one in turn. Retries on 429, which means that the customer's lock was held too long. */
async function sendToEither(request: Pick<Sent, 'path' | 'body'>): Promise<Heard> {
  requestCount += 1;
  const url = requestCount % 3 === 0 ? otherApi.url : product.url;
  for (;;) {
    const heard = await send({ ...request, key: product.key, url });
    if (heard.status !== 429) return heard;
    await setTimeout(RETRY_MILLISECONDS);
  }
}

/** Creates an open invoice over 25 that AutoPay does not charge until tomorrow. */
async function newRace(): Promise<{ customer: number; invoice: number; sourceId: number }> {
  const customer = await newPayer(product, { autopay: true, autopayDelayDays: 1 });
  const { id: invoice } = await invoiceFor(product, customer, 25);
  const [source] = await product.call('GET', `/customers/${customer}/payment_sources`);
  return { customer, invoice, sourceId: source.id };
}

/** Makes AutoPay due at once and wakes it. */
async function collectNow(invoice: number): Promise<void> {
  await product.rows(`with now_due as (update invoice set next_payment_attempt_at = now() where id = ${invoice})
    update wakeup set at = now() where process = 'invoice' and subject_id = ${invoice} and rule = 'attempt'`);
  const waker = createWaker(product.deps);
  const { accountId } = product;
  await waker.wake({ process: 'invoice', environment: 'sandbox', accountId, id: invoice, startAt: null });
  await waker.close();
}
