import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Browser, chromium, type Page } from 'playwright-core';
import { projectFolder } from '../suites.ts';
import { accessibilityFaults } from '../support/accessibility.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { fromRun } from '../support/environment.ts';
import { mailedLinks } from '../support/portal.ts';
import { startReverseProxy } from '../support/reverseProxy.ts';
import { until } from '../support/wait.ts';

/** The portal of customers in a browser. */

const PICTURES = join(projectFolder, '.data', 'pictures', 'portal');
const SIZES = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 860 } };

let api: TestApi;
let browser: Browser;
let origin: string;
let accountId: number;
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  mkdirSync(PICTURES, { recursive: true });
  const proxy = await startReverseProxy();
  origin = proxy.origin;
  api = await startApi({ publicUrl: origin, systemNow: () => new Date('2027-03-01T10:00:00Z') });
  accountId = api.sandbox.account.id;
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
  await api.sandbox.patch('/account', { ...seller, accent_color: '#7c2d6b', partial_payments: true });
  await api.sandbox.patch('/account', { portal_return_urls: ['https://app.example/account'] });
});

afterAll(async () => {
  for (const close of closing) await close();
});

/** Looks at a page on both screens, light and dark: it fits their width, and axe finds nothing. Takes pictures. */
async function check(page: Page, name: string): Promise<void> {
  for (const [device, size] of Object.entries(SIZES)) {
    await page.setViewportSize(size);
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: join(PICTURES, `${name}-${device}-${colorScheme}.png`), fullPage: true });
      expect([name, device, colorScheme, await accessibilityFaults(page)]).toEqual([name, device, colorScheme, []]);
    }
    const width = await page.evaluate<number>('document.documentElement.scrollWidth');
    expect([name, device, width]).toEqual([name, device, size.width]);
  }
}

const CARD = { method: 'credit_card', gateway_token: 'tok_5454545454545454' };

/** A customer with invoices in two currencies, an estimate, a payment and a card. */
async function customerIn(language: string, email = `ann-${language}@example.com`): Promise<string> {
  const address = { address1: '5 High Street', city: 'Austin', state: 'TX', postal_code: '78701', country: 'US' };
  const { id: customer } = await api.sandbox.make('/customers', {
    name: 'Northwind Traders',
    email,
    language,
    ...address,
  });
  await api.sandbox.make(`/customers/${customer}/payment_sources`, CARD);
  const day = 86_400;
  const now = Date.parse('2027-03-01T10:00:00Z') / 1000;
  for (const [index, unit_cost] of [1200, 49.5, 310, 80].entries())
    await api.sandbox.make('/invoices', {
      customer,
      autopay: false,
      items: [{ name: 'Work', unit_cost }],
      date: now - 20 * day,
      due_date: now + (index + 2) * 10 * day,
    });
  await api.sandbox.make('/invoices', { customer, currency: 'eur', autopay: false, items: [{ unit_cost: 75 }] });
  const paid = await api.sandbox.make('/invoices', { customer, autopay: false, items: [{ unit_cost: 20 }] });
  const applied_to = [{ type: 'invoice', invoice: paid.id, amount: 20 }];
  await api.sandbox.make('/payments', { customer, amount: 20, method: 'check', applied_to });
  await api.sandbox.make('/estimates', { customer, items: [{ name: 'Roof', unit_cost: 900 }] });
  return email;
}

const open = async (locale = 'en-US') =>
  (await browser.newContext({ viewport: SIZES.phone, bypassCSP: true, locale })).newPage();
const root = () => `${origin}/portal/${accountId}`;

async function signIn(page: Page, email: string): Promise<void> {
  const before = (await mailedLinks(api, accountId)).length;
  await page.goto(`${root()}/sign_in`);
  await page.locator('#email').fill(email);
  await page.locator('form button').click();
  const links = await until(
    async () => {
      const all = await mailedLinks(api, accountId);
      return all.length > before ? all : null;
    },
    { what: 'the mail with the link' },
  );
  await page.goto(links.at(-1) ?? '');
  await page.locator('main form button').click();
  await page.waitForURL(root());
}

test.each(['en', 'de', 'es', 'fr', 'ar', 'he', 'ja', 'zh'])(
  'the pages fit each screen and axe finds nothing, in %s',
  async (language) => {
    const email = await customerIn(language);
    const page = await open(language);
    await page.goto(`${root()}/sign_in`);
    await check(page, `${language}-sign-in`);
    await page.locator('#email').fill('somebody@example.com');
    await page.locator('form button').click();
    await check(page, `${language}-look`);
    await signIn(page, email);
    await check(page, `${language}-home`);
    for (const path of [
      'documents',
      'payments',
      'statements',
      'sources',
      'details',
      'pay',
      'pay/review?currency=usd&amount=1234.56',
    ]) {
      await page.goto(`${root()}/${path}`);
      await check(page, `${language}-${path.replaceAll(/\W.*/g, '')}${path.includes('review') ? '-review' : ''}`);
    }
  },
);

test('everything is paid with two clicks, by the keyboard, and the page says what was paid', async () => {
  const page = await open();
  await signIn(page, await customerIn('en', 'payer@example.com'));
  await page.getByRole('link', { name: 'Pay now' }).first().click();
  await page.getByRole('button', { name: /^Pay \$/ }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('Thank you for your payment').waitFor();
  await check(page, 'paid');
  await page.goto(`${root()}/documents?from=2027-02-02&until=2027-01-01`);
  await check(page, 'wrong-days');
  await page.goto(`${root()}/documents?from=2000-01-01&until=2000-01-02`);
  await check(page, 'nothing-found');
});

test('a new card is entered in the fields of the gateway, and stored with consent', async () => {
  const page = await open();
  const email = 'card@example.com';
  const { id: customer } = await api.sandbox.make('/customers', { name: 'Card Ltd', email });
  await api.sandbox.make('/invoices', { customer, autopay: false, items: [{ unit_cost: 15 }] });
  await signIn(page, email);
  await page.getByRole('link', { name: 'Pay now' }).click();
  await check(page, 'new-card');
  await page.getByLabel('Card number').fill('4242424242424242');
  for (const label of ['Expiry', 'Security code', 'CVC'])
    if (await page.getByLabel(label).count())
      await page
        .getByLabel(label)
        .first()
        .fill(label === 'Expiry' ? '12/30' : '123');
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Pay $15.00' }).click();
  await page.getByText('Thank you for your payment').waitFor();
  await page.goto(`${root()}/sources`);
  await page.getByText('ending in 4242').first().waitFor();
  await page.locator('summary').first().click();
  await check(page, 'remove');
});

test('the page behind a link of the product, and a session that only reads', async () => {
  const page = await open();
  const { id } = await api.sandbox.make('/customers', {
    name: 'Ada & Co <script>alert(1)</script>',
    email: 'x@example.com',
  });
  const asked = { return_url: 'https://app.example/account', read_only: true };
  await page.goto((await api.sandbox.make(`/customers/${id}/portal_sessions`, asked)).url);
  await check(page, 'product-link');
  await page.getByRole('button', { name: 'Continue' }).click();
  await check(page, 'only-reading');
});
