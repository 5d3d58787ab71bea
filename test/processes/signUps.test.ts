import { env } from 'node:process';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { workflowId } from '../../workflows/client.ts';
import { recordHistory } from '../replay/record.ts';
import { formOn, type SeenPage, sendForm, visitPage } from '../support/payPage.ts';
import { type Product, startProduct } from '../support/product.ts';
import { newEmail, signUpVisitor } from '../support/signUpPage.ts';
import { inputsOf, textOf } from '../support/sourcePage.ts';
import { fastSweepConfig, steppedTime } from '../support/steppedTime.ts';
import { temporalAddress } from '../support/temporal.ts';
import { until } from '../support/wait.ts';

/** Sign-ups whose first invoice is not paid, and those of which nothing was kept. */

/** A card whose bank asks before it is stored, and before it is charged. */
const ASKS = 'tok_4000000000003220';

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
  const visitor = signUpVisitor(at(), tokenOf, url);
  const { location } = await visitor.send(await visitor.filled({ email }, card));
  const here = location ?? visitor.path;
  const page = await visitPage(at(), here);
  const [customer] = await product.client.get('/customers', { filter: { email } });
  if (!customer) return { page, here, customer: 0, invoice: 0, subscription: 0, pay: '' };
  const ofCustomer = { filter: { customer: customer.id } };
  const [invoice] = await product.client.get('/invoices', ofCustomer);
  const [subscription] = await product.client.get('/subscriptions', ofCustomer);
  return {
    page,
    here,
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

/** Follows a link to a bank's page and authenticates there. Returns the page to which it leads. */
async function authenticate({ html }: SeenPage): Promise<SeenPage> {
  const [, challenge = ''] = /<a class="button" href="([^"]+)"/.exec(html) ?? [];
  const { location } = await visitPage(at(), `${new URL(challenge).pathname}/authenticate`, { method: 'POST' });
  const { pathname, search } = new URL(location ?? '');
  return visitPage(at(), `${pathname}${search}`);
}

const pathOf = (page: SeenPage, text: string) => new RegExp(`href="([^"]+)"[^>]*>${text}<`).exec(page.html)?.[1] ?? '';

test('another card is charged at once if the visitor left the bank that asked for the first charge', async () => {
  const email = newEmail();
  const stored = await signUpVisitor(at(), tokenOf, url).signUp({ email }, ASKS);
  const asked = await authenticate(stored);
  expect(textOf(asked)).toContain('Your bank wants you to confirm');
  const [, here = ''] = /<form method="post" action="([^"]+)"/.exec(asked.html) ?? [];
  await visitPage(at(), here, { method: 'POST' });
  const left = await visitPage(at(), here);
  expect(textOf(left)).toContain('Your subscription is kept for 23 hours');
  const other = pathOf(left, 'Use another card or account');
  const inputs = inputsOf(await visitPage(at(), other));
  await sendForm(at(), other, { ...inputs, consent: 'yes', service_token: await tokenOf('tok_5454545454545454') });
  const [customer] = await product.client.get('/customers', { filter: { email } });
  const invoices = () => product.client.get('/invoices', { filter: { customer: customer?.id ?? 0 } });
  await until(async () => (await invoices())[0]?.paid === true, { what: 'the other card to be charged' });
  expect(textOf(await visitPage(at(), here))).toContain('Your subscription is active');
  const charges = await product.client.get('/charges', { filter: { customer: customer?.id ?? 0 } });
  expect(charges.filter(({ status }) => status === 'succeeded')).toHaveLength(1);
});

test('an invoice that staff voids or that is paid otherwise leaves the subscription active, and the page says so', async () => {
  const voided = await signUp('tok_4000000000000341');
  const paid = await signUp('tok_4000000000000341');
  await product.client.post('/invoices/{id}/void', {}, { id: voided.invoice });
  const customer = paid.customer;
  const invoices = [{ type: 'invoice' as const, invoice: paid.invoice, amount: 20 }];
  await product.client.post('/payments', { customer, amount: 20, method: 'check', applied_to: invoices });
  const told = async () => {
    const pages = await Promise.all([voided, paid].map(({ here }) => visitPage(at(), here)));
    return pages.map((page) => textOf(page).includes('Your subscription is active'));
  };
  expect(await told()).toEqual([true, true]);
  time.moveTo(new Date(time.systemNow().getTime() + 23 * 3_600_000 + 1000).toISOString());
  const left = `select 1 from sign_up where state = 'charging' and invoice_id = any(array[${voided.invoice}, ${paid.invoice}])`;
  await until(async () => (await product.rows(left)).length === 0, { what: 'the sign-ups to end' });
  expect(await told()).toEqual([true, true]);
  for (const { subscription } of [voided, paid]) expect(await statusOf(subscription)).toBe('active');
});

test('the page of a sign-up whose subscription staff cancels does not call it active', async () => {
  const { here, invoice, subscription } = await signUp('tok_4000000000000341');
  await product.client.delete('/subscriptions/{id}', { id: subscription });
  await product.client.post('/invoices/{id}/void', {}, { id: invoice });
  expect(textOf(await visitPage(at(), here))).not.toContain('Your subscription is active');
});

test('a first invoice that is being paid when it would be given up is kept until the outcome', async () => {
  const { invoice, subscription, pay } = await signUp('tok_4000000000000341');
  const began = time.systemNow().getTime();
  time.moveTo(new Date(began + 23 * 3_600_000 - 60_000).toISOString());
  const path = new URL(pay).pathname;
  const form = formOn(await visitPage(at(), path));
  const sent = await sendForm(at(), path, { ...form, service_token: await tokenOf(ASKS) });
  const asked = await visitPage(at(), sent.location ?? '');
  time.moveTo(new Date(began + 23 * 3_600_000 + 1000).toISOString());
  const later = `select 1 from wakeup w join sign_up s on s.id = w.subject_id
    where w.process = 'sign_up' and s.invoice_id = ? and w.at > s.ended_at + interval '24 hours'`;
  const isKept = async () => (await product.rows(later, [invoice])).length === 1;
  await until(isKept, { what: 'the sign-up to wait for another hour' });
  expect(await invoiceOf(invoice)).toMatchObject({ paid: false, closed: false });
  expect(textOf(await authenticate(asked))).toContain('Thank you for your payment');
  expect([(await invoiceOf(invoice)).paid, await statusOf(subscription)]).toEqual([true, 'active']);
  expect(await product.audit()).toEqual([]);
});

test('a sign-up of which nothing was kept is forgotten after a week', async () => {
  await signUp('tok_4000000000000127');
  const left = async () => (await product.rows(`select 1 from sign_up where state = 'declined'`)).length;
  expect(await left()).toBe(1);
  time.moveTo(new Date(time.systemNow().getTime() + 7 * 24 * 3_600_000 + 1000).toISOString());
  await until(async () => (await left()) === 0, { what: 'the sign-up to be forgotten' });
});
