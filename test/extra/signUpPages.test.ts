import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Browser, chromium, type Page } from 'playwright-core';
import { projectFolder } from '../suites.ts';
import { accessibilityFaults } from '../support/accessibility.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { fromRun } from '../support/environment.ts';
import { startReverseProxy } from '../support/reverseProxy.ts';
import { newEmail } from '../support/signUpPage.ts';

/** Strangers subscribe on sign-up pages and pay by payment links, in a browser. */

const PICTURES = join(projectFolder, '.data', 'pictures', 'signUp');
const SIZES = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 860 } };
const LANGUAGES = ['en', 'de', 'es', 'fr', 'ar', 'he', 'ja', 'zh'];

let api: TestApi;
let browser: Browser;
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  mkdirSync(PICTURES, { recursive: true });
  const proxy = await startReverseProxy();
  api = await startApi({ publicUrl: proxy.origin });
  proxy.forwardTo(api.origin);
  closing.push(
    () => api.close(),
    () => proxy.close(),
  );
  browser = await chromium.launch({
    executablePath: fromRun('CHROMIUM'),
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  });
  closing.unshift(() => browser.close());
  const seller = { address1: '1 Main Street', city: 'Austin', state: 'TX', postal_code: '78701', country: 'US' };
  await api.sandbox.patch('/account', { ...seller, email: 'billing@acme.example', accent_color: '#7c2d6b' });
  await api.sandbox.make('/plans', { id: 'gold', name: 'Gold', amount: 29, interval: 'month' });
  await api.sandbox.make('/plans', { id: 'silver', name: 'Silver', amount: 190, interval: 'year' });
  await api.sandbox.make('/items', { id: 'support', name: 'Priority support', unit_cost: 12 });
  await api.sandbox.make('/coupons', { id: 'welcome', name: 'Welcome', value: 25, duration: 3 });
  await api.sandbox.make('/tax_rates', { id: 'de', name: 'USt.', value: 19 });
  await api.sandbox.make('/tax_rules', { tax_rate: 'de', country: 'DE' });
});

afterAll(async () => {
  for (const close of closing) await close();
});

const full = {
  name: 'Join Gold',
  description: 'For teams of every size. Cancel at any time.',
  plans: ['gold', 'silver'],
  addons: [{ catalog_item: 'support' }],
  max_quantity: 20,
  coupons: true,
  ask_tax_id: true,
  address: 'full',
  terms_url: 'https://example.com/terms',
  return_urls: ['https://example.com/welcome'],
};

/** Takes screenshots in both sizes and color schemes. Expects that the page fits each screen, and that no rule of WCAG is broken. */
async function look(page: Page, name: string): Promise<void> {
  for (const [device, size] of Object.entries(SIZES)) {
    await page.setViewportSize(size);
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: join(PICTURES, `${name}-${device}-${colorScheme}.png`), fullPage: true });
    }
    const width = await page.evaluate<number>('document.documentElement.scrollWidth');
    expect([name, device, width]).toEqual([name, device, size.width]);
  }
  expect([name, await accessibilityFaults(page)]).toEqual([name, []]);
}

async function open(url: string, { viewport = SIZES.phone, locale = 'en-US' } = {}) {
  const page = await (await browser.newContext({ viewport, locale })).newPage();
  const complaints: string[] = [];
  page.on('console', (message) => void complaints.push(message.text()));
  page.on('pageerror', (error) => void complaints.push(error.message));
  await page.goto(url);
  return { page, complaints };
}

async function enterCard(page: Page, number: string): Promise<void> {
  await page.locator('[data-field=number]').fill(number);
  await page.locator('[data-field=expiry]').fill('12/34');
  await page.locator('[data-field=cvc]').fill('123');
}

async function agree(page: Page): Promise<void> {
  for (const box of await page.locator('label.consent input').all()) await box.check();
}

test('a stranger subscribes with a coupon and tax, after an error and a declined card', async () => {
  const { url } = await api.sandbox.make('/sign_up_pages', full);
  const { page, complaints } = await open(url);
  await look(page, 'form');
  await page.getByLabel('Name').fill('Ada Lovelace');
  await page.getByLabel('Email').fill(newEmail());
  await page.getByLabel('Quantity').fill('3');
  await page.getByLabel('Priority support').check();
  await page.getByLabel('Street and number').fill('Hauptstraße 1');
  await page.getByLabel('City').fill('Berlin');
  await page.getByLabel('Country').selectOption('DE');
  await page.getByLabel('Coupon code').fill('nonsense');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('This code cannot be used').waitFor();
  await look(page, 'form-error');
  await page.getByLabel('Coupon code').fill('welcome');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.locator('[data-field=number]').waitFor();
  await look(page, 'review');
  await enterCard(page, '4000000000000127');
  await agree(page);
  const pay = page.getByRole('button', { name: 'Subscribe and pay $88.36' });
  await pay.click();
  await page.locator('#refused').waitFor();
  await look(page, 'review-declined');
  await enterCard(page, '4242424242424242');
  await agree(page);
  await pay.dblclick();
  await page.getByRole('heading', { name: 'Welcome' }).waitFor();
  await look(page, 'done');
  await page.reload();
  const { body: subscriptions } = await api.sandbox.get('/subscriptions');
  expect(subscriptions).toHaveLength(1);
  expect(complaints.filter((text) => !text.includes('400'))).toEqual([]);
  await page.context().close();
});

