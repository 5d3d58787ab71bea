import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Cookie } from 'playwright-core';
import type { TestApi } from '../support/api.ts';
import { SIZES, type Site, startSite } from '../support/browser.ts';
import { portalLink } from '../support/portal.ts';

/**
 * The pages of customers: first byte, size, scripts, what moves while they load, and the time until they can be used. docs/performance.md has the
 * figures.
 */

const VISITS = 21;
const MOST_BYTES = 100_000;
const MOST_SCRIPT = 15_000;
/** Limits far above the figures: they catch a page that waits for something, and not a busy machine. */
const LATEST_BYTE = 1000;
const LATEST_FIELD = 3000;

let site: Site;
let api: TestApi;
let browser: Browser;
let origin: string;

beforeAll(async () => {
  site = await startSite();
  ({ api, browser, origin } = site);
});

afterAll(() => site?.close());

interface Visit {
  firstByte: number;
  /** Until what is waited for is there. */
  interactive: number;
  bytes: number;
  requests: number;
  scripts: number;
  /** Bytes of scripts. */
  script: number;
  /** How far what the visitor sees moved. */
  shift: number;
}

interface Asked {
  url: string;
  /** Selector of an element with which the page can be used. */
  ready: string;
  cookies?: Cookie[];
}

/** Opens a page in a new browser profile, whose cache is empty. Times are milliseconds from the start of the navigation. */
async function visit({ url, ready, cookies = [] }: Asked): Promise<Visit> {
  const context = await browser.newContext({ viewport: SIZES.phone });
  await context.addCookies(cookies);
  const page = await context.newPage();
  await page.addInitScript(`new MutationObserver((_, seen) => {
    if (!document.querySelector(${JSON.stringify(ready)})) return;
    seen.disconnect();
    requestAnimationFrame(() => { window.usable = performance.now(); });
  }).observe(document, { childList: true, subtree: true })`);
  await page.addInitScript(`window.shift = 0; new PerformanceObserver((list) => {
    for (const one of list.getEntries()) window.shift += one.value;
  }).observe({ type: 'layout-shift', buffered: true })`);
  await page.goto(url);
  await page.waitForFunction('window.usable !== undefined');
  const read = await page.evaluate<Visit>(`(() => {
    const [navigation] = performance.getEntriesByType('navigation');
    const loaded = [navigation, ...performance.getEntriesByType('resource')];
    const sum = (entries) => entries.reduce((total, { decodedBodySize }) => total + decodedBodySize, 0);
    return {
      firstByte: navigation.responseStart,
      interactive: window.usable,
      bytes: sum(loaded),
      requests: loaded.length,
      scripts: document.scripts.length,
      script: sum(loaded.filter(({ initiatorType }) => initiatorType === 'script')),
      shift: window.shift,
    };
  })()`);
  await context.close();
  return read;
}

const middleOf = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Visits a page many times, and expects that it is small, quick and still. Writes the figures. */
async function measure(name: string, asked: Asked): Promise<Visit> {
  const visits: Visit[] = [];
  for (let count = 0; count < VISITS; count += 1) visits.push(await visit(asked));
  expect(visits.map(({ shift }) => shift)).toEqual(visits.map(() => 0));
  const [first] = visits as [Visit, ...Visit[]];
  expect(first.scripts).toBeLessThanOrEqual(1);
  expect(first.script).toBeLessThan(MOST_SCRIPT);
  expect(first.bytes).toBeGreaterThan(10_000);
  expect(first.bytes).toBeLessThan(MOST_BYTES);
  const firstByte = middleOf(visits.map((one) => one.firstByte));
  const interactive = middleOf(visits.map((one) => one.interactive));
  const figures = `first byte ${firstByte.toFixed(0)} ms, usable ${interactive.toFixed(0)} ms, ${first.bytes} bytes, scripts ${first.script}`;
  process.stderr.write(`${name}, medians of ${VISITS} visits: ${figures}\n`);
  expect([figures, firstByte < LATEST_BYTE]).toEqual([figures, true]);
  expect([figures, interactive < LATEST_FIELD]).toEqual([figures, true]);
  return first;
}

const CARD_FIELD = '[data-field=cvc]';

async function customerWithInvoice(email = 'ann@example.com') {
  const customer = (await api.sandbox.make('/customers', { name: 'Northwind Traders', email })).id;
  const items = [{ name: 'Gold plan', unit_cost: 99 }];
  return api.sandbox.make('/invoices', { customer, items });
}

test('the pay page has one script, and its fields can soon be filled in', async () => {
  const { payment_url } = await customerWithInvoice();
  const { requests, scripts } = await measure('pay page', { url: payment_url, ready: CARD_FIELD });
  expect([requests, scripts]).toEqual([2, 1]);
});

test('the home of the portal has no script', async () => {
  const { customer } = await customerWithInvoice('home@example.com');
  for (let count = 0; count < 20; count += 1)
    await api.sandbox.make('/invoices', { customer, items: [{ name: 'Work', unit_cost: 10 }] });
  const { url, cookies } = await portalSession(customer);
  const { requests, scripts } = await measure('portal home', { url, cookies, ready: '.listed li' });
  expect([requests, scripts]).toEqual([1, 0]);
});

/** Signs in to the portal of a customer by a link of its product. Returns the address of the home, and the cookies of the session. */
async function portalSession(customer: number): Promise<{ url: string; cookies: Cookie[] }> {
  const path = await portalLink(api.sandbox, customer);
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${origin}${path}`);
  await page.locator('main form button').click();
  const url = `${origin}/portal/${api.sandbox.account.id}`;
  await page.waitForURL(url);
  const cookies = await context.cookies();
  await context.close();
  return { url, cookies };
}

test('the first step of a sign-up page has no script', async () => {
  await api.sandbox.make('/plans', { id: 'gold', name: 'Gold', amount: 29, interval: 'month' });
  const asked = { name: 'Join', plans: ['gold'], max_quantity: 9, coupons: true, ask_tax_id: true, address: 'full' };
  const { url } = await api.sandbox.make('/sign_up_pages', asked);
  await measure('sign-up page', { url, ready: 'form.sell button.primary' });
});

test('a payment link has one script', async () => {
  const { url } = await api.sandbox.make('/payment_links', { name: 'Deposit', min_amount: 10, max_amount: 500 });
  const { requests, scripts } = await measure('payment link', { url, ready: CARD_FIELD });
  expect([requests, scripts]).toEqual([2, 1]);
});
