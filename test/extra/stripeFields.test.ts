import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import type { TestApi } from '../support/api.ts';
import { type Site, startSite } from '../support/browser.ts';
import { sourceVisitor } from '../support/sourcePage.ts';
import { type FieldsOfStripe, serveStripeFields, toldToStripe } from '../support/stripeFields.ts';

/** Pages with the fields of Stripe. Stripe refuses a payment whose fields were for something else: another currency, or to store the card. */

let site: Site;
let api: TestApi;
let browser: Browser;

beforeAll(async () => {
  site = await startSite();
  ({ api, browser } = site);
  const secrets = { secret_key: 'sk_test_Rome2027', publishable_key: 'pk_test_Rome2027' };
  await api.sandbox.make('/merchant_accounts', { gateway: 'stripe', name: 'Stripe', ...secrets });
});
afterAll(() => site?.close());

async function open(url: string): Promise<{ page: Page; complaints: string[] }> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  await serveStripeFields(context);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => void complaints.push(message.text()));
  page.on('pageerror', (error) => void complaints.push(error.message));
  await page.goto(url);
  await page.getByText('Fields of Stripe').waitFor();
  return { page, complaints };
}

async function invoiceOf(name: string) {
  const customer = (await api.sandbox.make('/customers', { name })).id;
  return api.sandbox.make('/invoices', { customer, items: [{ name: 'Support', unit_cost: 399 }] });
}

const told = (page: Page) => page.evaluate<FieldsOfStripe>(toldToStripe);
const sourcesOf = async (customer: number) => (await api.sandbox.get(`/customers/${customer}/payment_sources`)).body;

test('a card that is entered in the fields of Stripe pays the invoice, and is not stored', async () => {
  const { customer, payment_url } = await invoiceOf('Once');
  const { page, complaints } = await open(payment_url);
  await page.getByRole('button', { name: 'Pay $399.00' }).click();
  await page.getByRole('heading', { name: 'Thank you for your payment' }).waitFor();
  expect(await told(page)).toEqual({
    key: 'pk_test_Rome2027',
    options: {
      mode: 'payment',
      currency: 'usd',
      amount: 39_900,
      setupFutureUsage: null,
      allowedPaymentMethodTypes: ['card'],
    },
  });
  expect(await sourcesOf(customer)).toEqual([]);
  expect(complaints).toEqual([]);
  await page.context().close();
});

test('with consent the fields of Stripe store the card; a part of the amount is told to them', async () => {
  await api.sandbox.patch('/account', { partial_payments: true });
  const { customer, payment_url } = await invoiceOf('Often');
  const { page, complaints } = await open(payment_url);
  await page.locator('input[name=amount]').fill('40,5');
  await page.getByLabel('Save for automatic payments').check();
  await page.getByRole('button', { name: 'Pay' }).click();
  await page.getByRole('heading', { name: 'Thank you for your payment' }).waitFor();
  expect((await told(page)).options).toMatchObject({ mode: 'payment', amount: 4050, setupFutureUsage: 'off_session' });
  expect(await sourcesOf(customer)).toMatchObject([{ object: 'card', last4: '4242' }]);
  expect(complaints).toEqual([]);
  await api.sandbox.patch('/account', { partial_payments: null });
  await page.context().close();
});

test('the page that adds a payment source has fields of Stripe that only store the card', async () => {
  const customer = (await api.sandbox.make('/customers', { name: 'Added' })).id;
  const path = await (await sourceVisitor(api, api.sandbox)).pathOf(customer);
  const { page, complaints } = await open(`${api.deps.publicUrl}${path}`);
  await page.locator('input[name=consent]').check();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Your payment method is saved').waitFor();
  expect((await told(page)).options).toMatchObject({ mode: 'setup', currency: 'usd' });
  expect(await sourcesOf(customer)).toMatchObject([{ object: 'card', last4: '4242' }]);
  expect(complaints).toEqual([]);
  await page.context().close();
});
