import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Browser, chromium, type Page } from 'playwright-core';
import { projectFolder } from '../suites.ts';
import { accessibilityFaults } from '../support/accessibility.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { fromRun } from '../support/environment.ts';
import { pageFonts } from '../support/pageFonts.ts';
import { type PageState, startPages, pageStates as states } from '../support/pageStates.ts';
import { difference, differenceFrom } from '../support/pictures.ts';
import { startReverseProxy } from '../support/reverseProxy.ts';

/** Pictures of the pages for customers, in each state, on both screens, light and dark. Some are compared with approved ones. */

const KEPT = join(projectFolder, 'test', 'extra', 'golden', 'pages');
const SEEN = join(projectFolder, '.data', 'pictures', 'pages');
const SIZES = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 860 } };
/** Share of the pixels: some sixty on a phone. Versions of Chromium differ in how they smooth letters. */
const TOLERANCE = 0.0002;

let api: TestApi;
let browser: Browser;
let origin: string;
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  const proxy = await startReverseProxy();
  origin = proxy.origin;
  const now = new Date('2027-03-01T10:00:00Z');
  api = await startApi({ publicUrl: origin, systemNow: () => now });
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
  const seller = { address1: '1 Main Street', city: 'Austin', state: 'TX', postal_code: '78701', country: 'US' };
  const bank_details = [
    {
      currency: 'eur',
      account_holder: 'Acme Inc.',
      bank_name: 'Bank',
      iban: 'DE89370400440532013000',
      bic: 'COBADEFFXXX',
    },
  ];
  await api.sandbox.patch('/account', {
    ...seller,
    bank_details,
    email: 'billing@acme.example',
    accent_color: '#7c2d6b',
  });
  await api.sandbox.patch('/payment_methods/ach', { min: 50 });
  const instructions = 'Bank: First Bank of Austin\nIBAN: US12 3456 7890\nReference: the number of the invoice';
  await api.sandbox.patch('/payment_methods/wire_transfer', { enabled: true, instructions });
  await api.sandbox.make('/plans', { id: 'gold', name: 'Gold plan', amount: 100, interval: 'month' });
  await startPages(api);
});

afterAll(async () => {
  for (const close of closing) await close();
});

/** Opens the page of a state. */
async function show({ at, steps }: PageState, language: string): Promise<Page> {
  const path = await at(language);
  const page = await (await browser.newContext({ viewport: SIZES.phone, bypassCSP: true })).newPage();
  await page.goto(path.startsWith('/') ? `${origin}${path}` : path);
  if ((await page.locator('[data-perennial]').count()) > 0) await page.locator('[data-field]').first().waitFor();
  await steps?.(page);
  await page.addStyleTag({ content: pageFonts });
  await page.evaluate('document.fonts.ready');
  return page;
}

async function pictureOf(page: Page, device: string, colorScheme: 'light' | 'dark'): Promise<Buffer> {
  await page.setViewportSize(device === 'phone' ? SIZES.phone : SIZES.desktop);
  await page.emulateMedia({ colorScheme });
  return page.screenshot({ fullPage: true, caret: 'hide', animations: 'disabled' });
}

/** Pictures that a person has approved: the states of one page that differ most, each in one look. */
const approved = [
  'due-en-phone-light.png',
  'due-en-desktop-dark.png',
  'due-he-phone-light.png',
  'part-en-phone-light.png',
  'none-en-phone-light.png',
  'declined-en-phone-light.png',
  'declined-ar-desktop-dark.png',
  'mistaken-en-phone-light.png',
  'transfer-en-desktop-light.png',
  'paid-en-phone-dark.png',
  'pending-en-desktop-light.png',
  'returned-ar-phone-light.png',
  'bank-he-phone-light.png',
  'source-ar-phone-light.png',
  'plan-en-phone-light.png',
  'plan-ar-phone-dark.png',
  'subscription-ar-phone-light.png',
  'installments-en-phone-light.png',
  'installments-ar-phone-dark.png',
];

const shown = Object.keys(states).flatMap((name) => [
  [name, 'en'],
  ...([
    'due',
    'mistaken',
    'transfer',
    'declined',
    'returned',
    'bank',
    'source',
    'subscription',
    'paid',
    'plan',
    'installments',
    'stopped',
  ].includes(name)
    ? [
        [name, 'he'],
        [name, 'ar'],
      ]
    : []),
]);

test.each(shown)(
  'the page %s in %s fits each screen, is accessible, and looks like its approved pictures',
  async (name, language) => {
    const state = states[name ?? ''];
    if (!state) throw new Error(`no state ${name}`);
    for (const { path, on } of state.settings ?? []) await api.sandbox.patch(path, on);
    try {
      await look(state, name ?? '', language ?? '');
    } finally {
      for (const { path, off } of state.settings ?? []) await api.sandbox.patch(path, off);
    }
  },
);

/** Takes all pictures of a page. Expects that it fits the width of each screen, looks as approved, and is accessible. */
async function look(state: PageState, name: string, language: string): Promise<void> {
  const page = await show(state, language);
  const wrong: string[] = [];
  for (const device of Object.keys(SIZES))
    for (const scheme of ['light', 'dark'] as const) {
      const file = `${name}-${language}-${device}-${scheme}.png`;
      const differs = differenceFrom(join(KEPT, file), await pictureOf(page, device, scheme), join(SEEN, file));
      if (approved.includes(file) && differs >= TOLERANCE) wrong.push(`${file} differs by ${differs}`);
      const faults = device === 'phone' ? await accessibilityFaults(page) : [];
      wrong.push(...faults.map((fault) => `${file}: ${fault}`));
      const width = await page.evaluate<number>('document.documentElement.scrollWidth');
      if (width !== page.viewportSize()?.width) wrong.push(`${file} is ${width} wide`);
    }
  await page.context().close();
  expect(wrong).toEqual([]);
}

test('pictures of different states differ', () => {
  const kept = approved.map((file) => readFileSync(join(KEPT, file)));
  const [first, ...others] = kept;
  for (const other of others) expect(first && difference(first, other)).toBeGreaterThan(TOLERANCE);
});
