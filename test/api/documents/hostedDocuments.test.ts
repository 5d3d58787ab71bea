import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createServer } from '../../../api/server.ts';
import { Overload } from '../../../billing/failures.ts';
import type { PrintedDocument } from '../../../commands/ports/ports.ts';
import { basic, startApi, type TestApi } from '../../support/api.ts';
import { rendererOf } from '../../support/printed.ts';
import { upload } from '../../support/upload.ts';

let api: TestApi;
let customer: number;

beforeAll(async () => {
  api = await startApi();
  const ann = { name: 'Ann <b>&</b> "Sons"', address1: '1 Main Street', country: 'US' };
  customer = (await api.sandbox.make('/customers', ann)).id;
});
afterAll(() => api.close());

const items = [{ name: 'Support <script>alert(1)</script>', quantity: 2, unit_cost: 120 }];
const invoice = (more: object = {}) => api.sandbox.make('/invoices', { customer, items, ...more });

async function page(url: string, init: RequestInit = {}) {
  const answer = await fetch(url.replace('https://billing.example', api.origin), init);
  return { status: answer.status, headers: answer.headers, html: await answer.text() };
}

test('anyone with the address of an invoice sees it and a link to its PDF', async () => {
  const { url, number } = await invoice();
  const { status, headers, html } = await page(url);
  expect([status, headers.get('Content-Type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(html).toContain('<html lang="en" dir="ltr">');
  expect(html).toContain(`<title>Invoice ${number} · Acme</title>`);
  expect(html).toContain('<strong>$240.00</strong>'); // 2 x 120
  expect(html).toContain(`<a class="button plain" href="${new URL(url).pathname}/pdf">Download PDF</a>`);
  expect(html).toContain('This is a test document');
});

test('text of people is shown as text', async () => {
  const { url } = await invoice({ notes: '</p><script>alert(2)</script>' });
  const { html } = await page(url);
  expect(html).toContain('Ann &lt;b&gt;&amp;&lt;/b&gt; &quot;Sons&quot;');
  expect(html).toContain('Support &lt;script&gt;alert(1)&lt;/script&gt;');
  expect(html).not.toContain('<script');
});

test('the page loads and runs nothing, cannot be framed, and is hidden from search engines', async () => {
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

test("the page is in the customer's language", async () => {
  const german = { name: 'Käufer', language: 'de', country: 'DE' };
  const { id } = await api.sandbox.make('/customers', german);
  const { html } = await page((await invoice({ customer: id, currency: 'eur' })).url);
  expect(html).toContain('<html lang="de" dir="ltr">');
  expect(html.replaceAll('\u00a0', ' ')).toContain('<strong>240,00 €</strong>');
  const hebrew = (await api.sandbox.make('/customers', { name: 'כהן', language: 'he' })).id;
  expect((await page((await invoice({ customer: hebrew })).url)).html).toContain('<html lang="he" dir="rtl">');
});

test('the page marks a voided and a paid document', async () => {
  const { id, url } = await invoice();
  await api.sandbox.post(`/invoices/${id}/void`);
  expect((await page(url)).html).toContain('<p class="mark bad">VOID</p>');
  const paid = await invoice();
  const applied_to = [{ type: 'invoice', invoice: paid.id, amount: 240 }];
  await api.sandbox.post('/payments', { customer, amount: 240, applied_to });
  expect((await page(paid.url)).html).toContain('<p class="mark good">PAID</p>');
});

test("an unknown address is answered with a page in the reader's language", async () => {
  const { url } = await invoice();
  const wrong = url.replace(/[0-9a-f]{32}$/, '0'.repeat(32));
  for (const address of [wrong, `${url}/`, url.replace('/invoice/', '/subscription/')]) {
    const { status, headers, html } = await page(address);
    expect([address, status, headers.get('Content-Type')]).toEqual([address, 404, 'text/html; charset=utf-8']);
    expect(html).toContain('There is no such document');
    expect([address, html.includes('Acme')]).toEqual([address, address === wrong]); // which the open portal names, too
  }
  const german = await page(wrong, { headers: { 'Accept-Language': 'nl, de-AT;q=0.8, en;q=0.5' } });
  expect(german.html).toContain('Dieses Dokument gibt es nicht');
});

test('HEAD is answered without a body', async () => {
  const { url } = await invoice();
  const { status, headers, html } = await page(url, { method: 'HEAD' });
  expect([status, headers.get('Content-Type'), html]).toEqual([200, 'text/html; charset=utf-8', '']);
});

test('the page and its PDF need few statements', async () => {
  const { url, pdf_url } = await invoice();
  await page(pdf_url);
  // the visitor's count; account; invoice with customer; lines; for the page attachments, for the PDF the stored PDF
  expect(await api.statements(() => page(url))).toHaveLength(5);
  expect(await api.statements(() => page(pdf_url))).toHaveLength(5);
});

test("page and PDF show the parent's details as of issue when the parent is billed", async () => {
  const details = {
    address1: '9 Head Office',
    city: 'Leeds',
    tax_id: 'GB 123',
    attention_to: 'Accounts',
  };
  const parent = (await api.sandbox.make('/customers', { name: 'Parent plc', language: 'fr', ...details })).id;
  const own = { name: 'Child Ltd', address1: '1 Branch Road', tax_id: 'GB 999', number: 'CH-7', language: 'en' };
  const child = { ...own, parent_customer: parent, bill_to_parent: true };
  const { id } = await api.sandbox.make('/customers', child);
  const printed: PrintedDocument[] = [];
  const render = async (document: PrintedDocument) => {
    printed.push(document);
    return api.deps.pdf.render(document);
  };
  const server = createServer({ ...api.deps, pdf: rendererOf(render) });
  const origin = `http://127.0.0.1:${await server.listen(0, '127.0.0.1')}`;
  const billTo = async ({ url, pdf_url }: { url: string; pdf_url: string }) => {
    const at = (address: string) => fetch(address.replace('https://billing.example', origin), from('198.51.100.11'));
    const [, onPage] = /<h2>Bill to<\/h2><address>(.*?)<\/address>/.exec(await (await at(url)).text()) ?? [];
    expect((await at(pdf_url)).status).toBe(200);
    const [party] = printed.at(-1)?.parties ?? [];
    return { onPage, party };
  };
  const lines = ['Attn: Accounts', '9 Head Office', 'Leeds', 'Tax ID GB 123'];
  const ofParent = { label: 'Bill to', name: 'Parent plc', lines };
  const onPage = `<strong>Parent plc</strong>${lines.join('<br>')}`;
  for (const path of ['invoices', 'estimates', 'credit_notes']) {
    const issued = (await api.sandbox.post(`/${path}`, { customer: id, items })).body;
    expect(await billTo(issued)).toEqual({ onPage, party: ofParent });
    await api.sandbox.patch(`/customers/${parent}`, { name: 'Other plc' });
    await api.sandbox.patch(`/customers/${id}`, { bill_to_parent: false });
    expect((await billTo(issued)).onPage).toBe(onPage);
    const later = (await api.sandbox.post(`/${path}`, { customer: id, items })).body;
    expect((await billTo(later)).party).toMatchObject({ name: 'Child Ltd', lines: ['1 Branch Road', 'Tax ID GB 999'] });
    await api.sandbox.patch(`/customers/${parent}`, { name: 'Parent plc' });
    await api.sandbox.patch(`/customers/${id}`, { bill_to_parent: true });
  }
  // A draft shows the party billed if issued now, the parent, in the child's language.
  const draft = await api.sandbox.make('/invoices', { customer: id, items, draft: true });
  const headers = { ...basic(api.sandbox.key), Accept: 'application/pdf' };
  await fetch(`${origin}/sandbox/api/invoices/${draft.id}`, { headers });
  expect(printed.at(-1)).toMatchObject({ language: 'en', mark: { text: 'DRAFT' }, parties: [ofParent] });
  await server.close();
});

/** A request with another client address, as a proxy forwards it. */
const from = (address: string) => ({ headers: { 'X-Forwarded-For': address } });

test('pages, PDFs, files and pictures are limited per address over all processes; other addresses are not affected', async () => {
  const { url, pdf_url } = await invoice();
  const file = (await upload(api.sandbox, [{ name: 'file', filename: 'a.txt', content: 'a' }])).body;
  const first = await Promise.all([url, pdf_url, file.url].map((address) => page(address, from('198.51.100.7'))));
  expect(first.map(({ status }) => status)).toEqual([200, 200, 200]);
  const counts = () => api.em.fork().execute<{ count: number }[]>('select count from throttle order by count');
  expect((await counts()).map(({ count }) => count)).toEqual(expect.arrayContaining([1, 2])); // one file; one page and one PDF
  await api.em.fork().execute('update throttle set count = 300 where count <= 2');
  for (const address of [url, pdf_url, `${url}0`]) {
    const refused = await page(address, { headers: { ...from('198.51.100.7').headers, 'Accept-Language': 'de' } });
    expect([address, refused.status]).toEqual([address, 429]);
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(50);
    expect(refused.html).toContain('Bitte versuchen Sie es gleich noch einmal');
  }
  const refused = await page(file.url, from('198.51.100.7'));
  expect([refused.status, JSON.parse(refused.html).type]).toEqual([429, 'invalid_request']);
  // An address that is known to be over the limit costs no statement.
  expect(await api.statements(() => page(url, from('198.51.100.7')))).toEqual([]);
  expect((await page(url, from('198.51.100.8'))).status).toBe(200);
  // Addresses of one IPv6 network count as one.
  for (const address of ['2001:db8:1:2::1', '2001:db8:1:2::2']) await page(url, from(address));
  expect((await counts()).map(({ count }) => count)).toContain(2);
});

test('answers from one address have their own limit; its pictures are still shown, but no longer counted', async () => {
  const { url } = await api.sandbox.make('/estimates', { customer, items });
  const say = () => page(`${url}/answer`, { method: 'POST', body: new URLSearchParams(), ...from('198.51.100.9') });
  expect((await say()).status).toBe(400);
  const picture = () => page(`https://billing.example/opened/1/${'a'.repeat(32)}.gif`, from('198.51.100.9'));
  expect((await picture()).status).toBe(200);
  await api.em.fork().execute('update throttle set count = 600');
  const refused = await say();
  expect([refused.status, Number(refused.headers.get('Retry-After')) > 500]).toEqual([429, true]);
  expect((await picture()).status).toBe(200);
  expect((await api.statements(picture)).filter((text) => text.includes('email'))).toEqual([]);
  expect(api.faults).toEqual([]);
});

test('readers and the API are asked to retry when too many PDFs are being made', async () => {
  const render = () => Promise.reject(new Overload('Too many PDFs are being made; try again'));
  const server = createServer({ ...api.deps, pdf: rendererOf(render) });
  const origin = `http://127.0.0.1:${await server.listen(0, '127.0.0.1')}`;
  const { id, pdf_url } = await invoice();
  const busy = await fetch(pdf_url.replace('https://billing.example', origin), from('198.51.100.10'));
  expect([busy.status, busy.headers.get('Retry-After')]).toEqual([503, '5']);
  expect(await busy.text()).toContain('Please try again in a moment');
  const headers = { ...basic(api.sandbox.key), Accept: 'application/pdf' };
  const asked = await fetch(`${origin}/sandbox/api/invoices/${id}`, { headers });
  expect([asked.status, asked.headers.get('Retry-After')]).toEqual([429, '1']);
  await server.close();
});
