import { setTimeout } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { createWaker } from '../../../bin/deps.ts';
import type { Product } from '../../support/product.ts';
import type { Role } from '../../support/roles.ts';
import { invoiceFor } from '../../support/story.ts';
import { type Heard, type Sent, send } from './client.ts';
import { newPayer } from './payers.ts';
import { capturesOf, expectRecovered, untilPaid } from './recovery.ts';

/** Payers who race for the invoices of a product with two APIs. */
export interface Field {
  product: Product;
  otherApi: Role;
}

/** An open invoice over 25, and a stored card of its customer. */
export interface Race {
  customer: number;
  invoice: number;
  sourceId: number;
}

const RETRY_MILLISECONDS = 200;

/**
 * Pays an invoice of 25 as often as `payers` at once: by charges of a card, by `pay`, and by AutoPay. Expects one payment of the balance,
 * and that the others are refused with the reason.
 */
export async function racePayers(field: Field, payers: number): Promise<void> {
  const { product } = field;
  const { customer, invoice, sourceId } = await newRace(product);
  const charge = {
    customer,
    method: 'credit_card',
    amount: 25,
    payment_source_type: 'card',
    payment_source_id: sourceId,
    applied_to: [{ type: 'invoice', invoice, amount: 25 }],
  };
  const requests = Array.from({ length: payers - 1 }, (_, n) =>
    n % 2 === 0 ? { path: '/charges', body: charge } : { path: `/invoices/${invoice}/pay`, body: {} },
  );
  const [answers] = await Promise.all([sendAll(field, requests), collectNow(product, invoice)]);
  await untilPaid(product, invoice);
  const losers = answers.filter(({ status }) => status >= 300);
  expect(answers.length - losers.length).toBeLessThanOrEqual(1);
  for (const { status, body } of losers) {
    expect(status).toBe(400);
    expect(body).toMatchObject({ type: 'invalid_request' });
    expect(body.message).toMatch(/^(Another charge of this invoice is in progress|Invoice INV-\d+ is paid)$/);
  }
  expect(await capturesOf(product, invoice)).toBe(1);
  const paid = await product.client.get('/payments', { filter: { customer } });
  expect(paid).toMatchObject([{ amount: 25, balance: 0 }]);
  expect(await product.call('GET', `/invoices/${invoice}`)).toMatchObject({ balance: 0, attempt_count: 1 });
  await expectRecovered(product);
}

type Request = Pick<Sent, 'path' | 'body'>;

/** Sends requests at once, each third one to the other API. */
export function sendAll(field: Field, requests: readonly Request[]): Promise<Heard[]> {
  return Promise.all(
    requests.map((request, n) => sendTo(field, n % 3 === 0 ? field.otherApi.url : field.product.url, request)),
  );
}

/** Retries on 429, which means that the customer's lock was held too long. */
async function sendTo({ product }: Field, url: string, request: Request): Promise<Heard> {
  for (;;) {
    const heard = await send({ ...request, key: product.key, url });
    if (heard.status !== 429) return heard;
    await setTimeout(RETRY_MILLISECONDS);
  }
}

/** Creates an open invoice over 25 that AutoPay does not charge until tomorrow. */
export async function newRace(product: Product): Promise<Race> {
  const customer = await newPayer(product, { autopay: true, autopayDelayDays: 1 });
  const { id: invoice } = await invoiceFor(product, customer, 25);
  const [source] = await product.call('GET', `/customers/${customer}/payment_sources`);
  return { customer, invoice, sourceId: source.id };
}

/** Makes AutoPay due at once and wakes it. */
export async function collectNow(product: Product, invoice: number): Promise<void> {
  await product.rows(`with now_due as (update invoice set next_payment_attempt_at = now() where id = ${invoice})
    update wakeup set at = now() where process = 'invoice' and subject_id = ${invoice} and rule = 'attempt'`);
  const waker = createWaker(product.deps);
  const { accountId } = product;
  await waker.wake({ process: 'invoice', environment: 'sandbox', accountId, id: invoice, startAt: null });
  await waker.close();
}
