import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { customTemplates } from '../../billing/mail/emailTemplates.ts';
import { spokenLanguages } from '../../words/languages.ts';
import { launchChromium, SELLER, SIZES } from '../support/browser.ts';
import { expectDifferent, wrongLooks } from '../support/pageLooks.ts';
import { type Product, startProduct } from '../support/product.ts';
import { type SentMail, sendAllMails } from '../support/sentMails.ts';

/** Pictures of every mail in eight languages, on both screens, light and dark. Some are compared with approved ones. */

const sizes = { ...SIZES, desktop: { width: 900, height: 860 } };
/** Rules for pages, which mail programs show as a part of their own page. */
const OF_PAGES = /^(region|landmark-one-main|page-has-heading-one) /;

let product: Product;
let browser: Browser;
let sent: SentMail[];

beforeAll(async () => {
  product = await startProduct();
  browser = await launchChromium();
  await product.client.patch('/account', { ...SELLER, email: 'billing@acme.example', accent_color: '#7c2d6b' });
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
    const page = await open(html);
    expect(await page.evaluate('document.documentElement.dir || "ltr"')).toBe(
      ['ar', 'he'].includes(language) ? 'rtl' : 'ltr',
    );
    const isFault = (fault: string) => !OF_PAGES.test(fault);
    // Mails use the fonts of the reader's system. Pictures use those of the pages, so that they do not depend on the machine.
    const css = '*{font-family:Inter!important}';
    const wrong = await wrongLooks(page, `${template}-${language}`, { folder: 'mails', sizes, approved, isFault, css });
    await page.context().close();
    expect(wrong).toEqual([]);
  },
);

async function open(html: string): Promise<Page> {
  const page = await (await browser.newContext({ bypassCSP: true })).newPage();
  await page.route('**/*', (route) => route.abort()); // the tracking image
  await page.setContent(html);
  return page;
}

test('approved pictures of different mails differ', () => {
  expectDifferent('mails', approved);
});
