import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { projectFolder } from '../suites.ts';
import type { TestApi } from '../support/api.ts';
import { openPage, SELLER, SIZES, type Site, startSite } from '../support/browser.ts';
import { looksIn } from '../support/pageLooks.ts';

const PICTURES = join(projectFolder, '.data', 'pictures', 'documents');
const takeScreenshots = looksIn('documents', { sizes: { ...SIZES, small: { width: 320, height: 568 } } });

let site: Site;
let api: TestApi;
let browser: Browser;

beforeAll(async () => {
  site = await startSite();
  ({ api, browser } = site);
  await api.sandbox.patch('/account', { ...SELLER, email: 'billing@acme.example', tax_id: 'US-98-7654321' });
});

afterAll(() => site?.close());

const items = [
  { name: 'Gold plan', description: 'January\nBilled in advance', quantity: 1, unit_cost: 99 },
  { name: 'Support hour', quantity: 2.5, unit_cost: 120 },
  {
    name: 'x'.repeat(200),
    description: 'https://example.com/'.padEnd(400, 'long/'),
    quantity: 1250,
    unit_cost: 0.0125,
  },
];

async function invoiceFor(customer: object, fields: object = {}): Promise<{ url: string; number: string; id: number }> {
  const { id } = (await api.sandbox.post('/customers', customer)).body;
  return (await api.sandbox.post('/invoices', { customer: id, items, notes: 'Thank you.', ...fields })).body;
}

const open = (url: string) => openPage(browser, url, { viewport: SIZES.desktop });

test("an invoice's page shows its lines and the amount due, links to the PDF, and fits any screen", async () => {
  const { url, number } = await invoiceFor({ name: 'Northwind Traders', address1: '22 Harbour Road', country: 'US' });
  const { page, complaints } = await open(url);
  await takeScreenshots(page, 'invoice');
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Invoice');
  for (const size of [SIZES.desktop, SIZES.phone]) {
    await page.setViewportSize(size);
    const table = page.getByRole('table', { name: 'Items' });
    expect(await table.getByRole('columnheader').allTextContents()).toEqual([
      'Description',
      'Quantity',
      'Unit price',
      'Amount',
    ]);
    // 99.00, 2.5 x 120, 1,250 x 0.0125 = 15.625
    expect(await table.getByRole('row').nth(2).getByRole('cell').allTextContents()).toEqual([
      'Support hour',
      '2.5',
      '$120.00',
      '$300.00',
    ]);
  }
  expect(await page.getByText('$414.63').first().isVisible()).toBe(true); // 99.00 + 300.00 + 15.63
  const link = page.getByRole('link', { name: 'Download PDF' });
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Pay');
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Download PDF');
  expect(complaints).toEqual([]);
  const pdf = await page.request.get(new URL((await link.getAttribute('href')) ?? '', url).href);
  expect([pdf.status(), (await pdf.body()).subarray(0, 5).toString()]).toEqual([200, '%PDF-']);
  expect(pdf.headers()['content-disposition']).toContain(`Invoice ${number}.pdf`);
  await page.context().close();
});

test('a printed page has no buttons and no notice, and is white', async () => {
  const { url } = await invoiceFor({ name: 'Ann' }, { items: items.slice(0, 2) });
  const { page } = await open(url);
  await page.emulateMedia({ media: 'print' });
  expect(await page.getByRole('link', { name: 'Download PDF' }).isVisible()).toBe(false);
  expect(await page.getByText('This is a test document').isVisible()).toBe(false);
  expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)');
  const pdf = await page.pdf({ path: join(PICTURES, 'printed.pdf'), format: 'A4' });
  expect(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
  await page.context().close();
});

test("a voided invoice's page is right-to-left in Arabic and marked as voided", async () => {
  const { url, id } = await invoiceFor({ name: 'سارة', language: 'ar', country: 'EG' }, { currency: 'egp' });
  await api.sandbox.post(`/invoices/${id}/void`);
  const { page, complaints } = await open(url);
  await takeScreenshots(page, 'arabic');
  expect(await page.evaluate('getComputedStyle(document.body).direction')).toBe('rtl');
  expect(await page.getByText('ملغاة').isVisible()).toBe(true);
  expect(complaints).toEqual([]);
  await page.context().close();
});