test('a bank that wants a confirmation of the card and of the charge leads back to the page', async () => {
  const { url } = await api.sandbox.make('/sign_up_pages', { name: 'Gold', plans: ['gold'] });
  const { page } = await open(url, { viewport: SIZES.desktop });
  await page.getByLabel('Name').fill('Ada');
  await page.getByLabel('Email').fill(newEmail());
  await page.getByRole('button', { name: 'Continue' }).click();
  await enterCard(page, '4000000000003220');
  await agree(page);
  await page.getByRole('button', { name: 'Subscribe and pay' }).click();
  for (let times = 0; times < 2; times++) {
    await page.waitForURL(/test_gateway\/challenges/);
    await page.getByRole('button').first().click();
    await page.waitForURL(/returned=1/);
  }
  await page.getByRole('heading', { name: 'Welcome' }).waitFor();
  await page.context().close();
});

test('a card that is stored and then declined keeps the subscription, and the page says what helps', async () => {
  const { url } = await api.sandbox.make('/sign_up_pages', { name: 'Gold', plans: ['gold'] });
  const { page } = await open(url);
  await page.getByLabel('Name').fill('Ada');
  await page.getByLabel('Email').fill(newEmail());
  await page.getByRole('button', { name: 'Continue' }).click();
  await enterCard(page, '4000000000000341');
  await agree(page);
  await page.getByRole('button', { name: 'Subscribe and pay' }).click();
  await page.getByRole('heading', { name: 'Your payment was declined' }).waitFor();
  await look(page, 'unpaid');
  await page.getByRole('link', { name: 'Pay the invoice' }).click();
  await enterCard(page, '4242424242424242');
  await page.getByRole('button', { name: 'Pay $29.00' }).click();
  await page.getByRole('heading', { name: 'Thank you for your payment' }).waitFor();
  await page.context().close();
});

test('two tabs and going back make one subscription, and a second one only if the visitor insists', async () => {
  const { url } = await api.sandbox.make('/sign_up_pages', { name: 'Gold', plans: ['gold'] });
  const { page } = await open(url);
  const other = await page.context().newPage();
  await other.goto(url);
  const email = newEmail();
  const subscribe = page.getByRole('button', { name: 'Subscribe and pay' });
  for (const tab of [page, other]) {
    await tab.getByLabel('Name').fill('Ada');
    await tab.getByLabel('Email').fill(email);
    await tab.getByRole('button', { name: 'Continue' }).click();
    await enterCard(tab, '4242424242424242');
    await agree(tab);
  }
  await subscribe.click();
  await page.getByRole('heading', { name: 'Welcome' }).waitFor();
  await page.goBack().catch(() => null); // the browser asks whether to send the first step again
  await page.reload();
  await page.getByRole('heading', { name: 'Welcome' }).waitFor();
  await other.getByRole('button', { name: 'Subscribe and pay' }).click();
  await other.getByText('Somebody has just subscribed here with the same details').waitFor();
  await look(other, 'review-second');
  const count = async () => (await api.sandbox.get(`/customers?filter[email]=${email}`)).body.length;
  expect(await count()).toBe(1);
  await enterCard(other, '4242424242424242');
  await agree(other);
  await other.getByRole('button', { name: 'Subscribe and pay' }).click();
  await other.getByRole('heading', { name: 'Welcome' }).waitFor();
  expect(await count()).toBe(2);
  await page.context().close();
});

test('pages in eight languages, a closed page, a trial, and a payment link', async () => {
  const { url } = await api.sandbox.make('/sign_up_pages', { ...full, trial_days: 14 });
  for (const locale of LANGUAGES) {
    const { page } = await open(url, { locale });
    await look(page, `form-${locale}`);
    expect(await page.evaluate('document.documentElement.lang')).toBe(locale);
    await page.locator('[name=name]').fill('Ada');
    await page.locator('[name=email]').fill(newEmail());
    await page.locator('[name=address1]').fill('1');
    await page.locator('[name=city]').fill('Graz');
    await page.locator('form.sell button.primary').click();
    await page.locator('[data-field=number]').waitFor();
    await look(page, `trial-${locale}`);
    await page.context().close();
  }
  const closed = await api.sandbox.make('/sign_up_pages', { ...full, enabled: false });
  const seen = await open(closed.url);
  await look(seen.page, 'closed');
  const fields = [{ kind: 'address' }, { kind: 'text', label: 'Booking number', required: true }];
  const link = await api.sandbox.make('/payment_links', { name: 'Deposit', min_amount: 10, max_amount: 500, fields });
  const { page } = await open(link.url);
  await look(page, 'link');
  await page.getByLabel('Amount').fill('25');
  await page.getByLabel('Name').fill('Grace');
  await page.getByLabel('Email').fill(newEmail());
  await page.getByLabel('Booking number').fill('B 12');
  await enterCard(page, '4242424242424242');
  await page.getByRole('button', { name: 'Pay' }).click();
  await page.getByRole('heading', { name: 'Thank you for your payment' }).waitFor();
  await look(page, 'link-paid');
});
