import { afterAll, beforeAll, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { spokenLanguages } from '../../words/languages.ts';
import type { TestApi } from '../support/api.ts';
import { SELLER, SIZES, type Site, startSite } from '../support/browser.ts';
import { looksIn } from '../support/pageLooks.ts';
import { approvedEstimate, cardTokens, payOn, planFor } from '../support/payPage.ts';

/** The page of the root, the one for nothing, and the page of a document in each state: what happens next, what to do, and what was done. */

/** Pictures that a person has approved. */
const approved = [
  'root-en-desktop-light.png',
  'nothing-ja-phone-light.png',
  'deposit-ar-desktop-dark.png',
  'partly-en-print.png',
];

const look = looksIn('states', { approved });
const lookBriefly = looksIn('states', { approved, isBrief: true });

let site: Site;
let api: TestApi;
let browser: Browser;
let origin: string;

beforeAll(async () => {
  site = await startSite({ systemNow: () => new Date('2027-03-01T10:00:00Z') });
  ({ api, browser, origin } = site);
  const bank_details = [{ currency: 'usd', bank_name: 'First Bank of Austin', account_number: '12345678' }];
  await api.sandbox.patch('/account', { ...SELLER, bank_details, accent_color: '#7c2d6b', partial_payments: true });
  await api.sandbox.patch('/payment_methods/wire_transfer', { enabled: true });
});

afterAll(() => site?.close());

const items = [
  { name: 'Gold plan', description: 'January', quantity: 1, unit_cost: 99 },
  { name: 'Support hour', quantity: 2.5, unit_cost: 120 },
];

async function customerIn(language: string): Promise<number> {
  const address = { address1: '22 Harbour Road', city: 'Oakland', state: 'CA', postal_code: '94607', country: 'US' };
  return (await api.sandbox.make('/customers', { name: 'Northwind Traders', language, ...address })).id;
}

const invoiceIn = async (language: string, more: object = {}) =>
  api.sandbox.make('/invoices', { customer: await customerIn(language), autopay: false, items, ...more });
const estimateIn = async (language: string, more: object = {}) =>
  api.sandbox.make('/estimates', { customer: await customerIn(language), items, ...more });

interface State {
  at(language: string): Promise<string>;
  steps?(page: Page): Promise<unknown>;
}

/** Opens the part that declines, and sends it with digits for initials. */
async function declineWrongly(page: Page): Promise<void> {
  await page.locator('[name=initials]').fill('12');
  await page.locator('.declining summary').click();
  await page.locator('[name=reason]').fill('We found a better offer.');
  await page.locator('[name=answer][value=decline]').click();
  await page.locator('[role=alert]').waitFor();
}

async function decline(page: Page): Promise<void> {
  await page.locator('[name=initials]').fill('A. M.');
  await page.locator('.declining summary').click();
  await page.locator('[name=answer][value=decline]').click();
  await page.locator('.declining').waitFor({ state: 'detached' });
}

const states: Record<string, State> = {
  root: { at: async () => '/' },
  nothing: { at: async () => '/nothing/here' },
  missing: { at: async (language) => (await invoiceIn(language)).url.replace(/[0-9a-f]{32}/, '0'.repeat(32)) },
  due: { at: async (language) => (await invoiceIn(language, { payment_terms: 'NET 30' })).url },
  late: {
    at: async (language) => {
      const { id, url } = await invoiceIn(language, { payment_terms: 'NET 7' });
      await api.em.execute('update invoice set past_due = true where id = ?', [id]);
      return url;
    },
  },
  partly: {
    at: async (language) => {
      const { url, payment_url } = await invoiceIn(language);
      await payOn(api, payment_url, { card: cardTokens.good, fields: { amount: '40' } });
      return url;
    },
  },
  paid: {
    at: async (language) => {
      const { url, payment_url } = await invoiceIn(language);
      await payOn(api, payment_url, { card: cardTokens.good });
      return url;
    },
  },
  voided: {
    at: async (language) => {
      const { id, url } = await invoiceIn(language);
      await api.sandbox.post(`/invoices/${id}/void`);
      return url;
    },
  },
  planned: {
    at: async (language) => {
      const invoice = await invoiceIn(language);
      await planFor(api.sandbox, invoice);
      return invoice.url;
    },
  },
  asked: { at: async (language) => (await estimateIn(language)).url },
  declining: { at: async (language) => (await estimateIn(language)).url, steps: declineWrongly },
  declined: { at: async (language) => (await estimateIn(language)).url, steps: decline },
  deposit: {
    at: async (language) =>
      (await approvedEstimate(api, { customer: await customerIn(language), items, deposit: 60 })).url,
  },
  transfer: {
    at: async (language) => {
      const asked = { customer: await customerIn(language), items, deposit: 60 };
      return `${(await approvedEstimate(api, asked)).payment_url}?method=wire_transfer`;
    },
  },
  credit: {
    at: async (language) =>
      (await api.sandbox.make('/credit_notes', { customer: await customerIn(language), items })).url,
  },
};

/** Whose words differ most in length stand for the others. */
const inAll = new Set(['root', 'nothing', 'late', 'deposit', 'transfer']);
const shown = Object.keys(states).flatMap((name) =>
  (inAll.has(name) ? spokenLanguages : (['en', 'ar'] as const)).map((language) => [name, language] as const),
);

test.each(shown)('the page %s in %s fits each screen and paper, and axe finds nothing', async (name, language) => {
  const state = states[name] as State;
  const path = await state.at(language);
  const context = await browser.newContext({ viewport: SIZES.phone, bypassCSP: true, locale: language });
  const page = await context.newPage();
  await page.goto(path.startsWith('/') ? `${origin}${path}` : path);
  await state.steps?.(page);
  await (['en', 'ar'].includes(language) ? look : lookBriefly)(page, `${name}-${language}`);
  await context.close();
});
