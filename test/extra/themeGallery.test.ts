import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { paperLayouts } from '../../billing/look/pdfTemplate.ts';
import { projectFolder } from '../suites.ts';
import { basic, type Client, startApi, successBody, type TestApi } from '../support/api.ts';
import { launchChromium, SIZES } from '../support/browser.ts';
import { logoPng } from '../support/logo.ts';
import { wrongLooks } from '../support/pageLooks.ts';
import { difference, differenceFrom, pageOf } from '../support/pictures.ts';
import { upload } from '../support/upload.ts';

/** Pictures of a strong theme on page, mail and paper, from left to right and from right to left, and of each layout of papers. */

const KEPT = join(projectFolder, 'test', 'extra', 'golden', 'themes');
const SEEN = join(projectFolder, '.data', 'pictures', 'themes');
const sizes = { ...SIZES, desktop: { width: 900, height: 860 } };
const DOTS_PER_INCH = 50;
/** Share of the pixels. Versions of Chromium and Poppler differ in how they smooth letters. */
const TOLERANCE = { screen: 0.0002, paper: 0.002 };
/** Rules for pages, which mail programs show as a part of their own page. */
const OF_PAGES = /^(region|landmark-one-main|page-has-heading-one) /;

let api: TestApi;
let sandbox: Client;
let browser: Browser;
let theme: number;
beforeAll(async () => {
  api = await startApi({ systemNow: () => new Date('2027-03-01T12:00:00Z') });
  ({ sandbox } = api);
  browser = await launchChromium();
  const bank_details = [{ currency: 'eur', account_holder: 'Acme', iban: 'DE89370400440532013000' }];
  const address = { address1: 'Hauptstraße 1', city: 'München', postal_code: '80331', country: 'DE' };
  await sandbox.patch('/account', { name: 'Acme Messtechnik', currency: 'eur', bank_details, ...address });
  await sandbox.make('/tax_rates', { id: 'vat', name: 'USt.', value: 19 });
  await sandbox.make('/tax_rules', { tax_rate: 'vat' });
  const logo = (await upload(sandbox, [{ name: 'file', filename: 'logo.png', content: logoPng() }])).body.id;
  const light = { accent_color: '#4a044e', text_color: '#1c1917', background_color: '#fffbeb' };
  const dark = { dark_accent_color: '#f0abfc', dark_text_color: '#fafaf9', dark_background_color: '#1c1917' };
  const rest = { corners: 'square', font: 'ibm_plex_sans', footer: 'Registergericht München, HRB 123456', logo };
  theme = (await sandbox.make('/themes', { name: 'Strong', ...light, ...dark, ...rest })).id;
});
afterAll(async () => {
  await browser?.close();
  await api?.close();
});

/** Pictures that a person has approved. */
const approved = [
  'page-de-phone-light.png',
  'page-de-desktop-dark.png',
  'page-he-desktop-light.png',
  'mail-de-phone-light.png',
  'mail-de-desktop-dark.png',
  'mail-he-desktop-light.png',
];
const papers = ['de', 'he'].map((language) => `paper-${language}.png`);
const layouts = paperLayouts.flatMap((layout) => [`${layout}-all.png`, `${layout}-few.png`]);

const speak = async (language: string) => successBody(await sandbox.patch('/account', { language }));

