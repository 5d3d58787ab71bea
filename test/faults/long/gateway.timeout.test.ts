import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Product, startProduct } from '../../support/product.ts';
import { invoiceFor } from '../../support/story.ts';
import { until } from '../../support/wait.ts';
import { type Heard, type Sent, send } from '../money/client.ts';
import { lookUpNow } from '../money/past.ts';
import { newPayer, token } from '../money/payers.ts';
import { capturesOf, expectRecovered } from '../money/recovery.ts';
import { together } from '../money/together.ts';

let product: Product;

beforeAll(async () => {
  product = await startProduct({ endpoint: true, env: { GATEWAY_DEADLINE: '4000' } });
});
afterAll(() => product.close());

test("a charge without an answer is pending, then takes the gateway's outcome, with one capture", async () => {
  await together({
    'taken, by API': chargeTaken,
    'not taken, by API': chargeUntaken,
    'taken, the invoice paid meanwhile': chargeTakenOfPaid,
    'taken, by AutoPay': () => autopay({ script: 'timeout_taken', attempts: ['succeeded'] }),
    'not taken, by AutoPay': () => autopay({ script: 'timeout_untaken.succeed', attempts: ['abandoned', 'succeeded'] }),
    'not taken, then taken, by AutoPay': () =>
      autopay({ script: 'timeout_untaken.timeout_taken', attempts: ['abandoned', 'succeeded'] }),
  });
  await expectRecovered(product);
});

async function chargeTaken(): Promise<void> {
  const unheard = await chargeUnheard(token.timesOutTaken, { vault_method: true, make_default: true });
  const { payment, invoice, events } = await outcomeOf(unheard);
  const { payment_source } = await product.call('GET', `/customers/${unheard.customer}`);
  expect(payment_source).toMatchObject({ last4: '0119' }); // stored because of `vault_method`
  expect(payment).toMatchObject({ voided: false, balance: 0, charge: { status: 'succeeded' } });
  expect(invoice).toMatchObject({ status: 'paid', balance: 0, attempt_count: 1 });
  expect(events).toEqual(['payment.created', 'payment.updated']);
  expect(await capturesOf(product, invoice.id)).toBe(1);
}

async function chargeUntaken(): Promise<void> {
  const unheard = await chargeUnheard(token.timesOutUntaken);
  const { payment, invoice, events } = await outcomeOf(unheard);
  expect(payment).toMatchObject({ voided: true, charge: { status: 'failed' } });
  expect(invoice).toMatchObject({ status: 'not_sent', balance: 25 });
  expect(events).toEqual(['payment.created', 'charge.failed', 'payment.deleted']);
  expect(await capturesOf(product, invoice.id)).toBe(0);
}

/** A check pays the invoice before the charge's outcome is known. All money is recorded. The charge stays unapplied, and a task says so. */
async function chargeTakenOfPaid(): Promise<void> {
  const unheard = await chargeUnheard(token.timesOutTaken);
  const applied_to = [{ type: 'invoice', invoice: unheard.invoice, amount: 25 }];
  const { customer } = unheard;
  await product.call('POST', '/payments', { customer, method: 'check', amount: 25, applied_to });
  const { payment, invoice } = await outcomeOf(unheard);
  expect(payment).toMatchObject({ voided: false, balance: 25, charge: { status: 'succeeded' } });
  expect(invoice).toMatchObject({ status: 'paid', balance: 0 });
  const name = `Unapplied: 25.00 usd of payment ${payment.id}, no longer taken by invoice ${invoice.number} (paid)`;
  expect(await product.call('GET', `/tasks?filter[customer]=${customer}`)).toMatchObject([{ name, action: 'review' }]);
}

interface Unheard {
  customer: number;
  invoice: number;
  payment: number;
  charge: Sent;
  answer: Heard;
}

/** Sends a charge that gets no answer from the gateway in time. It is shown as pending. */
async function chargeUnheard(gatewayToken: string, more: object = {}): Promise<Unheard> {
  const customer = await newPayer(product, { autopay: false });
  const { id: invoice } = await invoiceFor(product, customer, 25);
  const applied_to = [{ type: 'invoice', invoice, amount: 25 }];
  const body = { customer, method: 'credit_card', amount: 25, gateway_token: gatewayToken, applied_to, ...more };
  const idempotencyKey = `charge of invoice ${invoice}`;
  const charge = { url: product.url, key: product.key, path: '/charges', idempotencyKey, body };
  const answer = await send(charge);
  expect(answer).toMatchObject({ status: 201, body: { amount: 25, balance: 0, charge: { status: 'pending' } } });
  expect(await product.call('GET', `/invoices/${invoice}`)).toMatchObject({ status: 'pending', balance: 25 });
  return { customer, invoice, payment: answer.body.id, charge, answer };
}

/** Looks the charge up and returns its outcome. A replay of the request still gets the first answer. */
async function outcomeOf(unheard: Unheard) {
  const { customer, charge, answer } = unheard;
  await lookUpNow(product, customer, 'unknown');
  await product.row(
    `select 1 from attempt where customer_id = ${customer} and kind = 'charge' and ended_at is not null`,
  );
  expect(await send(charge)).toEqual({ ...answer, replayed: true });
  const payment = await product.call('GET', `/payments/${unheard.payment}`);
  const invoice = await product.call('GET', `/invoices/${unheard.invoice}`);
  const rows = await product.rows<{ type: string }>(
    `select type from event where (subject_type, subject_id) in (('payment', '${payment.id}'), ('charge', '${payment.charge.id}'))
     order by id`,
  );
  return { payment, invoice, events: rows.map(({ type }) => type) };
}

/** Looks up every attempt without an answer until the invoice is paid. */
async function untilLookedUp(customer: number, invoice: number): Promise<void> {
  const look = async () => {
    await lookUpNow(product, customer, 'unknown');
    return (await product.rows('select 1 from invoice where id = ? and paid', [invoice])).length > 0;
  };
  await until(look, { what: `invoice ${invoice} to be paid`, every: 500 });
}

async function autopay(at: { script: string; attempts: string[] }): Promise<void> {
  const customer = await newPayer(product, { gatewayToken: `tok_script_${at.script}`, autopay: true });
  const { id } = await invoiceFor(product, customer, 25);
  await product.row(`select 1 from invoice where id = ${id} and status = 'pending'`);
  await untilLookedUp(customer, id);
  const attempts = await product.rows<{ state: string }>(
    `select state from attempt where customer_id = ${customer} and kind = 'charge' order by id`,
  );
  expect(attempts.map(({ state }) => state)).toEqual(at.attempts);
  expect(await capturesOf(product, id)).toBe(1);
  const told = await product.rows(
    `select 1 from event where type = 'charge.failed' and (object ->> 'customer')::int = ${customer}`,
  );
  expect(told).toHaveLength(at.attempts.filter((state) => state === 'abandoned').length);
}
