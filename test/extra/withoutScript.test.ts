import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import type { TestApi } from '../support/api.ts';
import { openPage, SELLER, type Site, startSite } from '../support/browser.ts';
import { mailedLinks } from '../support/portal.ts';
import { newEmail } from '../support/signUpPage.ts';
import { takeSubscriptionSteps } from '../support/subscriptionSteps.ts';
import { until } from '../support/wait.ts';

/** Customers whose browser runs no script do everything but enter a card, and the page says why that one thing needs a script. */

let site: Site;
let api: TestApi;
let browser: Browser;

beforeAll(async () => {
  site = await startSite();
  ({ api, browser } = site);
  await api.sandbox.make('/plans', { id: 'gold', name: 'Gold', amount: 29, interval: 'month' });
  await api.sandbox.patch('/account', {
    ...SELLER,
    partial_payments: true,
    portal_changes: { plans: ['gold'], max_quantity: 9 },
    portal_cancel: 'now',
    portal_promise_days: 10,
  });
});
afterAll(() => site?.close());

const open = async (url: string) => (await openPage(browser, url, { javaScriptEnabled: false })).page;
const send = (page: Page) => page.locator('main form button.primary').first().click();
const needsScript = /needs JavaScript/i;

test('in the portal all is paid with a stored card, and a subscription is changed and canceled', async () => {
  const email = newEmail();
  const customer = (await api.sandbox.make('/customers', { name: 'Northwind', email })).id;
  const card = { method: 'credit_card', gateway_token: 'tok_5454545454545454' };
  await api.sandbox.make(`/customers/${customer}/payment_sources`, card);
  const { id } = await api.sandbox.make('/subscriptions', { customer, plan: 'gold', quantity: 2 });
  await takeSubscriptionSteps(api.em, { accountId: api.sandbox.account.id, id }, new Date());
  await api.sandbox.make('/invoices', { customer, autopay: false, items: [{ name: 'Work', unit_cost: 40 }] });
  const page = await open(`${site.origin}/portal/${api.sandbox.account.id}/sign_in`);
  await page.getByLabel('Email').fill(email);
  await send(page);
  const link = () => mailedLinks(api, api.sandbox.account.id);
  await page.goto(String(await until(async () => (await link())[0] ?? null, { what: 'the link' })));
  await send(page);
  await page.getByRole('link', { name: 'Pay now' }).click();
  await page.getByRole('button', { name: /^Pay \$/ }).click();
  await page.getByText('Thank you for your payment').waitFor();
  await page.getByRole('link', { name: 'Subscriptions' }).click();
  await page.locator('main .listed a').first().click();
  await page.getByRole('link', { name: 'Change', exact: true }).click();
  await page.getByLabel('Quantity').fill('3');
  await page.getByRole('button', { name: 'Show what it costs' }).click();
  await page.getByRole('button', { name: 'Confirm the change' }).click();
  await page.getByText('Your subscription was changed.').waitFor();
  await page.getByRole('link', { name: 'Cancel' }).first().click();
  await page.locator('main form[method=post] button').last().click();
  const { body } = await api.sandbox.get(`/subscriptions/${id}`);
  expect([body.quantity, body.cancel_at_period_end || body.status === 'canceled']).toEqual([3, true]);
  await page.context().close();
});

test('on a sign-up page and a payment link all but the card is entered, and the page says that a card needs a script', async () => {
  const { url } = await api.sandbox.make('/sign_up_pages', { name: 'Join', plans: ['gold'], max_quantity: 5 });
  const page = await open(url);
  await page.getByLabel('Name').fill('Ada');
  await page.getByLabel('Email').fill(newEmail());
  await page.getByLabel('Country').selectOption('US');
  await page.getByLabel('Quantity').fill('2');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('$58.00').first().waitFor();
  await page.getByText(needsScript).waitFor();
  const link = await api.sandbox.make('/payment_links', { name: 'Deposit', amount: 25 });
  await page.goto(link.url);
  await page.getByText(needsScript).waitFor();
  await page.context().close();
});
