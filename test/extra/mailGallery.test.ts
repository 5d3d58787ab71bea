import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Browser, chromium, type Page } from 'playwright-core';
import { customTemplates } from '../../billing/mail/emailTemplates.ts';
import { spokenLanguages } from '../../present/printed/labels.ts';
import { projectFolder } from '../suites.ts';
import { accessibilityFaults } from '../support/accessibility.ts';
import { fromRun } from '../support/environment.ts';
import { fontAt, largeFontsOf, pageFonts } from '../support/pageFonts.ts';
import { difference, differenceFrom } from '../support/pictures.ts';
import { type Product, startProduct } from '../support/product.ts';
import { type SentMail, sendAllMails } from '../support/sentMails.ts';

/** Pictures of every mail in eight languages, on both screens, light and dark. Some are compared with approved ones. */

const KEPT = join(projectFolder, 'test', 'extra', 'golden', 'mails');
const SEEN = join(projectFolder, '.data', 'pictures', 'mails');
const SIZES = { phone: { width: 390, height: 844 }, desktop: { width: 900, height: 860 } };
/** Share of the pixels: some sixty on a phone. Versions of Chromium differ in how they smooth letters. */
const TOLERANCE = 0.0002;
/** Rules for pages, which mail programs show as a part of their own page. */
const OF_PAGES = /^(region|landmark-one-main|page-has-heading-one) /;

let product: Product;
let browser: Browser;
let sent: SentMail[];

beforeAll(async () => {
  product = await startProduct();
  browser = await chromium.launch({
    executablePath: fromRun('CHROMIUM'),
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  });
  const seller = { address1: '1 Main Street', city: 'Austin', state: 'TX', postal_code: '78701', country: 'US' };
  await product.client.patch('/account', { ...seller, email: 'billing@acme.example', accent_color: '#7c2d6b' });
  sent = await sendAllMails(product, spokenLanguages);
});
afterAll(async () => {
  await browser.close();
  await product.close();
});

/** Pictures that a person has approved: each mail in one look. Receipts and refunds show a random reference. */
const approved = [
  'new_invoice_email-de-phone-light.png',
  'unpaid_invoice_email-fr-desktop-dark.png',
  'paid_invoice_email-es-phone-light.png',
  'estimate_email-en-desktop-light.png',
  'credit_note_email-ar-phone-light.png',
  'statement_email-he-phone-dark.png',
  'auto_payment_failed_email-en-phone-dark.png',
  'card_expiring_email-de-desktop-light.png',
  'payment_plan_email-he-phone-light.png',
  'late_payment_reminder_email-en-phone-light.png',
  'subscription_confirmation_email-es-desktop-dark.png',
  'subscription_renews_soon_email-ar-phone-dark.png',
  'subscription_canceled_email-fr-phone-light.png',
  'contract_ending_email-de-phone-light.png',
  'payment_source_removed_email-de-phone-light.png',
  'late_payment_reminder_email-ja-phone-dark.png',
  'statement_email-zh-desktop-light.png',
];

const shown = customTemplates.flatMap((template) => spokenLanguages.map((language) => [template, language] as const));

test.each(shown)(
  'the mail %s in %s fits each screen, is readable, and looks like its approved pictures',
  async (template, language) => {
    const html = sent.find((mail) => mail.template === template && mail.language === language)?.html;
    if (html === undefined) throw new Error('not sent');
    const page = await open(html, language);
    expect(await page.evaluate('document.documentElement.dir || "ltr"')).toBe(
      ['ar', 'he'].includes(language) ? 'rtl' : 'ltr',
    );
    const wrong: string[] = [];
    for (const device of ['phone', 'desktop'] as const)
      for (const scheme of ['light', 'dark'] as const) {
        const file = `${template}-${language}-${device}-${scheme}.png`;
        const differs = differenceFrom(join(KEPT, file), await pictureOf(page, device, scheme), join(SEEN, file));
        if (approved.includes(file) && differs >= TOLERANCE) wrong.push(`${file} differs by ${differs}`);
        const faults = await accessibilityFaults(page);
        wrong.push(...faults.filter((fault) => !OF_PAGES.test(fault)).map((fault) => `${file}: ${fault}`));
        const width = await page.evaluate<number>('document.documentElement.scrollWidth');
        if (width !== SIZES[device].width) wrong.push(`${file} is ${width} wide`);
      }
    await page.context().close();
    expect(wrong).toEqual([]);
  },
);

async function open(html: string, language: string): Promise<Page> {
  const page = await (await browser.newContext({ bypassCSP: true })).newPage();
  await page.route('**/*', (route) => {
    const body = fontAt(route.request().url());
    const headers = { 'access-control-allow-origin': '*' };
    return body ? route.fulfill({ body, headers }) : route.abort(); // the tracking image
  });
  await page.setContent(html);
  // Mails use the fonts of the reader's system. Pictures use those of the pages, so that they do not depend on the machine.
  await page.addStyleTag({ content: `${pageFonts}${largeFontsOf(language)}*{font-family:Inter!important}` });
  await page.evaluate('document.fonts.ready');
  return page;
}

async function pictureOf(page: Page, device: keyof typeof SIZES, colorScheme: 'light' | 'dark'): Promise<Buffer> {
  await page.setViewportSize(SIZES[device]);
  await page.emulateMedia({ colorScheme });
  return page.screenshot({ fullPage: true, caret: 'hide', animations: 'disabled' });
}

test('approved pictures of different mails differ', () => {
  const [first, ...others] = approved.map((file) => readFileSync(join(KEPT, file)));
  for (const other of others) expect(first && difference(first, other)).toBeGreaterThan(TOLERANCE);
});
