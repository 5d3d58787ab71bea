import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Browser, chromium } from 'playwright-core';
import { startApi, type TestApi } from '../support/api.ts';
import { fromRun } from '../support/environment.ts';
import { startReverseProxy } from '../support/reverseProxy.ts';

/** The first byte of the pay page, its size, and the time until its card fields can be filled in. docs/performance.md has the figures. */

const VISITS = 21;
const MOST_BYTES = 100_000;
/** Limits far above the figures: they catch a page that waits for something, and not a busy machine. */
const LATEST_BYTE = 1000;
const LATEST_FIELD = 3000;

let api: TestApi;
let browser: Browser;
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  const proxy = await startReverseProxy();
  api = await startApi({ publicUrl: proxy.origin });
  proxy.forwardTo(api.origin);
  browser = await chromium.launch({
    executablePath: fromRun('CHROMIUM'),
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  });
  closing.push(
    () => browser.close(),
    () => api.close(),
    () => proxy.close(),
  );
});

afterAll(async () => {
  for (const close of closing) await close();
});

interface Visit {
  firstByte: number;
  interactive: number;
  bytes: number;
  requests: number;
  scripts: number;
  /** How far what the visitor sees moved. */
  shift: number;
}

/** Opens the page in a new browser profile, whose cache is empty. Times are milliseconds from the start of the navigation. */
async function visit(url: string): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  await page.addInitScript(`new MutationObserver((_, seen) => {
    if (!document.querySelector('[data-field=cvc]')) return;
    seen.disconnect();
    requestAnimationFrame(() => { window.filledIn = performance.now(); });
  }).observe(document, { childList: true, subtree: true })`);
  await page.addInitScript(`window.shift = 0; new PerformanceObserver((list) => {
    for (const one of list.getEntries()) window.shift += one.value;
  }).observe({ type: 'layout-shift', buffered: true })`);
  await page.goto(url);
  await page.waitForFunction('window.filledIn !== undefined');
  const read = await page.evaluate<Visit>(`(() => {
    const [navigation] = performance.getEntriesByType('navigation');
    const loaded = [navigation, ...performance.getEntriesByType('resource')];
    return {
      firstByte: navigation.responseStart,
      interactive: window.filledIn,
      bytes: loaded.reduce((sum, { decodedBodySize }) => sum + decodedBodySize, 0),
      requests: loaded.length,
      scripts: document.scripts.length,
      shift: window.shift,
    };
  })()`);
  await context.close();
  return read;
}

const middleOf = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

test('the pay page is below 100 kB with its one script, and its fields can soon be filled in', async () => {
  const customer = (await api.sandbox.make('/customers', { name: 'Northwind Traders' })).id;
  const items = [{ name: 'Gold plan', unit_cost: 99 }];
  const { payment_url } = await api.sandbox.make('/invoices', { customer, items });
  const visits: Visit[] = [];
  for (let count = 0; count < VISITS; count += 1) visits.push(await visit(payment_url));
  const [{ bytes, requests, scripts } = { bytes: 0, requests: 0, scripts: 0 }] = visits;
  expect([requests, scripts]).toEqual([2, 1]);
  expect(visits.map(({ shift }) => shift)).toEqual(visits.map(() => 0));
  expect(bytes).toBeGreaterThan(10_000);
  expect(bytes).toBeLessThan(MOST_BYTES);
  const firstByte = middleOf(visits.map((one) => one.firstByte));
  const interactive = middleOf(visits.map((one) => one.interactive));
  const figures = `first byte ${firstByte.toFixed(0)} ms, interactive ${interactive.toFixed(0)} ms, ${bytes} bytes`;
  process.stderr.write(`pay page, medians of ${VISITS} visits: ${figures}\n`);
  expect([figures, firstByte < LATEST_BYTE]).toEqual([figures, true]);
  expect([figures, interactive < LATEST_FIELD]).toEqual([figures, true]);
});
