import { afterAll, beforeAll, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import type { TestApi } from '../support/api.ts';
import { SELLER, SIZES, type Site, startSite } from '../support/browser.ts';
import { looksIn } from '../support/pageLooks.ts';
import { mailedLinks } from '../support/portal.ts';
import { until } from '../support/wait.ts';

/** The portal of customers in a browser. */

/** Pictures that a person has approved. */
const approved = [
  'ar-home-phone-dark.png',
  'he-pay-review-phone-light.png',
  'ja-details-phone-light.png',
  'en-documents-print.png',
  'paid-phone-light.png',
  'choose-phone-light.png',
  'only-reading-desktop-light.png',
  'ended-phone-light.png',
];

const checkAll = looksIn('portal', { approved });
/** The pages look alike in most languages, but for the lengths of words. */
const checkBriefly = looksIn('portal', { approved, isBrief: true });

let site: Site;
let api: TestApi;
let browser: Browser;
let origin: string;
let accountId: number;

beforeAll(async () => {
  site = await startSite({ systemNow: () => new Date('2027-03-01T10:00:00Z') });
  ({ api, browser, origin } = site);
  accountId = api.sandbox.account.id;
  await api.sandbox.patch('/account', { ...SELLER, accent_color: '#7c2d6b', partial_payments: true });
  await api.sandbox.patch('/account', { portal_return_urls: ['https://app.example/account'] });
});

afterAll(() => site?.close());

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

/** Asks for a link on the sign-in page. Returns the link that was mailed. */
async function mailedLink(page: Page, email: string): Promise<string> {
  const before = (await mailedLinks(api, accountId)).length;
  await page.goto(`${root()}/sign_in`);
  await page.locator('#email').fill(email);
  await page.locator('form button').click();
  return String(await until(async () => (await mailedLinks(api, accountId))[before] ?? null, { what: 'the link' }));
}

async function signIn(page: Page, email: string): Promise<void> {
  await page.goto(await mailedLink(page, email));
  await page.locator('main form button').click();
  await page.waitForURL(root());
}

test.each(['en', 'de', 'es', 'fr', 'ar', 'he', 'ja', 'zh'])(
  'the pages fit each screen and axe finds nothing, in %s',
  async (language) => {
    const email = await customerIn(language);
    const check = ['en', 'ar'].includes(language) ? checkAll : checkBriefly;
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
  await checkAll(page, 'paid');
  await page.goto(`${root()}/documents?from=2027-02-02&until=2027-01-01`);
  await checkAll(page, 'wrong-days');
  await page.goto(`${root()}/documents?from=2000-01-01&until=2000-01-02`);
  await checkAll(page, 'nothing-found');
});

test('a new card is entered in the fields of the gateway, and stored with consent', async () => {
  const page = await open();
  const email = 'card@example.com';
  const { id: customer } = await api.sandbox.make('/customers', { name: 'Card Ltd', email });
  await api.sandbox.make('/invoices', { customer, autopay: false, items: [{ unit_cost: 15 }] });
  await signIn(page, email);
  await page.getByRole('link', { name: 'Pay now' }).click();
  await checkAll(page, 'new-card');
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
  await checkAll(page, 'remove');
});

test('the page behind a link of the product, and a session that only reads', async () => {
  const page = await open();
  const { id } = await api.sandbox.make('/customers', {
    name: 'Ada & Co <script>alert(1)</script>',
    email: 'x@example.com',
  });
  const asked = { return_url: 'https://app.example/account', read_only: true };
  await page.goto((await api.sandbox.make(`/customers/${id}/portal_sessions`, asked)).url);
  await checkAll(page, 'product-link');
  await page.getByRole('button', { name: 'Continue' }).click();
  await checkAll(page, 'only-reading');
});

test('an account without anything, in French', async () => {
  const email = 'empty@example.com';
  await api.sandbox.make('/customers', { name: 'Atelier Lumière', email, language: 'fr' });
  const page = await open('fr');
  await signIn(page, email);
  for (const path of ['home', 'documents', 'payments', 'statements', 'sources', 'details', 'pay']) {
    await page.goto(path === 'home' ? root() : `${root()}/${path}`);
    await checkAll(page, `empty-${path}`);
  }
});

test('an address of several customers chooses, in Spanish', async () => {
  const email = 'several@example.com';
  for (const name of ['Panadería del Sol', 'Café Central de la Plaza Mayor de Villanueva'])
    await api.sandbox.make('/customers', { name, email, language: 'es' });
  const page = await open('es');
  await page.goto(await mailedLink(page, email));
  await page.locator('main form button').click();
  await checkAll(page, 'choose');
  await page.locator('main form button').first().click();
  await page.waitForURL(root());
});

test('pages that say what went wrong: ended links and sessions, refused amounts, what is not there', async () => {
  const page = await open('de');
  const email = await customerIn('de', 'wrong@example.com');
  await signIn(page, email);
  for (const [name, path] of [
    ['too-much', 'pay/review?currency=usd&amount=99999'],
    ['no-amount', 'pay/review?currency=usd&amount=x'],
    ['nothing-chosen', 'pay/review?currency=usd'],
    ['no-invoice', 'invoices/999999'],
    ['no-page', 'nothing'],
    ['no-subscription', 'subscriptions/999999'],
  ]) {
    await page.goto(`${root()}/${path}`);
    await checkAll(page, name ?? '');
  }
  await page.context().clearCookies();
  await page.goto(`${root()}/documents`);
  await checkAll(page, 'session-ended');
  await page.goto(`${root()}/sign_in/${'0'.repeat(40)}`);
  await checkAll(page, 'ended');
});
