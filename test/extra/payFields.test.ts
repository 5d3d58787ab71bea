import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { accessibilityFaults } from '../support/accessibility.ts';
import type { TestApi } from '../support/api.ts';
import { enterCard, openPage, SELLER, SIZES, type Site, startSite } from '../support/browser.ts';
import { until } from '../support/wait.ts';

/** The fields of the pay page: what they make of what is typed, the amount on the button, and the panel for transfers. */

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

const open = (url: string) => openPage(browser, url);

test('the fields group digits, name the brand, and each says what is wrong with it', async () => {
  const { payment_url } = await invoiceFor({ name: 'Northwind Traders', country: 'US' });
  const { page } = await open(payment_url);
  const field = (id: string) => page.locator(`[data-field=${id}]`);
  await field('number').pressSequentially('378282246310005');
  await field('expiry').pressSequentially('120');
  await field('cvc').pressSequentially('123');
  expect(await field('number').inputValue()).toBe('3782 822463 10005');
  expect(await page.getByText('American Express', { exact: true }).isVisible()).toBe(true);
  await page.getByRole('button', { name: 'Pay $399.00' }).click();
  const told = () => page.locator('.mounted .error').allTextContents();
  expect(await told()).toEqual(['', 'Please enter month and year, such as 08/31.', 'This number has 4 digits.']);
  await field('number').fill('');
  await field('number').pressSequentially('4242424242424241');
  await field('expiry').fill('');
  await field('expiry').pressSequentially('1/20');
  expect(await field('expiry').inputValue()).toBe('01/20');
  await page.getByRole('button', { name: 'Pay $399.00' }).click();
  const typo = 'This number has a typo. Please compare it once more.';
  expect(await told()).toEqual([typo, 'This date has passed. Please use another card.', '']);
  expect(await accessibilityFaults(page)).toEqual([]);
  // A digit in the middle stays where it was typed.
  await field('number').fill('424242');
  const input = "document.querySelector('[data-field=number]')";
  await page.evaluate(`${input}.setSelectionRange(2, 2)`);
  await page.keyboard.type('1');
  expect(await field('number').inputValue()).toBe('4214 242');
  expect(await page.evaluate(`${input}.selectionStart`)).toBe(3);
  await page.context().close();
});

test('Mastercard is named by its range alone, and a keyboard that composes digits keeps those that it works on', async () => {
  const { payment_url } = await invoiceFor({ name: 'Northwind Traders', country: 'US' });
  const { page } = await open(payment_url);
  const number = page.locator('[data-field=number]');
  const brand = () => page.locator('.held .brand').textContent();
  for (const [first, name] of [
    ['2221', 'Mastercard'],
    ['2720', 'Mastercard'],
    ['2220', ''],
    ['2721', ''],
    ['5555', 'Mastercard'],
  ] as const) {
    await number.fill(first);
    expect([first, await brand()]).toEqual([first, name]);
  }
  await number.fill('');
  const devtools = await page.context().newCDPSession(page);
  const composed = '\uff14\uff12\uff14\uff12\uff14'; // full-width digits
  await devtools.send('Input.imeSetComposition', { text: composed, selectionStart: 5, selectionEnd: 5 });
  expect(await number.inputValue()).toBe(composed);
  await devtools.send('Input.insertText', { text: composed });
  expect([await number.inputValue(), await brand()]).toEqual(['4242 4', 'Visa']);
  await page.context().close();
});

test.each([
  ['eur', { iban: 'DE66 1100 0000 0123 4567 89' }],
  ['gbp', { routing_number: '11-00-00', account_number: '12345678' }],
  ['aud', { routing_number: '110-000', account_number: '12345678' }],
  ['cad', { routing_number: '11000-000', account_number: '12345678' }],
])('a bank account in %s is entered as its payers know it', async (currency, numbers) => {
  const { payment_url } = await invoiceFor({ name: 'Northwind Traders' }, { currency });
  const { page, complaints } = await open(`${payment_url}?method=ach`);
  for (const [id, text] of Object.entries(numbers)) {
    await page.locator(`[data-field=${id}]`).pressSequentially(text.replaceAll(/\W/g, ''));
    expect(await page.locator(`[data-field=${id}]`).inputValue()).toBe(text);
  }
  expect(await page.locator('[data-field]').count()).toBe(Object.keys(numbers).length);
  await page.locator('.pay > .primary').click();
  await page.getByRole('heading', { name: 'Thank you for your payment' }).waitFor();
  expect(complaints).toEqual([]);
  await page.context().close();
});

test('the button names the amount as it is typed, and after a part the page says what is left', async () => {
  await api.sandbox.patch('/account', { partial_payments: true });
  const { payment_url } = await invoiceFor({ name: 'Northwind Traders', country: 'US' });
  const { page } = await open(payment_url);
  for (const [typed, name] of [
    ['', 'Pay \u2026'],
    ['399', 'Pay $399.00'],
    ['x', 'Pay \u2026'],
  ] as const) {
    await page.locator('[name=amount]').fill(typed);
    expect(await page.locator('.pay > .primary').textContent()).toBe(name);
  }
  await page.locator('[name=amount]').fill('40.5');
  await enterCard(page, '4242424242424242');
  await page.getByRole('button', { name: 'Pay $40.50' }).click();
  await page.getByText('$358.50 of this invoice is left to pay.').waitFor();
  await page.getByRole('link', { name: 'Pay the rest' }).click();
  await page.getByRole('button', { name: 'Pay $358.50' }).waitFor();
  await api.sandbox.patch('/account', { partial_payments: null });
  await page.context().close();
});

test('without a script a transfer shows account, reference, amount and code, and the copy buttons are left out', async () => {
  const iban = 'DE66110000000123456789';
  await api.sandbox.patch('/account', { bank_details: [{ currency: 'eur', iban }] });
  const { payment_url, number } = await invoiceFor({ name: 'Northwind Traders' }, { currency: 'eur' });
  const url = `${payment_url}?method=wire_transfer`;
  for (const javaScriptEnabled of [true, false]) {
    const context = await browser.newContext({ viewport: SIZES.phone, javaScriptEnabled });
    if (javaScriptEnabled) await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const page = await context.newPage();
    await page.goto(url);
    for (const text of ['DE66 1100 0000 0123 4567 89', number, '€399.00'])
      expect(await page.locator('.transfer').getByText(text).isVisible()).toBe(true);
    expect(await page.locator('.code img').isVisible()).toBe(true);
    const copy = page.getByRole('button', { name: 'Copy IBAN' });
    expect(await copy.isVisible()).toBe(javaScriptEnabled);
    if (javaScriptEnabled) {
      await page.emulateMedia({ media: 'print' });
      expect(await page.locator('.transfer').getByText(number).isVisible()).toBe(true);
      expect(await copy.isVisible()).toBe(false);
      await page.emulateMedia({ media: 'screen' });
      await page.evaluate("navigator.clipboard.writeText = () => Promise.reject(new Error('forbidden'))");
      await copy.click();
      await until(async () => (await page.evaluate('String(getSelection())')) === 'DE66 1100 0000 0123 4567 89', {
        what: 'the selected value',
      });
      expect(await copy.isVisible()).toBe(true);
      await page.evaluate('delete navigator.clipboard.writeText');
      await copy.click();
      await page.getByRole('button', { name: 'Copied' }).waitFor();
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(iban);
      expect(await accessibilityFaults(page)).toEqual([]);
    }
    await context.close();
  }
});
