import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { Site } from '../support/browser.ts';
import { fillSandbox, startDashboard, type Visitor, visitDashboard } from '../support/dashboard.ts';
import { looksIn } from '../support/pageLooks.ts';

const look = looksIn('dashboard');

let site: Site;
let visitor: Visitor;
let made: Awaited<ReturnType<typeof fillSandbox>>;

beforeAll(async () => {
  site = await startDashboard();
  made = await fillSandbox(site.api.sandbox);
  visitor = await visitDashboard(site, 'ann@acme.example');
});
afterAll(() => site?.close());

const pathOf = (page: Page) => new URL(page.url()).pathname.replace(/^\/dashboard\/\d+\/sandbox/, '');

/** Opens the palette and types. */
async function ask(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Search everything' }).waitFor();
  await page.keyboard.type(text);
}

/** Presses Enter, and waits for the page of what is opened. */
async function enter(page: Page, heading: string): Promise<string> {
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: heading }).waitFor();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  return pathOf(page);
}

/** Moves down with the arrow key until a hit is marked. */
async function moveTo(page: Page, title: string): Promise<void> {
  await page.getByRole('option', { name: title }).first().waitFor();
  const marked = page.locator('[role=option][data-focused]');
  for (let step = 0; step < 30; step += 1) {
    if ((await marked.textContent())?.includes(title)) return;
    await page.keyboard.press('ArrowDown');
  }
  throw new Error(`${title} cannot be reached`);
}

test('the keyboard alone finds an invoice by its number, its amount and the name of its customer', async () => {
  const { page, open, complaints } = visitor;
  const invoice = `/invoices/${made.invoice}`;
  await open('customers');
  await ask(page, 'INV-00001');
  expect(await enter(page, 'INV-00001')).toBe(invoice);
  expect(await page.evaluate('document.activeElement.id')).toBe('main');
  await open('customers');
  await ask(page, '80.50');
  await moveTo(page, 'INV-00001');
  expect(await enter(page, 'INV-00001')).toBe(invoice);
  await page.keyboard.press('/');
  await page.keyboard.type('archer');
  await moveTo(page, 'INV-00001');
  await look(page, 'palette');
  expect(await enter(page, 'INV-00001')).toBe(invoice);
  await ask(page, 'inv');
  expect(await enter(page, 'Invoices')).toBe('/invoices');
  await ask(page, 'zzzz');
  await page.getByText('Nothing found').waitFor();
  await look(page, 'palette-nothing');
  await page.keyboard.press('Escape');
  await page.getByText('Seen last').waitFor();
  await page.getByRole('option', { name: 'INV-00001' }).waitFor();
  await look(page, 'palette-empty');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(complaints).toEqual([]);
});
