import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Site } from '../support/browser.ts';
import { fillSandbox, startDashboard, visitDashboard } from '../support/dashboard.ts';
import { takeDueWork } from '../support/dueWork.ts';
import { looksIn } from '../support/pageLooks.ts';

/** Pictures that a person has approved. */
const approved = [
  'home-desktop-light.png',
  'home-desktop-dark.png',
  'home-phone-light.png',
  'customers-desktop-light.png',
  'customer-desktop-light.png',
  'customer-phone-dark.png',
  'invoices-phone-light.png',
  'invoice-desktop-light.png',
  'empty-desktop-light.png',
  'home-ar-desktop-light.png',
  'customer-ar-phone-light.png',
];
const look = looksIn('dashboard', { approved });

/** All that is shown is of this time, so that pictures can be compared. */
const now = Date.UTC(2026, 11, 1, 9) / 1000;

/** Tables that are wider than their place. */
const CUT = `[...document.querySelectorAll('.scroll')].filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent)`;

let site: Site;
let made: Awaited<ReturnType<typeof fillSandbox>>;

beforeAll(async () => {
  site = await startDashboard({ systemNow: () => new Date(now * 1000) });
  made = await fillSandbox(site.api.sandbox, now);
  await takeDueWork(site.api, { accountId: site.api.sandbox.account.id, now: () => now });
});
afterAll(() => site?.close());

test('places look as they were approved, on both screens, light and dark', async () => {
  const { page, open, complaints } = await visitDashboard(site, 'ann@acme.example');
  await open('');
  await page.getByRole('region', { name: 'What is owed' }).waitFor();
  await page.waitForLoadState('networkidle');
  await look(page, 'home');
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

test('and so they do from right to left', async () => {
  const { page, open, complaints } = await visitDashboard(site, 'noor@acme.example', { locale: 'ar' });
  await open('');
  await page.waitForLoadState('networkidle');
  await look(page, 'home-ar');
  await open(`customers/${made.ann}`);
  await page.getByRole('link', { name: 'INV-00001' }).first().waitFor();
  await page.waitForLoadState('networkidle');
  await look(page, 'customer-ar');
  // the last column of a table, the balance, is never cut off
  for (const width of [1280, 1210, 1024, 920]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await page.evaluate(CUT)).toEqual([]);
  }
  expect(complaints).toEqual([]);
});
