import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import type { TestApi } from '../support/api.ts';
import { SELLER, SIZES, type Site, startSite } from '../support/browser.ts';
import { expectDifferent, wrongLooks } from '../support/pageLooks.ts';
import { type PageState, startPages, pageStates as states } from '../support/pageStates.ts';

/** Pictures of the pages for customers, in each state, on both screens, light and dark. Some are compared with approved ones. */

let site: Site;
let api: TestApi;
let browser: Browser;
let origin: string;

beforeAll(async () => {
  const now = new Date('2027-03-01T10:00:00Z');
  site = await startSite({ systemNow: () => now });
  ({ api, browser, origin } = site);
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
    ...SELLER,
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

afterAll(() => site?.close());

/** Opens the page of a state. */
async function show({ at, steps }: PageState, language: string): Promise<Page> {
  const path = await at(language);
  const page = await (await browser.newContext({ viewport: SIZES.phone, bypassCSP: true })).newPage();
  await page.goto(path.startsWith('/') ? `${origin}${path}` : path);
  if ((await page.locator('[data-perennial]').count()) > 0) await page.locator('[data-field]').first().waitFor();
  await steps?.(page);
  return page;
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

async function look(state: PageState, name: string, language: string): Promise<void> {
  const page = await show(state, language);
  const wrong = await wrongLooks(page, `${name}-${language}`, { folder: 'pages', approved });
  await page.context().close();
  expect(wrong).toEqual([]);
}

test('pictures of different states differ', () => {
  expectDifferent('pages', approved);
});
