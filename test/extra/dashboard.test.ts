import { afterAll, beforeAll, expect, test } from '@jest/globals';
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

test('lists and objects look right on both screens, light and dark', async () => {
  const { page, open, complaints } = visitor;
  await open('customers');
  await page.getByRole('link', { name: 'Ann Archer' }).waitFor();
  await look(page, 'customers');
  await page.getByRole('link', { name: 'Ann Archer' }).click();
  await page.getByRole('heading', { name: 'Timeline' }).waitFor();
  await page.getByRole('link', { name: 'INV-00001' }).waitFor();
  await look(page, 'customer');
  await open('invoices');
  await page.getByRole('link', { name: 'INV-00001' }).waitFor();
  await look(page, 'invoices');
  await open(`invoices/${made.invoice}`);
  await page.getByRole('heading', { name: 'What happened' }).waitFor();
  await look(page, 'invoice');
  await open('coupons');
  await page.getByRole('heading', { name: 'Nothing here yet' }).waitFor();
  await look(page, 'empty');
  expect(complaints).toEqual([]);
});
