import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import type { TestApi } from '../support/api.ts';
import { SELLER, SIZES, type Site, startSite } from '../support/browser.ts';
import { looksIn } from '../support/pageLooks.ts';
import { type SourceVisitor, sourceVisitor } from '../support/sourcePage.ts';

/** The pages of subscriptions and payment methods in a browser. */

const check = looksIn('customer');

let site: Site;
let api: TestApi;
let browser: Browser;
let origin: string;
let visitor: SourceVisitor;

beforeAll(async () => {
  site = await startSite();
  ({ api, browser, origin } = site);
  await api.sandbox.patch('/account', { ...SELLER, email: 'billing@acme.example', accent_color: '#7c2d6b' });
  await api.sandbox.make('/plans', { id: 'gold', name: 'Gold plan', amount: 100, interval: 'month' });
  await api.sandbox.make('/plans', { id: 'seat', name: 'Seat', amount: 10, interval: 'month' });
  visitor = await sourceVisitor(api, api.sandbox);
});

afterAll(() => site?.close());

const open = async () => (await browser.newContext({ viewport: SIZES.phone, bypassCSP: true })).newPage();

test.each(['en', 'he'])('the pages fit each screen and have no faults that axe finds, in %s', async (language) => {
  const client = api.sandbox;
  const payer = { name: 'Northwind', email: 'northwind@example.com', autopay: true, language };
  const customer = (await client.make('/customers', payer)).id;
  const failing = { method: 'credit_card', gateway_token: 'tok_4000000000000341', make_default: true };
  await client.make(`/customers/${customer}/payment_sources`, failing);
  const { id } = await client.make('/invoices', { customer, items: [{ name: 'Work', unit_cost: 1300 }] });
  await client.post(`/invoices/${id}/pay`);
  const addons = [{ plan: 'seat', quantity: 3 }];
  const { url } = await client.make('/subscriptions', { customer, plan: 'gold', addons, trial_days: 14 });
  const page = await open();
  await page.goto(url);
  await check(page, `subscription-${language}`);
  const path = await visitor.pathOf(customer);
  await page.goto(`${origin}${path}`);
  await check(page, `source-${language}`);
  const added = async (token: string, method?: string) => {
    const { location } = await visitor.send(path, await visitor.filled(path, token, method));
    await page.goto(`${origin}${location}`);
  };
  await added('tok_4242424242424242');
  await check(page, `saved-${language}`);
  await added('tok_4000000000000127');
  await check(page, `declined-${language}`);
  await added('tok_110000000_000123456789', 'ach');
  await check(page, `deposits-${language}`);
});

test('the page that confirms a bank account is used by keyboard alone', async () => {
  const customer = (await api.sandbox.make('/customers', { name: 'Keys' })).id;
  const path = await visitor.pathOf(customer);
  const form = await visitor.filled(path, 'tok_110000000_000123456789', 'ach');
  const { location } = await visitor.send(path, form);
  const page = await open();
  await page.goto(`${origin}${location}`);
  await page.keyboard.press('Tab');
  await page.keyboard.type('0.35');
  await page.keyboard.press('Tab');
  await page.keyboard.type('0.45');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByText('The bank account is confirmed.').waitFor();
});

test('a card is entered in the fields of the gateway, saved with consent, and its page survives a reload', async () => {
  const customer = (await api.sandbox.make('/customers', { name: 'Fields', autopay: true })).id;
  const path = await visitor.pathOf(customer);
  const page = await (await browser.newContext({ viewport: SIZES.phone })).newPage();
  const complaints: string[] = [];
  page.on('console', (message) => void complaints.push(message.text()));
  page.on('pageerror', (error) => void complaints.push(error.message));
  await page.goto(`${origin}${path}`);
  await page.locator('[data-field=number]').fill('4242 4242 4242 4242');
  await page.locator('[data-field=expiry]').fill('12/34');
  await page.locator('[data-field=cvc]').fill('123');
  await page.locator('input[name=consent]').check();
  await page.getByRole('button', { name: 'Save' }).dblclick();
  await page.getByText('Your payment method is saved').waitFor();
  await page.reload();
  await page.getByText('Your payment method is saved').waitFor();
  await page.goBack();
  expect(complaints).toEqual([]);
  const stored = (await api.sandbox.get(`/customers/${customer}/payment_sources`)).body;
  expect(stored).toMatchObject([{ last4: '4242' }]);
});
