import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { accessibilityFaults } from '../support/accessibility.ts';
import type { TestApi } from '../support/api.ts';
import { enterCard, openPage, SELLER, SIZES, type Site, startSite } from '../support/browser.ts';
import { looksIn } from '../support/pageLooks.ts';

const takeScreenshots = looksIn('pay');

let site: Site;
let api: TestApi;
let browser: Browser;

beforeAll(async () => {
  site = await startSite();
  ({ api, browser } = site);
  await api.sandbox.patch('/account', { ...SELLER, email: 'billing@acme.example', accent_color: '#7c2d6b' });
  await api.sandbox.patch('/payment_methods/ach', { min: 50 });
  const instructions = 'Bank: First Bank of Austin\nIBAN: US12 3456 7890\nReference: the number of the invoice';
  await api.sandbox.patch('/payment_methods/wire_transfer', { enabled: true, instructions });
});

afterAll(() => site?.close());

const items = [
  { name: 'Gold plan', description: 'January', quantity: 1, unit_cost: 99 },
  { name: 'Support hour', quantity: 2.5, unit_cost: 120 },
];

async function invoiceFor(customer: object, fields: object = {}) {
  const { id } = await api.sandbox.make('/customers', customer);
  return api.sandbox.make('/invoices', { customer: id, items, ...fields });
}

const open = (url: string, viewport = SIZES.phone) => openPage(browser, url, { viewport });

test.each(Object.entries(SIZES))(
  'an invoice is paid by card on a %s, from its own page to the receipt',
  async (device, size) => {
    const { url } = await invoiceFor({ name: 'Northwind Traders', country: 'US' });
    const { page, complaints } = await open(url, size);
    await takeScreenshots(page, `invoice-${device}`);
    await page.setViewportSize(size);
    await page.getByRole('link', { name: 'Pay', exact: true }).click();
    await page.locator('[data-field=number]').waitFor();
    await takeScreenshots(page, 'pay');
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.setViewportSize(size);
    await enterCard(page, '4242 4242 4242 4242');
    await page.getByRole('button', { name: 'Pay $399.00' }).click();
    await page.getByRole('heading', { name: 'Thank you for your payment' }).waitFor();
    await takeScreenshots(page, 'paid');
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.reload();
    await page.goBack();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('This invoice is paid');
    expect(complaints).toEqual([]);
    await page.context().close();
  },
);

