import { env } from 'node:process';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { workflowId } from '../../workflows/client.ts';
import { recordHistory } from '../replay/record.ts';
import { formOn, sendForm, visitPage } from '../support/payPage.ts';
import { type Product, startProduct } from '../support/product.ts';
import { newEmail, signUpVisitor } from '../support/signUpPage.ts';
import { textOf } from '../support/sourcePage.ts';
import { fastSweepConfig, steppedTime } from '../support/steppedTime.ts';
import { temporalAddress } from '../support/temporal.ts';
import { until } from '../support/wait.ts';

/** Sign-ups whose first invoice is not paid, and those of which nothing was kept. */

const time = steppedTime('2027-03-01T10:00:00Z');
let product: Product;
let url = '';

beforeAll(async () => {
  product = await startProduct({ systemNow: time.systemNow, config: fastSweepConfig });
  await product.client.post('/plans', { id: 'gold', name: 'Gold', amount: 20, interval: 'month' });
  url = (await product.client.post('/sign_up_pages', { name: 'Join', plans: ['gold'] })).url;
});
afterAll(() => product.close());

const at = () => ({ origin: new URL(product.url).origin, deps: { publicUrl: product.config.publicUrl } });
const tokenOf = async (gateway_token: string) =>
  (await product.client.post('/service_tokens', { method: 'credit_card', gateway_token })).id;
const invoiceOf = (id: number) => product.client.get('/invoices/{id}', { id });
const statusOf = async (id: number) => (await product.client.get('/subscriptions/{id}', { id })).status;

/** Signs up with a card. Returns the objects that exist afterwards. */
async function signUp(card: string) {
  const email = newEmail();
  const page = await signUpVisitor(at(), tokenOf, url).signUp({ email }, card);
  const [customer] = await product.client.get('/customers', { filter: { email } });
  if (!customer) return { page, customer: 0, invoice: 0, subscription: 0, pay: '' };
  const ofCustomer = { filter: { customer: customer.id } };
  const [invoice] = await product.client.get('/invoices', ofCustomer);
  const [subscription] = await product.client.get('/subscriptions', ofCustomer);
  return {
    page,
    customer: customer.id,
    invoice: invoice?.id ?? 0,
    subscription: subscription?.id ?? 0,
    pay: invoice?.payment_url ?? '',
  };
}

const mailsTo = async (customer: number) =>
  (await product.client.get('/emails', { filter: { customer } })).map(({ template }) => template).toSorted();

test('a declined first charge is given up after 23 hours: invoice voided, subscription canceled, mail', async () => {
  const { page, customer, invoice, subscription } = await signUp('tok_4000000000000341');
  expect(textOf(page)).toContain('Your subscription is kept for 23 hours');
  expect(await mailsTo(customer)).toEqual([]);
  const paid = await signUp('tok_4000000000000341');
  const path = new URL(paid.pay).pathname;
  await sendForm(at(), path, {
    ...formOn(await visitPage(at(), path)),
    service_token: await tokenOf('tok_4242424242424242'),
  });
  time.moveTo('2027-03-02T08:59:00Z');
  expect(await invoiceOf(invoice)).toMatchObject({ status: 'not_sent', paid: false });
  time.moveTo('2027-03-02T09:00:01Z');
  const voided = async () => (await invoiceOf(invoice)).status === 'voided';
  await until(voided, { what: 'the invoice to be voided' });
  expect(await statusOf(subscription)).toBe('canceled');
  expect(await mailsTo(customer)).toEqual(['subscription_canceled_email']);
  expect(await invoiceOf(paid.invoice)).toMatchObject({ paid: true });
  expect(await statusOf(paid.subscription)).toBe('active');
  expect(await mailsTo(paid.customer)).toEqual(['payment_receipt_email', 'subscription_confirmation_email']);
  expect(await product.audit()).toEqual([]);
  if (env.PERENNIAL_RECORD_HISTORIES) await keepHistory(invoice);
});

/** Stores the history of the sign-up whose first invoice this is, for later versions to replay. */
async function keepHistory(invoice: number): Promise<void> {
  const [row] = await product.rows<{ id: number }>('select id from sign_up where invoice_id = ?', [invoice]);
  const connection = await Connection.connect({ address: temporalAddress() });
  const id = workflowId(product.deps.deployment.id, { process: 'sign_up', id: row?.id ?? 0 });
  await recordHistory(new Client({ connection }), id, 'sign_up.given_up');
  await connection.close();
}

test('a sign-up of which nothing was kept is forgotten after a week', async () => {
  await signUp('tok_4000000000000127');
  const left = async () => (await product.rows(`select 1 from sign_up where state = 'declined'`)).length;
  expect(await left()).toBe(1);
  time.moveTo('2027-03-10T09:00:01Z');
  await until(async () => (await left()) === 0, { what: 'the sign-up to be forgotten' });
});
