import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startApi, type TestApi } from '../support/api.ts';

let api: TestApi;
let customer: number;

beforeAll(async () => {
  api = await startApi();
  const ann = { name: 'Ann <b>&</b> "Sons"', address1: '1 Main Street', country: 'US' };
  customer = (await api.sandbox.post('/customers', ann)).body.id;
});
afterAll(() => api.close());

const items = [{ name: 'Support <script>alert(1)</script>', quantity: 2, unit_cost: 120 }];
const invoice = async (more: object = {}) => (await api.sandbox.post('/invoices', { customer, items, ...more })).body;

async function page(url: string, init: RequestInit = {}) {
  const answer = await fetch(url.replace('https://billing.example', api.origin), init);
  return { status: answer.status, headers: answer.headers, html: await answer.text() };
}

test('whoever has the address of an invoice sees it, and the way to its PDF', async () => {
  const { url, number } = await invoice();
  const { status, headers, html } = await page(url);
  expect([status, headers.get('Content-Type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(html).toContain('<html lang="en" dir="ltr">');
  expect(html).toContain(`<title>Invoice ${number} · Acme</title>`);
  expect(html).toContain('<strong>$240.00</strong>'); // 2 x 120
  expect(html).toContain(`<a class="button" href="${new URL(url).pathname}/pdf">Download PDF</a>`);
  expect(html).toContain('This is a test document');
});

test('what people wrote is text on it', async () => {
  const { url } = await invoice({ notes: '</p><script>alert(2)</script>' });
  const { html } = await page(url);
  expect(html).toContain('Ann &lt;b&gt;&amp;&lt;/b&gt; &quot;Sons&quot;');
  expect(html).toContain('Support &lt;script&gt;alert(1)&lt;/script&gt;');
  expect(html).not.toContain('<script');
});

test('it may load nothing, run nothing, be in no frame, and search engines leave it alone', async () => {
  const { headers, html } = await page((await invoice()).url);
  const style = /<style>([\s\S]*)<\/style>/.exec(html)?.[1] ?? '';
  const hash = createHash('sha256').update(style).digest('base64');
  expect(headers.get('Content-Security-Policy')).toBe(
    `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  );
  expect(headers.get('X-Robots-Tag')).toBe('noindex, nofollow');
  expect(headers.get('Referrer-Policy')).toBe('no-referrer');
  expect(headers.get('Cache-Control')).toBe('no-store');
  expect(html).not.toMatch(/ style="/);
});

test('the reader’s language is that of the customer', async () => {
  const german = { name: 'Käufer', language: 'de', country: 'DE' };
  const { id } = (await api.sandbox.post('/customers', german)).body;
  const { html } = await page((await invoice({ customer: id, currency: 'eur' })).url);
  expect(html).toContain('<html lang="de" dir="ltr">');
  expect(html.replaceAll('\u00a0', ' ')).toContain('<strong>240,00 €</strong>');
  const hebrew = (await api.sandbox.post('/customers', { name: 'כהן', language: 'he' })).body.id;
  expect((await page((await invoice({ customer: hebrew })).url)).html).toContain('<html lang="he" dir="rtl">');
});

test('what has happened to it is marked', async () => {
  const { id, url } = await invoice();
  await api.sandbox.post(`/invoices/${id}/void`);
  expect((await page(url)).html).toContain('<p class="mark bad">VOID</p>');
  const paid = await invoice();
  const applied_to = [{ type: 'invoice', invoice: paid.id, amount: 240 }];
  await api.sandbox.post('/payments', { customer, amount: 240, applied_to });
  expect((await page(paid.url)).html).toContain('<p class="mark good">PAID</p>');
});

test('an address that leads nowhere says so, to people, in their language', async () => {
  const { url } = await invoice();
  const wrong = url.replace(/[0-9a-f]{32}$/, '0'.repeat(32));
  for (const address of [wrong, `${url}/`, url.replace('/invoice/', '/subscription/')]) {
    const { status, headers, html } = await page(address);
    expect([address, status, headers.get('Content-Type')]).toEqual([address, 404, 'text/html; charset=utf-8']);
    expect(html).toContain('There is no such document');
    expect(html).not.toContain('Acme');
  }
  const german = await page(wrong, { headers: { 'Accept-Language': 'nl, de-AT;q=0.8, en;q=0.5' } });
  expect(german.html).toContain('Dieses Dokument gibt es nicht');
});

test('a question about it without its body has none', async () => {
  const { url } = await invoice();
  const { status, headers, html } = await page(url, { method: 'HEAD' });
  expect([status, headers.get('Content-Type'), html]).toEqual([200, 'text/html; charset=utf-8', '']);
});

test('the page and its PDF cost few statements', async () => {
  const { url, pdf_url } = await invoice();
  await page(pdf_url);
  // account; invoice with customer; lines; and for the PDF the kept one
  expect(await api.statements(() => page(url))).toHaveLength(3);
  expect(await api.statements(() => page(pdf_url))).toHaveLength(4);
});