test('a declined card is told, and another one pays; both by keyboard alone', async () => {
  const { payment_url } = await invoiceFor({ name: 'Northwind Traders', country: 'US' });
  const { page } = await open(payment_url, SIZES.desktop);
  const type = async (number: string) => {
    await page.locator('[data-field=number]').waitFor();
    while (!(await page.evaluate("document.activeElement.matches('[data-field=number]')")))
      await page.keyboard.press('Tab');
    for (const text of [number, '12/34', '123']) {
      await page.keyboard.type(text);
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
  };
  await type('4000000000000002');
  await page.getByRole('heading', { name: 'Your payment was declined' }).waitFor();
  await takeScreenshots(page, 'declined');
  expect(await accessibilityFaults(page)).toEqual([]);
  await type('5555');
  expect(await page.locator('[data-field=number]').getAttribute('aria-invalid')).toBe('true');
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.locator('[data-field=number]').fill('');
  await type('5454545454545454');
  await page.getByRole('heading', { name: 'Thank you for your payment' }).waitFor();
  await page.context().close();
});

test('a Hebrew page is right to left, and a bank that wants a confirmation leads back to it', async () => {
  const { payment_url } = await invoiceFor({ name: 'כהן ובניו', language: 'he', country: 'IL' }, { currency: 'ils' });
  const { page, complaints } = await open(payment_url);
  await page.locator('[data-field=number]').waitFor();
  await takeScreenshots(page, 'hebrew');
  await page.setViewportSize(SIZES.phone);
  expect(await page.evaluate('getComputedStyle(document.body).direction')).toBe('rtl');
  expect(await accessibilityFaults(page)).toEqual([]);
  await enterCard(page, '4000000000003220');
  await page.getByRole('button', { name: 'תשלום' }).click();
  await page.waitForURL(/test_gateway\/challenges/);
  await page.getByRole('button').first().click();
  await page.getByRole('heading', { name: 'תודה על התשלום' }).waitFor();
  expect(complaints).toEqual([]);
  await page.context().close();
});

test('a transfer shows its instructions, and a bank account pays', async () => {
  const { payment_url } = await invoiceFor({ name: 'Northwind Traders', country: 'US' });
  const { page, complaints } = await open(payment_url);
  await page.getByRole('link', { name: 'Wire transfer' }).click();
  expect(await page.getByText('First Bank of Austin').isVisible()).toBe(true);
  await takeScreenshots(page, 'wire');
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByRole('link', { name: 'Bank account' }).click();
  await page.locator('[data-field=routing_number]').fill('110000000');
  await page.locator('[data-field=account_number]').fill('123456789');
  await page.getByLabel('Save for automatic payments').check();
  await page.getByRole('button', { name: 'Pay $399.00' }).dblclick();
  await page.getByRole('heading', { name: 'Thank you for your payment' }).waitFor();
  expect(complaints).toEqual([]);
  await page.context().close();
});

test('typed text is kept when another payment method is chosen, and after a decline; entered numbers are not', async () => {
  const { payment_url } = await invoiceFor({ name: 'Northwind Traders', country: 'US' });
  const { page, complaints } = await open(payment_url);
  const email = page.getByLabel('Email for the receipt');
  await email.fill('ann@example.com');
  await enterCard(page, '4000000000000002');
  await page.getByRole('link', { name: 'Bank account' }).click();
  await page.locator('[data-field=routing_number]').waitFor();
  expect(await email.inputValue()).toBe('ann@example.com');
  await page.getByRole('link', { name: 'Wire transfer' }).click();
  await page.getByRole('link', { name: 'Card' }).click();
  await page.locator('[data-field=number]').waitFor();
  expect(await email.inputValue()).toBe('ann@example.com');
  expect(await page.locator('[data-field=number]').inputValue()).toBe('');
  expect(page.url()).not.toContain('ann');
  await enterCard(page, '4000000000000002');
  const isKept = 'JSON.stringify(sessionStorage)';
  await page.getByRole('button', { name: 'Pay $399.00' }).click();
  await page.getByRole('heading', { name: 'Your payment was declined' }).waitFor();
  expect(await page.evaluate(isKept)).not.toMatch(/4000|12\/34/);
  await page.locator('[data-field=number]').waitFor();
  expect(await page.locator('[data-field=number]').inputValue()).toBe('');
  expect(await email.inputValue()).toBe('ann@example.com');
  expect(complaints).toEqual([]);
  await page.context().close();
});

test.each(['en', 'de', 'fr', 'es', 'ar', 'he', 'ja', 'zh'])(
  'expiry and security code are side by side, each label on one line, in %s',
  async (language) => {
    const { payment_url } = await invoiceFor({ name: 'N', language });
    for (const size of Object.values(SIZES)) {
      const { page } = await open(payment_url, size);
      const boxes = await Promise.all(
        ['expiry', 'cvc'].map(async (field) => {
          const input = page.locator(`[data-field=${field}]`);
          await input.waitFor();
          return {
            input: await input.boundingBox(),
            label: await page.locator('.field', { has: input }).locator('label').boundingBox(),
          };
        }),
      );
      const [expiry, code] = boxes;
      expect(expiry?.input?.y).toBe(code?.input?.y);
      for (const { label } of boxes)
        expect([language, size.width, Number(label?.height) < 32]).toEqual([language, size.width, true]);
      await page.context().close();
    }
  },
);

test('two tabs of a browser: one pays, and the other one is told, also after it is reloaded', async () => {
  const { id, payment_url } = await invoiceFor({ name: 'Northwind Traders', country: 'US' });
  const { page: first } = await open(payment_url);
  const second = await first.context().newPage();
  await second.goto(payment_url);
  for (const tab of [first, second]) await enterCard(tab, '4242 4242 4242 4242');
  await Promise.all([first, second].map((tab) => tab.getByRole('button', { name: 'Pay $399.00' }).click()));
  const thanks = 'Thank you for your payment';
  const told = new RegExp(`${thanks}|This invoice is paid|Another payment of this invoice is in progress`);
  const heads = await Promise.all(
    [first, second].map(async (tab) => {
      await tab.getByRole('heading', { level: 1, name: told }).waitFor();
      return tab.getByRole('heading', { level: 1 }).textContent();
    }),
  );
  expect(heads.filter((head) => head?.includes(thanks))).toHaveLength(1);
  for (const tab of [first, second]) {
    await tab.goto(payment_url);
    await tab.getByRole('heading', { level: 1, name: 'This invoice is paid' }).waitFor();
  }
  const payments = await api.em.execute('select 1 from payment_application where invoice_id = ?', [id]);
  expect(payments).toHaveLength(1);
  await first.context().close();
});
