import type { Page } from 'playwright-core';
import type { Site } from './browser.ts';
import { fillSandbox, startDashboard, type Visitor, visitDashboard } from './dashboard.ts';
import { button } from './dashboardActs.ts';

const DAY = 86_400;

/** A biller in front of the dashboard, with subscriptions to sell. */
export interface Desk {
  site: Site;
  visitor: Visitor;
  /** Makes a subscription of Ann Archer whose period began ten days ago. Returns its id. */
  subscribed(body?: object): Promise<number>;
  subscription(id: number): Promise<ReturnType<JSON['parse']>>;
  upcoming(id: number, count: number): Promise<{ total: number }[]>;
  invoicesOf(id: number): Promise<{ total: number }[]>;
}

/** Plans are dear enough that each second of a month costs more than a cent. */
const plans = [
  { id: 'gold', name: 'Gold', amount: 120_000, interval: 'month' },
  { id: 'silver', name: 'Silver', amount: 70_000, interval: 'month' },
  { id: 'annual', name: 'Annual', amount: 900_000, interval: 'year' },
  { id: 'euro', name: 'Silver in euros', amount: 5, currency: 'eur', interval: 'month' },
  { id: 'seats', name: 'Seats', amount: 12.5, interval: 'month' },
];

export async function startDesk(email: string): Promise<Desk> {
  const site = await startDashboard();
  const { sandbox } = site.api;
  const { ann } = await fillSandbox(sandbox);
  await sandbox.make('/tax_rates', { id: 'vat', name: 'VAT', value: 19 });
  await sandbox.make('/coupons', { id: 'ten', name: 'Ten off', value: 10 });
  for (const plan of plans) await sandbox.make('/plans', plan);
  const read = async (path: string) => (await sandbox.get(path)).body;
  return {
    site,
    visitor: await visitDashboard(site, email),
    subscribed: async (body = {}) => {
      const start = Math.floor(Date.now() / 1000) - 10 * DAY;
      const sold = { customer: ann, plan: 'gold', start_date: start, ...body };
      return (await sandbox.make('/subscriptions', sold)).id;
    },
    subscription: (id) => read(`/subscriptions/${id}`),
    upcoming: async (id, count) => (await read(`/subscriptions/${id}/upcoming_invoices?count=${count}`)).invoices,
    invoicesOf: (id) => read(`/invoices?filter[subscription]=${id}&sort=id asc`),
  };
}

export const CHANGE = 'Change plan or quantity';

export const dialog = (page: Page) => page.getByRole('dialog');
export const follows = (page: Page) => page.locator('.follows');
export const quantity = (page: Page) => page.getByRole('textbox', { name: /^Quantity/ });
export const press = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true }).click();

/** Begins an act on the open page of a subscription, by its button. */
export async function begin(page: Page, name: string): Promise<void> {
  await button(page, name).click();
  await follows(page).waitFor();
}

/** Waits until what follows is that of what was typed. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(`(() => {
    const part = document.querySelector('.follows [aria-busy]');
    return part?.getAttribute('aria-busy') === 'false' && !part.textContent.includes('Computing');
  })()`);
}

export async function choose(page: Page, field: string, text: string): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`^${field} `) }).click();
  await page.getByRole('searchbox', { name: 'Search' }).last().fill(text);
  await page.getByRole('listbox').getByRole('option', { name: text }).first().click();
}

/** The totals of the bills that are shown, with their titles. */
export const totals = (page: Page): Promise<[title: string, total: string][]> =>
  page.evaluate(
    `[...document.querySelectorAll('.follows h4')].map((title) => [
      title.textContent, title.nextElementSibling.querySelector('tfoot tr:last-child td').textContent])`,
  );

export const money = (amount: number): string => amount.toLocaleString('en', { style: 'currency', currency: 'usd' });
