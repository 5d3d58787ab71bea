import type { Page } from 'playwright-core';
import { settleAttempt } from '../../commands/charges/attempts.ts';
import type { TestApi } from './api.ts';
import { cardTokens, payOn, planFor, visitPage } from './payPage.ts';
import { remindersPath } from './reminders.ts';
import { type SourceVisitor, sourceVisitor } from './sourcePage.ts';

/** The pages for customers in each state, for pictures. */

let api: TestApi;
let visitor: SourceVisitor;

/** Gives the API whose pages are shown. */
export async function startPages(given: TestApi): Promise<void> {
  api = given;
  visitor = await sourceVisitor(api, api.sandbox);
}

const items = [
  { name: 'Gold plan', description: 'January', quantity: 1, unit_cost: 99 },
  { name: 'Support hour', quantity: 2.5, unit_cost: 120 },
];

async function customerOf(language: string): Promise<number> {
  const customer = { name: 'Northwind Traders', email: 'ann@example.com', autopay: true, language, country: 'US' };
  return (await api.sandbox.make('/customers', customer)).id;
}

let last = 1000;

async function invoiceIn(language: string, currency = 'usd') {
  last += 1;
  return api.sandbox.make('/invoices', {
    customer: await customerOf(language),
    currency,
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
export interface PageState {
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

const CARD = { number: '4242424242424242', expiry: '12/34', cvc: '123' };

async function enterCard(page: Page, card = CARD): Promise<void> {
  for (const [field, text] of Object.entries(card)) await page.locator(`[data-field=${field}]`).fill(text);
}

export const pageStates: Record<string, PageState> = {
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
  typed: { at: due, steps: (page) => enterCard(page) },
  mistaken: {
    at: due,
    steps: async (page) => {
      await enterCard(page, { number: '4242424242424241', expiry: '01/20', cvc: '12' });
      await page.locator('.pay > .button').click();
    },
  },
  euro: { at: async (language) => `${(await invoiceIn(language, 'eur')).payment_url}?method=ach` },
  transfer: { at: async (language) => `${(await invoiceIn(language, 'eur')).payment_url}?method=wire_transfer` },
  unpaid: {
    at: due,
    settings: [{ path: '/account', on: { partial_payments: true }, off: { partial_payments: null } }],
    steps: async (page) => {
      await page.locator('[name=amount]').fill('1000');
      await page.locator('[name=name]').fill('Ann Northwind');
      await enterCard(page);
      await page.locator('.pay > .button').click();
      await page.locator('#amount-fault').waitFor();
    },
  },
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
