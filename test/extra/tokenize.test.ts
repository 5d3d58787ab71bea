import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import type { TestApi } from '../support/api.ts';
import { type OtherSite, SIZES, type Site, startOtherSite, startSite } from '../support/browser.ts';

/** A web page of another origin that mounts the fields of the test gateway by a publishable key. */

let site: Site;
let api: TestApi;
let browser: Browser;
let shop: OtherSite;
let key: string;
let customer: number;

beforeAll(async () => {
  site = await startSite();
  ({ api, browser } = site);
  shop = await startOtherSite(
    ({ searchParams }) => `<!doctype html><html lang="${searchParams.get('lang')}"><title>Shop</title>
<form id="form"><div id="fields"></div><button>Pay</button><output id="out"></output></form>
<script src="${site.origin}/js/tokenize.js"></script>
<script>
const out = document.getElementById('out');
const options = { publishableKey: '${searchParams.get('key')}', method: '${searchParams.get('method')}', currency: 'usd' };
const mounted = Perennial.mount('#fields', options).catch((error) => { out.textContent = 'not mounted: ' + error.message; });
document.getElementById('form').addEventListener('submit', async (event) => {
  event.preventDefault();
  try { out.textContent = JSON.stringify(await (await mounted).tokenize()); }
  catch (error) { out.textContent = error.name + ': ' + error.message; }
});
</script></html>`,
  );
  key = (await api.sandbox.make('/api_keys', { name: 'Shop', kind: 'publishable' })).key;
  customer = (await api.sandbox.make('/customers', { name: 'Payer' })).id;
});
afterAll(async () => {
  await site?.close();
  await shop?.close();
});

/** `sent`: addresses and bodies of requests to other servers than the shop. */
async function open(
  method: string,
  lang: string,
  by = key,
): Promise<{ page: Page; sent: string[]; complaints: string[] }> {
  const page = await (await browser.newContext({ viewport: SIZES.phone })).newPage();
  const sent: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => void sent.push(`${request.url()} ${request.postData() ?? ''}`));
  page.on('pageerror', (error) => void complaints.push(error.message));
  await page.goto(`${shop.origin}/?method=${method}&lang=${lang}&key=${by}`);
  return { page, sent, complaints };
}

const output = async (page: Page): Promise<string> => {
  await page.waitForFunction("document.getElementById('out').textContent !== ''");
  return (await page.textContent('#out')) ?? '';
};

test('a card is entered by keyboard alone and becomes a service token, which pays', async () => {
  const { page, sent, complaints } = await open('credit_card', 'en');
  await page.getByLabel('Card number').focus();
  await page.keyboard.type('4242 4242 4242 4242');
  await page.keyboard.press('Tab');
  await page.keyboard.type('12/34');
  await page.keyboard.press('Tab');
  await page.keyboard.type('123');
  await page.keyboard.press('Enter');
  const token = JSON.parse(await output(page));
  expect(token).toMatchObject({ object: 'service_token', brand: 'Visa', funding: 'credit', last4: '4242' });
  const charge = { customer, method: 'credit_card', amount: 10, applied_to: [], service_token: token.id };
  expect((await api.sandbox.post('/charges', charge)).status).toBe(201);
  const told = sent.filter((one) => one.includes('4242424242424242') && !one.includes('"gateway_token"'));
  expect(told.map((one) => one.split(' ')[0])).toEqual([`${api.deps.publicUrl}/sandbox/api/test_gateway/tokens`]);
  expect(complaints).toEqual([]);
});

test('a bank account becomes a service token', async () => {
  const { page } = await open('ach', 'de');
  await page.getByLabel('Bankleitzahl').fill('110000000');
  await page.getByLabel('Kontonummer').fill('000123456789');
  await page.keyboard.press('Enter');
  expect(JSON.parse(await output(page))).toMatchObject({ type: 'bank_account', last4: '6789' });
});

test.each([
  ['en', 'Card number', 'This number is not complete.'],
  ['ar', 'رقم البطاقة', 'هذا الرقم غير مكتمل.'],
  ['ja', 'カード番号', 'この番号は途中までです。'],
])('in %s, a malformed field is focused, and its error is read aloud', async (lang, label, message) => {
  const { page } = await open('credit_card', lang);
  const number = page.getByLabel(label);
  await number.fill('4242');
  await page.getByRole('button').click();
  expect(await output(page)).toBe(`FieldError: ${message}`);
  expect(await page.evaluate("document.activeElement.getAttribute('data-field')")).toBe('number');
  expect(await number.getAttribute('aria-invalid')).toBe('true');
  const described = await number.getAttribute('aria-describedby');
  expect(await page.textContent(`#${described}[role=alert]`)).toBe(message);
});

test('a number that the gateway does not know is refused at its field', async () => {
  const { page } = await open('credit_card', 'en');
  await page.getByLabel('Card number').fill('4111111111111111');
  await page.getByLabel('Expiry').fill('1/35');
  await page.getByLabel('Security code').fill('123');
  await page.getByRole('button').click();
  expect(await output(page)).toContain('FieldError: This was not accepted.');
  expect(await page.evaluate("document.activeElement.getAttribute('data-field')")).toBe('number');
});

test('a wrong key mounts nothing', async () => {
  const { page } = await open('credit_card', 'en', 'pk_test_wrong');
  expect(await output(page)).toContain('not mounted: API key is not valid');
});
