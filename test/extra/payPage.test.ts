import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Browser, chromium, type Page } from 'playwright-core';
import { projectFolder } from '../suites.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { fromRun } from '../support/environment.ts';
import { startReverseProxy } from '../support/reverseProxy.ts';

const PICTURES = join(projectFolder, '.data', 'pictures', 'pay');
const SIZES = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 860 } };

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
  await api.sandbox.patch('/payment_methods/ach', { min: 50 });
  const instructions = 'Bank: First Bank of Austin\nIBAN: US12 3456 7890\nReference: the number of the invoice';
  await api.sandbox.patch('/payment_methods/wire_transfer', { enabled: true, instructions });
});

afterAll(async () => {
  for (const close of closing) await close();
});

const items = [
  { name: 'Gold plan', description: 'January', quantity: 1, unit_cost: 99 },
  { name: 'Support hour', quantity: 2.5, unit_cost: 120 },
];

async function invoiceFor(customer: object, fields: object = {}) {
  const { id } = await api.sandbox.make('/customers', customer);
  return api.sandbox.make('/invoices', { customer: id, items, ...fields });
}

/** Takes screenshots in both sizes and color schemes. Expects that the page fits the width of each screen. */
async function takeScreenshots(page: Page, name: string): Promise<void> {
  for (const [device, size] of Object.entries(SIZES)) {
    await page.setViewportSize(size);
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: join(PICTURES, `${name}-${device}-${colorScheme}.png`), fullPage: true });
    }
    const width = await page.evaluate<number>('document.documentElement.scrollWidth');
    expect([name, device, width]).toEqual([name, device, size.width]);
  }
}

test('look', async () => {
  const page = await (await browser.newContext({ viewport: SIZES.phone })).newPage();
  const { url, payment_url } = await invoiceFor({ name: 'Northwind Traders', country: 'US' });
  await page.goto(payment_url);
  await takeScreenshots(page, 'pay');
  await page.goto(`${payment_url}?method=wire_transfer`);
  await takeScreenshots(page, 'wire');
  await page.goto(url);
  await takeScreenshots(page, 'invoice');
  const hebrew = await invoiceFor({ name: 'כהן ובניו', language: 'he', country: 'IL' }, { currency: 'ils' });
  await page.goto(hebrew.payment_url);
  await takeScreenshots(page, 'hebrew');
});