/** The first page of the PDF with which a preview answers, as a picture. */
async function paperOf(path: string, body: object): Promise<Buffer> {
  const headers = { ...basic(sandbox.key), accept: 'application/pdf', 'content-type': 'application/json' };
  const answer = await fetch(`${sandbox.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  expect(answer.headers.get('content-type')).toBe('application/pdf');
  return pageOf(Buffer.from(await answer.arrayBuffer()), 1, DOTS_PER_INCH);
}

const differs = (file: string, picture: Buffer) => differenceFrom(join(KEPT, file), picture, join(SEEN, file));

test.each(['de', 'he'])(
  'page and mail of a strong theme in %s fit, are readable, and look as approved',
  async (language) => {
    await speak(language);
    const shown = successBody(await sandbox.post(`/themes/${theme}/preview`, {}));
    expect(shown.warnings).toEqual([]);
    const wrong: string[] = [];
    for (const what of ['page', 'mail']) {
      const page = await (await browser.newContext({ bypassCSP: true })).newPage();
      // An inert body is hidden from assistive technology, so that the rules would find no text.
      await page.setContent(shown[what].replace('<body inert', '<body'));
      const isFault = (fault: string) => what === 'page' || !OF_PAGES.test(fault);
      const css = '*{font-family:Inter!important}';
      wrong.push(
        ...(await wrongLooks(page, `${what}-${language}`, { folder: 'themes', sizes, approved, isFault, css })),
      );
      await page.context().close();
    }
    expect(wrong).toEqual([]);
  },
);

test.each(['de', 'he'])('the paper of a strong theme in %s looks as approved', async (language) => {
  await speak(language);
  expect(differs(`paper-${language}.png`, await paperOf(`/themes/${theme}/preview`, {}))).toBeLessThan(TOLERANCE.paper);
});

test.each(paperLayouts)('the layout %s looks as approved, with all columns and with few', async (layout) => {
  await speak('de');
  const path = '/pdf_templates/invoice/preview';
  const few = { columns: ['quantity'], blocks: ['footer'] };
  const shares = [
    differs(`${layout}-all.png`, await paperOf(path, { layout })),
    differs(`${layout}-few.png`, await paperOf(path, { layout, ...few })),
  ];
  expect(Math.max(...shares)).toBeLessThan(TOLERANCE.paper);
});

test('a shown page obeys its policy and sends no form', async () => {
  await speak('en');
  const { page: html } = successBody(await sandbox.post(`/themes/${theme}/preview`, {}));
  const page = await (await browser.newContext()).newPage();
  await page.route('**/*', (route) => route.fulfill({ body: 'The form was sent' }));
  const added = `<script>document.title = 'ran'</script><form action="https://elsewhere.example/"><button>Go</button></form>`;
  await page.setContent(html.replace('<main', () => `${added}<main`));
  expect(await page.title()).toContain('INV-00001');
  // A form that is sent ends the page, and this promise with it.
  const broken = await page.evaluate(`new Promise((resolve) => {
    addEventListener('securitypolicyviolation', ({ effectiveDirective }) => resolve(effectiveDirective));
    document.querySelector('button').form.submit();
  })`);
  expect(broken).toBe('form-action');
  await page.context().close();
});

test('a mail in words of the account obeys its policy: it shows remote pictures, runs nothing and sends no form', async () => {
  await speak('en');
  const picture = 'https://pictures.example/spring.png';
  const words = `<p>Dear {{recipient.name}}</p><img src="${picture}" alt="Spring" width="20" height="20">`;
  const path = '/email_templates/new_invoice_email-en';
  successBody(await sandbox.patch(path, { html: words }));
  const { mail: html } = successBody(await sandbox.post(`/themes/${theme}/preview`, {}));
  await sandbox.delete(path);
  expect(html).toContain(picture);
  // The sanitizer of templates removes such elements. The policy has to hold even if it did not.
  const hostile = `<script>document.title = 'ran'</script><img src="data:," onerror="document.title = 'ran'">
    <a id="link" href="javascript:document.title='ran'">Go</a><iframe src="https://elsewhere.example/"></iframe>
    <form action="https://elsewhere.example/"><input name="card"></form>`;
  const page = await (await browser.newContext()).newPage();
  const fetched: string[] = [];
  await page.route('**/*', (route) => {
    fetched.push(route.request().url());
    return route.fulfill({ body: logoPng(), contentType: 'image/png' });
  });
  await page.setContent(html.replace('<p>Dear', () => `${hostile}<p id="words">Dear`));
  await page.evaluate(`document.querySelector('#link').click()`);
  // A form that is sent ends the page, and this promise with it.
  const broken = await page.evaluate(`new Promise((resolve) => {
    addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
      if (effectiveDirective === 'form-action') resolve(effectiveDirective);
    });
    document.querySelector('form').submit();
  })`);
  expect(broken).toBe('form-action');
  expect(await page.title()).not.toBe('ran');
  expect(await page.textContent('#words')).toBe('Dear Ada Example');
  expect(await page.evaluate(`document.querySelector('img[alt=Spring]').naturalWidth`)).toBeGreaterThan(0);
  expect(fetched).toEqual([picture]);
  await page.context().close();
});

test('approved pictures differ', () => {
  const all = [approved, papers, layouts].map((files) => files.map((file) => readFileSync(join(KEPT, file))));
  for (const [first, ...others] of all)
    for (const other of others) expect(first && difference(first, other)).toBeGreaterThan(TOLERANCE.screen);
});
