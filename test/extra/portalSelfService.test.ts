import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import type { TestApi } from '../support/api.ts';
import { SELLER, SIZES, type Site, startSite } from '../support/browser.ts';
import { looksIn } from '../support/pageLooks.ts';
import { mailedLinks } from '../support/portal.ts';
import { takeSubscriptionSteps } from '../support/subscriptionSteps.ts';
import { until } from '../support/wait.ts';

/** What customers do themselves in the portal, in a browser: on both screens, light and dark, in two directions. */

const HALF = Date.UTC(2027, 2, 16, 12);

let now = Date.UTC(2027, 2, 1);
/** Pictures that a person has approved. */
const approved = [
  'subscription-fr-desktop-dark.png',
  'preview-de-phone-light.png',
  'cancel-es-phone-light.png',
  'plans-he-phone-dark.png',
];

const checkAll = looksIn('selfService', { approved });
/** The pages look alike in most languages, but for the lengths of words. */
const checkBriefly = looksIn('selfService', { approved, isBrief: true });

let site: Site;
let api: TestApi;
let browser: Browser;
let origin: string;
let accountId: number;

beforeAll(async () => {
  site = await startSite({ systemNow: () => new Date(now) });
  ({ api, browser, origin } = site);
  const { sandbox } = api;
  accountId = sandbox.account.id;
  for (const [id, name, amount, interval] of [
    ['team', 'Team', 12, 'month'],
    ['business', 'Business', 30, 'month'],
    ['year', 'Team, yearly', 120, 'year'],
    ['support', 'Priority support', 25, 'month'],
  ] as const)
    await sandbox.make('/plans', { id, name, amount, interval });
  await sandbox.patch('/account', {
    ...SELLER,
    email: 'billing@acme.example',
    accent_color: '#7c2d6b',
    portal_changes: {
      plans: ['team', 'business', 'year'],
      addons: [{ plan: 'support', max_quantity: 1 }],
      max_quantity: 50,
    },
    portal_cancel: 'now',
    portal_pause: true,
    portal_promise_days: 14,
    portal_disputes: true,
    portal_children: true,
  });
});

afterAll(() => site?.close());

async function signIn(email: string): Promise<Page> {
  const page = await (await browser.newContext({ viewport: SIZES.phone, bypassCSP: true })).newPage();
  const before = (await mailedLinks(api, accountId)).length;
  await page.goto(`${origin}/portal/${accountId}/sign_in`);
  await page.locator('input[name=email]').fill(email);
  await page.locator('main button').click();
  const link = await until(async () => (await mailedLinks(api, accountId))[before] ?? null, { what: 'the link' });
  await page.goto(link);
  await page.locator('main button').click();
  return page;
}

interface Scene {
  customer: number;
  page: Page;
  subscription: number;
  invoice: { id: number };
  root: string;
}

let scenes = 0;

/** A customer on the half of March who signs in, with a subscription and an open invoice. */
async function scene(language: string): Promise<Scene> {
  now = Date.UTC(2027, 2, 1);
  scenes += 1;
  const email = `northwind${scenes}@example.com`;
  const client = api.sandbox;
  const customer = (await client.make('/customers', { name: 'Northwind', email, language })).id;
  const { id } = await client.make('/subscriptions', { customer, plan: 'team', quantity: 5 });
  await takeSubscriptionSteps(api.em, { accountId, id }, new Date(now));
  const items = [
    { name: 'Workshop', description: 'Two days on site', quantity: 2, unit_cost: 900 },
    { name: 'Travel', unit_cost: 240 },
  ];
  const invoice = await client.make('/invoices', { customer, items });
  now = HALF;
  return { customer, page: await signIn(email), subscription: id, invoice, root: `${origin}/portal/${accountId}` };
}

