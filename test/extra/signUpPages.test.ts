import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { TestApi } from '../support/api.ts';
import { enterCard, openPage, SELLER, SIZES, type Site, startSite } from '../support/browser.ts';
import { looksIn } from '../support/pageLooks.ts';
import { newEmail } from '../support/signUpPage.ts';
import { until } from '../support/wait.ts';

/** Strangers subscribe on sign-up pages and pay by payment links, in a browser. */

const LANGUAGES = ['en', 'de', 'es', 'fr', 'ar', 'he', 'ja', 'zh'];

/** Pictures that a person has approved. */
const approved = [
  'form-es-phone-light.png',
  'review-phone-light.png',
  'review-declined-phone-dark.png',
  'done-phone-light.png',
  'link-zh-phone-light.png',
  'link-paid-desktop-dark.png',
];

const look = looksIn('signUp', { approved });
/** The pages look alike in most languages, but for the lengths of words. */
const lookBriefly = looksIn('signUp', { approved, isBrief: true });

let site: Site;
let api: TestApi;
let browser: Browser;

beforeAll(async () => {
  site = await startSite({ systemNow: () => new Date('2027-03-01T10:00:00Z') });
  ({ api, browser } = site);
  await api.sandbox.patch('/account', { ...SELLER, email: 'billing@acme.example', accent_color: '#7c2d6b' });
  await api.sandbox.make('/plans', { id: 'gold', name: 'Gold', amount: 29, interval: 'month' });
  await api.sandbox.make('/plans', { id: 'silver', name: 'Silver', amount: 190, interval: 'year' });
  await api.sandbox.make('/items', { id: 'support', name: 'Priority support', unit_cost: 12 });
  await api.sandbox.make('/coupons', { id: 'welcome', name: 'Welcome', value: 25, duration: 3 });
  await api.sandbox.make('/tax_rates', { id: 'de', name: 'USt.', value: 19 });
  await api.sandbox.make('/tax_rules', { tax_rate: 'de', country: 'DE' });
});

afterAll(() => site?.close());

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

const open = (url: string, options: BrowserContextOptions = {}) =>
  openPage(browser, url, { bypassCSP: true, ...options });

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
  await until(
    () =>
      page.reload().then(
        () => true,
        () => false,
      ),
    { what: 'the browser to send it again' },
  );
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
  const fields = [{ kind: 'address' }, { kind: 'text', label: 'Booking number', required: true }];
  const link = await api.sandbox.make('/payment_links', { name: 'Deposit', min_amount: 10, max_amount: 500, fields });
  for (const locale of LANGUAGES) {
    const { page } = await open(url, { locale });
    await lookBriefly(page, `form-${locale}`);
    expect(await page.evaluate('document.documentElement.lang')).toBe(locale);
    await page.locator('[name=name]').fill('Ada');
    await page.locator('[name=email]').fill(newEmail());
    await page.locator('[name=address1]').fill('1');
    await page.locator('[name=city]').fill('Graz');
    await page.locator('form.sell button.primary').click();
    await page.locator('[data-field=number]').waitFor();
    await lookBriefly(page, `trial-${locale}`);
    await page.goto(link.url);
    await page.locator('[data-field=number]').waitFor();
    await lookBriefly(page, `link-${locale}`);
    await page.context().close();
  }
  const closed = await api.sandbox.make('/sign_up_pages', { ...full, enabled: false });
  const seen = await open(closed.url);
  await look(seen.page, 'closed');
  const { page } = await open(link.url);
  await look(page, 'link');
  await page.getByLabel('Amount').fill('5');
  await page.getByLabel('Name').fill('Grace');
  await page.getByLabel('Email').fill(newEmail());
  await page.getByLabel('Booking number').fill('B 12');
  await enterCard(page, '4242424242424242');
  await page.getByRole('button', { name: 'Pay' }).click();
  await page.getByRole('alert').first().waitFor();
  await look(page, 'link-wrong');
  await page.getByLabel('Amount').fill('25');
  await page.getByLabel('Name').fill('Grace');
  await page.getByLabel('Email').fill(newEmail());
  await page.getByLabel('Booking number').fill('B 12');
  await enterCard(page, '4242424242424242');
  await page.getByRole('button', { name: 'Pay' }).click();
  await page.getByRole('heading', { name: 'Thank you for your payment' }).waitFor();
  await look(page, 'link-paid');
  const inactive = await api.sandbox.make('/payment_links', { name: 'Deposit', amount: 10, enabled: false });
  await page.goto(inactive.url);
  await look(page, 'link-closed');
});
