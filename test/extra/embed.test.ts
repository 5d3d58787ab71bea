import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import type { TestApi } from '../support/api.ts';
import { enterCard, type OtherSite, openPage, type Site, startOtherSite, startSite } from '../support/browser.ts';
import { newEmail } from '../support/signUpPage.ts';

/** The script tag by which a web page of somebody else links a sign-up page. */

let site: Site;
let api: TestApi;
let browser: Browser;
let shop: OtherSite;
let tag = '';

beforeAll(async () => {
  site = await startSite();
  ({ api, browser } = site);
  shop = await startOtherSite(({ pathname, search }) =>
    pathname === '/'
      ? `<!doctype html><html lang="en"><title>Shop</title><h1>Prices</h1><p>${tag}</p></html>`
      : `<!doctype html><html lang="en"><title>Back</title><h1>Back at ${pathname}${search.replaceAll('&', '&amp;')}</h1></html>`,
  );
  await api.sandbox.make('/plans', { id: 'gold', name: 'Gold', amount: 29, interval: 'month' });
  await api.sandbox.make('/plans', { id: 'silver', name: 'Silver', amount: 19, interval: 'month' });
});
afterAll(async () => {
  await site?.close();
  await shop?.close();
});

const tagFor = (page: string, more = '') =>
  `<script src="${site.origin}/js/embed.js" data-page="${page}" data-text="Subscribe" ${more}></script>`;

/** Fills in both steps of the page. */
async function signUp(page: Page, total: string): Promise<void> {
  await page.getByLabel('Name').fill('Ada');
  await page.getByLabel('Email').fill(newEmail());
  await page.getByLabel('Country').selectOption('US');
  await page.getByRole('button', { name: 'Continue' }).click();
  await enterCard(page, '4242424242424242');
  for (const box of await page.locator('label.consent input').all()) await box.check();
  await page.getByRole('button', { name: `Subscribe and pay ${total}` }).click();
  await page.getByRole('heading', { name: 'Welcome' }).waitFor();
}

test('a link stands where the tag is, opens the page as it was asked for, and the end leads back', async () => {
  const back = `${shop.origin}/thanks?from=gold`;
  const asked = {
    name: 'Join',
    plans: ['silver', 'gold'],
    max_quantity: 9,
    return_urls: [`${shop.origin}/other`, back],
  };
  const { url } = await api.sandbox.make('/sign_up_pages', asked);
  tag = tagFor(url, `data-plan="gold" data-quantity="3" data-return-url="${back.replaceAll('&', '&amp;')}"`);
  const { page, complaints } = await openPage(browser, shop.origin);
  await page.locator('p').getByRole('link', { name: 'Subscribe' }).press('Enter');
  await page.waitForURL(`${url}**`);
  expect(await page.getByLabel('Quantity').inputValue()).toBe('3');
  await signUp(page, '$87.00');
  await page.locator(`a[href^="${shop.origin}"]`).click();
  await page.getByRole('heading', { name: 'Back at /thanks?from=gold' }).waitFor();
  expect(complaints.filter((text) => !text.includes('favicon') && !text.includes('404'))).toEqual([]);
  await page.context().close();
});

test('a return address that the account did not register is ignored, and a tag for another server makes no link', async () => {
  const { url } = await api.sandbox.make('/sign_up_pages', {
    name: 'Join',
    plans: ['gold'],
    return_urls: [`${shop.origin}/a`],
  });
  tag = tagFor('https://elsewhere.example/sign_up/1/2/3') + tagFor(url, 'data-return-url="https://evil.example/"');
  const { page } = await openPage(browser, shop.origin);
  expect(await page.getByRole('link').count()).toBe(1);
  await page.getByRole('link').click();
  await signUp(page, '$29.00');
  const links = await page.locator('main a').evaluateAll((all) => all.map((link) => link.getAttribute('href')));
  expect(links.filter((link) => link?.includes('evil.example'))).toEqual([]);
  expect(links).toContain(`${shop.origin}/a`);
  await page.context().close();
});

test('a page of another site cannot frame a sign-up page', async () => {
  const { url } = await api.sandbox.make('/sign_up_pages', { name: 'Join', plans: ['gold'] });
  tag = `<iframe src="${url}" title="Framed"></iframe>`;
  const { page } = await openPage(browser, shop.origin);
  expect(await page.frameLocator('iframe').getByLabel('Name').count()).toBe(0);
  await page.context().close();
});