test.each(['en', 'de', 'es', 'fr', 'ar', 'he', 'ja', 'zh'])(
  'the pages fit each screen and have no faults that axe finds, in %s',
  async (language) => {
    const { page, subscription, invoice, root, customer } = await scene(language);
    const check = ['en', 'he'].includes(language) ? checkAll : checkBriefly;
    const path = `${root}/subscriptions/${subscription}`;
    const send = () => page.locator('main form[method=post] button').last().click();
    await page.goto(root);
    await check(page, `home-${language}`);
    await page.goto(`${root}/subscriptions`);
    await check(page, `list-${language}`);
    await page.goto(path);
    await check(page, `subscription-${language}`);
    await page.goto(`${path}/change`);
    await check(page, `change-${language}`);
    await page.goto(`${path}/change?show=yes&plan=business&quantity=6&addon_0=1`);
    await check(page, `preview-${language}`);
    await page.goto(`${path}/change?show=yes&plan=business&quantity=60&addon_0=1`);
    await check(page, `outside-${language}`);
    await page.goto(`${path}/change?show=yes&plan=team&quantity=3&addon_0=0`);
    await check(page, `downgrade-${language}`);
    await send();
    await check(page, `planned-${language}`);
    await send();
    await check(page, `undone-${language}`);
    await page.goto(`${path}/pause`);
    await check(page, `pause-${language}`);
    await page.goto(`${path}/cancel`);
    await check(page, `cancel-${language}`);
    await send();
    await check(page, `ends-${language}`);
    await page.goto(`${root}/invoices/${invoice.id}`);
    await page.locator('main details summary').first().click();
    await check(page, `invoice-${language}`);
    await page.locator('input[name=date]').fill('2027-03-20');
    await page.locator('main section form').first().locator('button').click();
    await page.locator('main details summary').first().click();
    await page.locator('main details textarea').first().fill('One day, not two');
    await page.locator('main details button').first().click();
    await check(page, `told-${language}`);
    await page.goto(`${root}/people`);
    await page.locator('input[name=name]').fill('Vi Jansen');
    await page.locator('input[name=email]').fill(`vi${scenes}@example.com`);
    await page.locator('main section button').last().click();
    await page.locator('main details summary').first().click();
    await check(page, `people-${language}`);
    const child = { name: 'Northwind Logistics', parent_customer: customer };
    const branch = (await api.sandbox.make('/customers', child)).id;
    await api.sandbox.make('/invoices', { customer: branch, items: [{ name: 'Freight', unit_cost: 310 }] });
    const installments = [20, 40].map((days) => ({ date: Math.floor(HALF / 1000) + days * 86_400, amount: 1020 }));
    await api.sandbox.make(`/invoices/${invoice.id}/payment_plan`, { installments, require_approval: true });
    await page.goto(`${root}/plans`);
    await check(page, `plans-${language}`);
    await page.goto(`${root}/companies`);
    await check(page, `companies-${language}`);
  },
);

test('a change is previewed and confirmed by keyboard alone, without a script, and costs what was shown', async () => {
  const { page, subscription, root, customer } = await scene('en');
  await page.goto(`${root}/subscriptions/${subscription}`);
  await page.getByRole('link', { name: 'Change', exact: true }).press('Enter');
  await page.getByLabel('Quantity').fill('8');
  await page.getByRole('button', { name: 'Show what it costs' }).press('Enter');
  await page.getByText('Total').first().waitFor();
  const shown = await page.locator('section dl').first().textContent();
  expect(shown).toContain('$18.00'); // half of 3 x 12
  await page.getByRole('button', { name: 'Confirm the change' }).press('Enter');
  await page.getByText('Your subscription was changed.').waitFor();
  const { body } = await api.sandbox.get(`/invoices?filter[customer]=${customer}&sort=id desc`);
  expect(body[0].total).toBe(18);
});

test('two clicks on a confirmation change and bill once', async () => {
  const { page, subscription, root, customer } = await scene('en');
  await page.goto(`${root}/subscriptions/${subscription}/change?show=yes&plan=business&quantity=5&addon_0=0`);
  await page.getByRole('button', { name: 'Confirm the change' }).dblclick();
  await page.waitForURL(/subscriptions\/\d+(\?done=changed)?$/);
  const { body } = await api.sandbox.get(`/invoices?filter[customer]=${customer}`);
  expect(body).toHaveLength(3); // the first period, the open invoice, and the change
});