test('custom fields with long names and values fit any screen, also right to left', async () => {
  const define = (id: string, name: string, type = 'string') =>
    api.sandbox.make('/custom_fields', { object: 'invoice', id, name, type, external: true });
  await define('code', `Code ${'of the project '.repeat(10)}`);
  await define('begin', 'תאריך התחלה', 'date');
  await define('urgent', 'דחוף', 'boolean');
  const metadata = { code: 'X'.repeat(255), begin: '2027-03-01', urgent: false };
  const { url } = await invoiceFor({ name: 'דנה', language: 'he', country: 'IL' }, { metadata });
  const { page, complaints } = await open(url);
  await takeScreenshots(page, 'fields');
  await page.setViewportSize(SIZES.desktop);
  // The long name leaves room: the date is on one line.
  expect(await page.evaluate("document.querySelector('.facts dd').clientHeight")).toBeLessThan(40);
  expect(await page.locator('.facts dd').allTextContents()).toEqual(expect.arrayContaining(['1 במרץ 2027', 'לא']));
  expect(complaints).toEqual([]);
  await page.context().close();
});

test('an estimate can be approved on its page with the keyboard only', async () => {
  const { id: customer } = (await api.sandbox.post('/customers', { name: 'Northwind Traders' })).body;
  const fields = { customer, items: items.slice(0, 2), expiration_date: 4_000_000_000, deposit: 100 };
  const { url, id } = (await api.sandbox.post('/estimates', fields)).body;
  const { page, complaints } = await open(url);
  await takeScreenshots(page, 'estimate');
  expect(await page.evaluate(FAINT)).toEqual([]);
  await page.getByLabel('Your initials').fill('12');
  await page.getByRole('button', { name: 'Approve' }).press('Enter');
  await page.getByRole('alert').waitFor();
  await takeScreenshots(page, 'estimate-refused');
  complaints.length = 0; // the 400 of the wrong initials
  expect(await page.getByLabel('Your initials').inputValue()).toBe('12');
  await page.getByLabel('Your initials').fill('AM');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByText(/^Approved by AM on /).waitFor();
  expect(new URL(page.url()).pathname).toBe(new URL(url).pathname);
  await takeScreenshots(page, 'estimate-approved');
  expect(complaints).toEqual([]);
  expect((await api.sandbox.get(`/estimates/${id}`)).body.status).toBe('approved');
  await page.context().close();
});

/** Finds texts with a contrast below 4.5, the minimum of WCAG. */
const FAINT = `(() => {
  const channel = (value) => { const part = value / 255; return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4 };
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const rgba = (css) => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = css; canvas.fillRect(0, 0, 1, 1); return [...canvas.getImageData(0, 0, 1, 1).data] };
  const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  const behind = (element) => { for (let at = element; at; at = at.parentElement) { const color = rgba(getComputedStyle(at).backgroundColor); if (color[3] === 255) return color } return [255, 255, 255] };
  const own = (element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== '');
  return [...document.querySelectorAll('body *')].filter(own).filter((element) => {
    const [one, other] = [light(rgba(getComputedStyle(element).color)), light(behind(element))].sort((a, b) => b - a);
    return (one + 0.05) / (other + 0.05) < 4.5;
  }).map((element) => element.textContent);
})()`;

test.each(['#000000', '#1d4ed8', '#b91c1c', '#7c3aed', '#ffff00', '#00ff00'])(
  "every text has enough contrast in both color schemes with the seller's accent color %s",
  async (accent_color) => {
    await api.sandbox.patch('/account', { accent_color });
    const { url } = await invoiceFor({ name: 'Ann' });
    await api.sandbox.patch('/account', { accent_color: null });
    const { page } = await open(url);
    for (const [colorScheme, card] of [
      ['dark', 'rgb(24, 29, 36)'],
      ['light', 'rgb(255, 255, 255)'],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await page.evaluate('getComputedStyle(document.querySelector("main")).backgroundColor')).toBe(card);
      expect(await page.evaluate(FAINT)).toEqual([]);
    }
    await page.context().close();
  },
);

test('every text has enough contrast, and missing documents and rate limits have pages of their own', async () => {
  const { url, id } = await invoiceFor({ name: 'Ann' });
  const { page } = await open(url);
  expect(await page.evaluate(FAINT)).toEqual([]);
  await api.sandbox.post(`/invoices/${id}/void`);
  await page.reload();
  expect(await page.evaluate(FAINT)).toEqual([]);
  await page.goto(url.replace(/[0-9a-f]{32}$/, '0'.repeat(32)));
  expect(await page.getByRole('heading').textContent()).toBe('There is no such document');
  await takeScreenshots(page, 'missing');
  await api.em.fork().execute('update throttle set count = 300');
  expect((await page.goto(url))?.status()).toBe(429);
  expect(await page.getByRole('heading').textContent()).toBe('Please try again in a moment');
  expect(await page.evaluate(FAINT)).toEqual([]);
  await takeScreenshots(page, 'busy');
  await page.context().close();
});
