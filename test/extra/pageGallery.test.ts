import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Browser, chromium, type Page } from 'playwright-core';
import { settleAttempt } from '../../commands/charges/attempts.ts';
import { projectFolder } from '../suites.ts';
import { accessibilityFaults } from '../support/accessibility.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { fromRun } from '../support/environment.ts';
import { pageFonts } from '../support/pageFonts.ts';
import { cardTokens, payOn, planFor, visitPage } from '../support/payPage.ts';
import { difference, differenceFrom } from '../support/pictures.ts';
import { remindersPath } from '../support/reminders.ts';
import { startReverseProxy } from '../support/reverseProxy.ts';
import { type SourceVisitor, sourceVisitor } from '../support/sourcePage.ts';

/** Pictures of the pages for customers, in each state, on both screens, light and dark. Some are compared with approved ones. */

const KEPT = join(projectFolder, 'test', 'extra', 'golden', 'pages');
const SEEN = join(projectFolder, '.data', 'pictures', 'pages');
const SIZES = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 860 } };
/** Share of the pixels: some sixty on a phone. Versions of Chromium differ in how they smooth letters. */
const TOLERANCE = 0.0002;

let api: TestApi;
let browser: Browser;
let origin: string;
let visitor: SourceVisitor;
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
  await api.sandbox.patch('/account', { ...seller, email: 'billing@acme.example', accent_color: '#7c2d6b' });
  await api.sandbox.patch('/payment_methods/ach', { min: 50 });
  const instructions = 'Bank: First Bank of Austin\nIBAN: US12 3456 7890\nReference: the number of the invoice';
  await api.sandbox.patch('/payment_methods/wire_transfer', { enabled: true, instructions });
  await api.sandbox.make('/plans', { id: 'gold', name: 'Gold plan', amount: 100, interval: 'month' });
  visitor = await sourceVisitor(api, api.sandbox);
});

afterAll(async () => {
  for (const close of closing) await close();
});

const items = [
  { name: 'Gold plan', description: 'January', quantity: 1, unit_cost: 99 },
  { name: 'Support hour', quantity: 2.5, unit_cost: 120 },
];

async function customerOf(language: string): Promise<number> {
  const customer = { name: 'Northwind Traders', email: 'ann@example.com', autopay: true, language, country: 'US' };
  return (await api.sandbox.make('/customers', customer)).id;
}

let last = 1000;

async function invoiceIn(language: string) {
  last += 1;
  return api.sandbox.make('/invoices', {
    customer: await customerOf(language),
    autopay: false,
    number: `INV-${last}`,
    items,
  });
}

/** The path of the page that tells what became of a payment. */
async function paidWith(card: string, language: string): Promise<string> {
  const { payment_url } = await invoiceIn(language);
  const method = /^tok_\d+_\d+$/.test(card) ? 'ach' : 'credit_card';
  return (await payOn(api, `${payment_url}?method=${method}`, { card })).location ?? '';
}

/** The gateway tells of returns, and the charges that they are about are looked at. */
async function hearReturns(): Promise<void> {
  await api.gateway.sendEvents(api.origin);
  const heard = "select distinct account_id, attempt_id as id from gateway_event where state = 'received'";
  for (const { account_id, id } of await api.em.fork().execute<{ account_id: number; id: number }[]>(heard))
    await settleAttempt({ ...api.deps, em: api.em }, { accountId: Number(account_id), id: Number(id) });
}

type Setting = { path: string; on: object; off: object };
interface State {
  /** Path or URL of the page. */
  at(language: string): Promise<string>;
  /** Settings that the page needs while it is open. */
  settings?: Setting[];
  /** Steps on the page before the picture. */
  steps?(page: Page): Promise<void>;
}

const gone = (method: string): Setting => ({
  path: `/payment_methods/${method}`,
  on: { enabled: false },
  off: { enabled: true },
});
const due = async (language: string) => (await invoiceIn(language)).payment_url;
const planIn = async (language: string) =>
  (await planFor(api.sandbox, await invoiceIn(language), { require_approval: true })).approval_url;
const remindersIn = async (language: string) => remindersPath(api, await invoiceIn(language));

