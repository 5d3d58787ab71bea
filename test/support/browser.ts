import { createServer } from 'node:http';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import type { ApiDeps } from '../../api/server.ts';
import { startApi, type TestApi } from './api.ts';
import { fromRun } from './environment.ts';
import { listen, portOf } from './listen.ts';
import { startReverseProxy } from './reverseProxy.ts';

export const SIZES = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 860 } };

/** Address of a business, for the accounts whose pages are shown. */
export const SELLER = {
  address1: '1 Main Street',
  city: 'Austin',
  state: 'TX',
  postal_code: '78701',
  country: 'US',
};

/** Starts Chromium without a window, and without what it asks its maker. */
export const launchChromium = (): Promise<Browser> =>
  chromium.launch({
    executablePath: fromRun('CHROMIUM'),
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  });

/** A browser and an API whose public address it can open. */
export interface Site {
  api: TestApi;
  browser: Browser;
  /** Public address of the API. */
  origin: string;
  close(): Promise<void>;
}

/** Starts an API behind its public address, and a browser. `host`: the name by which the browser opens the loopback interface. */
export async function startSite({
  host = '127.0.0.1',
  ...overrides
}: Partial<ApiDeps> & { host?: string } = {}): Promise<Site> {
  const proxy = await startReverseProxy();
  const origin = proxy.origin.replace('127.0.0.1', host);
  const api = await startApi({ publicUrl: origin, ...overrides });
  proxy.forwardTo(api.origin);
  const browser = await launchChromium();
  return {
    api,
    browser,
    origin,
    close: async () => {
      await browser.close();
      await api.close();
      await proxy.close();
    },
  };
}

/** A web site of somebody else. */
export interface OtherSite {
  origin: string;
  close(): Promise<unknown>;
}

/** Starts a web site of another origin than the API. `htmlOf`: the page at an address. */
export async function startOtherSite(htmlOf: (url: URL) => string): Promise<OtherSite> {
  const server = createServer((asked, answer) => {
    answer.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' });
    answer.end(htmlOf(new URL(asked.url ?? '/', 'http://other.example')));
  });
  await listen(server, 0);
  return {
    origin: `http://localhost:${portOf(server)}`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Opens an address in a new profile of a phone. `complaints`: console messages, errors and failed requests of the browser. */
export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; complaints: string[] }> {
  const page = await (await browser.newContext({ viewport: SIZES.phone, ...options })).newPage();
  const complaints: string[] = [];
  page.on('console', (message) => void complaints.push(message.text()));
  page.on('pageerror', (error) => void complaints.push(error.message));
  page.on('requestfailed', (request) => void complaints.push(request.url()));
  await page.goto(url);
  return { page, complaints };
}

/** Types a card into the fields of the test gateway. */
export async function enterCard(page: Page, number: string, { expiry = '12/34', cvc = '123' } = {}): Promise<void> {
  await page.locator('[data-field=number]').fill(number);
  await page.locator('[data-field=expiry]').fill(expiry);
  await page.locator('[data-field=cvc]').fill(cvc);
}

/** Presses a button by the keyboard alone. */
export async function press(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).focus();
  await page.keyboard.press('Enter');
}