async function enterCard(page: Page): Promise<void> {
  for (const [field, text] of Object.entries({ number: '4242424242424242', expiry: '12/34', cvc: '123' }))
    await page.locator(`[data-field=${field}]`).fill(text);
}

const states: Record<string, State> = {
  due: { at: due },
  items: { at: due, steps: (page) => page.locator('summary').click() },
  part: { at: due, settings: [{ path: '/account', on: { partial_payments: true }, off: { partial_payments: null } }] },
  wrong: { at: due, steps: (page) => page.locator('.pay > .button').click() },
  fee: {
    at: due,
    settings: [
      {
        path: '/account',
        on: { convenience_fee_percent: 3, convenience_fee_places: ['US'] },
        off: { convenience_fee_percent: null },
      },
    ],
    steps: async (page) => {
      await enterCard(page);
      await page.locator('.pay > .button').click();
      await page.locator('.rows').waitFor();
    },
  },
  none: { at: due, settings: ['credit_card', 'ach', 'wire_transfer'].map(gone) },
  wire: { at: async (language) => `${await due(language)}?method=wire_transfer` },
  debit: { at: async (language) => `${await due(language)}?method=ach` },
  declined: { at: (language) => paidWith(cardTokens.soft, language) },
  paid: { at: (language) => paidWith(cardTokens.good, language) },
  pending: { at: (language) => paidWith('tok_123123123_123123893', language) },
  returned: {
    at: async (language) => {
      const path = await paidWith('tok_110000000_000111111116', language);
      await hearReturns();
      return path;
    },
  },
  confirm: { at: async (language) => `${await paidWith(cardTokens.authentication, language)}?returned=1` },
  bank: {
    at: async (language) => {
      const { headers } = await visitPage(api, await paidWith(cardTokens.authentication, language));
      return headers.get('Refresh')?.replace('0; url=', '') ?? '';
    },
  },
  voided: {
    at: async (language) => {
      const { id, payment_url } = await invoiceIn(language);
      await api.sandbox.post(`/invoices/${id}/void`);
      return payment_url;
    },
  },
  settled: {
    at: async (language) => {
      const { payment_url } = await invoiceIn(language);
      await payOn(api, payment_url, { card: cardTokens.good });
      return payment_url;
    },
  },
  source: { at: async (language) => visitor.pathOf(await customerOf(language)) },
  saved: { at: (language) => addedWith('tok_4242424242424242', language) },
  refused: { at: (language) => addedWith('tok_4000000000000127', language) },
  deposits: { at: (language) => addedWith('tok_110000000_000123456789', language) },
  plan: { at: planIn },
  agreed: {
    at: planIn,
    steps: async (page) => {
      await page.locator('[name=initials]').fill('A. N.');
      await page.locator('[name=consent]').check();
      await page.locator('form .button').click();
      await page.locator('form').waitFor({ state: 'detached' });
    },
  },
  reminders: { at: remindersIn },
  stopped: { at: remindersIn, steps: (page) => page.locator('form .button').click() },
  subscription: {
    at: async (language) => {
      const of = { customer: await customerOf(language), plan: 'gold', trial_days: 14 };
      return (await api.sandbox.make('/subscriptions', of)).url;
    },
  },
  installments: {
    settings: [{ path: '/account', on: { partial_payments: true }, off: { partial_payments: null } }],
    at: async (language) => {
      const invoice = await invoiceIn(language);
      await planFor(api.sandbox, invoice);
      await payOn(api, invoice.payment_url, { card: cardTokens.good });
      return invoice.payment_url;
    },
  },
};

async function addedWith(token: string, language: string): Promise<string> {
  const path = await visitor.pathOf(await customerOf(language));
  const method = /^tok_\d+_\d+$/.test(token) ? 'ach' : 'credit_card';
  return (await visitor.send(path, await visitor.filled(path, token, method))).location ?? '';
}

/** Opens the page of a state. */
async function show({ at, steps }: State, language: string): Promise<Page> {
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
  ...(['due', 'returned', 'bank', 'source', 'subscription', 'paid', 'plan', 'installments', 'stopped'].includes(name)
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
async function look(state: State, name: string, language: string): Promise<void> {
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
