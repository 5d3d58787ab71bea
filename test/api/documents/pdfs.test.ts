import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { request } from 'undici';
import { basic, startApi, type TestApi } from '../../support/api.ts';

let api: TestApi;
let customer: number;

beforeAll(async () => {
  api = await startApi();
  customer = (await api.sandbox.make('/customers', { name: 'Ann' })).id;
});
afterAll(() => api.close());

const items = [{ name: 'Support hour', quantity: 2, unit_cost: 120 }];
const invoice = () => api.sandbox.make('/invoices', { customer, items });

/** Requests a PDF by its URL, or by its path below the sandbox's base URL. */
async function pdf(address: string, headers: Record<string, string> = {}) {
  const isPublic = address.startsWith('https:');
  const url = isPublic ? address.replace('https://billing.example', api.origin) : `${api.sandbox.url}${address}`;
  const accept = isPublic ? {} : { ...basic(api.sandbox.key), Accept: 'application/pdf' };
  const answer = await fetch(url, { headers: { ...accept, ...headers } });
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
}

const kept = (id: number, type = 'invoice') =>
  api.em.execute<{ sha256: string; bytes: Buffer }[]>(
    'select * from document_pdf where account_id = ? and document_type = ? and document_id = ? order by id',
    [api.sandbox.account.id, type, id],
  );

test('an invoice is answered as PDF to clients that prefer PDF to JSON', async () => {
  const { id, number, pdf_url } = await invoice();
  const { status, headers, bytes } = await pdf(`/invoices/${id}`);
  expect(status).toBe(200);
  expect(headers.get('Content-Type')).toBe('application/pdf');
  expect(headers.get('Content-Disposition')).toBe(`inline; filename="Invoice ${number}.pdf"`);
  expect(headers.get('Request-Id')).toMatch(/^[0-9a-f-]{36}$/);
  expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
  const accepting = async (Accept: string) => (await pdf(`/invoices/${id}`, { Accept })).headers.get('Content-Type');
  expect(await accepting('application/json, application/pdf;q=0.5')).toMatch('application/json');
  expect(await accepting('*/*')).toMatch('application/json');
  expect(await accepting('text/html, application/pdf')).toBe('application/pdf');
  expect(pdf_url).toMatch(/^https:\/\/billing\.example\/documents\/\d+\/invoice\/\d+\/[0-9a-f]{32}\/pdf$/);
  const read = (await api.sandbox.get(`/invoices/${id}`)).body;
  expect([read.pdf_url, read.url]).toEqual([pdf_url, pdf_url.replace(/\/pdf$/, '')]);
});

test('its public address answers the same bytes without a key, and no other address does', async () => {
  const { id, pdf_url } = await invoice();
  const { bytes } = await pdf(`/invoices/${id}`);
  const answer = await pdf(pdf_url);
  expect([answer.status, answer.headers.get('Content-Type')]).toEqual([200, 'application/pdf']);
  expect(answer.bytes.equals(bytes)).toBe(true);
  const other = (await invoice()).pdf_url;
  const [account, token] = [api.sandbox.account.id, pdf_url.split('/').at(-2)];
  for (const wrong of [
    other.replace(/[0-9a-f]{32}/, token),
    pdf_url.replace(token, '0'.repeat(32)),
    pdf_url.replace(`/documents/${account}/`, `/documents/${api.live.account.id}/`),
    pdf_url.replace('/invoice/', '/payment/'),
    pdf_url.replace(`/invoice/${id}/`, '/invoice/4294967296/'),
    pdf_url.replace(token, ''),
    `${pdf_url}/more`,
  ]) {
    const refused = await pdf(wrong);
    expect([wrong, refused.status]).toEqual([wrong, 404]);
    expect(refused.bytes.toString()).not.toContain('%PDF-');
  }
});

test('a browser with the same version gets 304', async () => {
  const { pdf_url } = await invoice();
  const etag = (await pdf(pdf_url)).headers.get('ETag') ?? '';
  expect(etag).toMatch(/^"[0-9a-f]{64}"$/);
  const again = await request(pdf_url.replace('https://billing.example', api.origin), {
    headers: { 'If-None-Match': etag },
  });
  expect([again.statusCode, await again.body.text()]).toEqual([304, '']);
});

test('the first PDF is kept, with the same bytes for ever', async () => {
  const { id, pdf_url } = await invoice();
  const { bytes } = await pdf(pdf_url);
  const [first] = await kept(id);
  expect(first?.bytes.equals(bytes)).toBe(true);
  await api.em.execute('update document_pdf set bytes = ? where sha256 = ?', [
    Buffer.from('%PDF-first'),
    first?.sha256,
  ]);
  expect((await pdf(pdf_url)).bytes.toString()).toBe('%PDF-first');
  expect((await pdf(`/invoices/${id}`)).bytes.toString()).toBe('%PDF-first');
  expect(await kept(id)).toHaveLength(1);
});

test('simultaneous requests make the PDF once', async () => {
  const { id, pdf_url } = await invoice();
  const answers = await Promise.all(Array.from({ length: 5 }, () => pdf(pdf_url)));
  const [first, ...more] = await kept(id);
  expect(more).toEqual([]);
  expect(answers.map(({ status, bytes }) => [status, first?.bytes.equals(bytes)])).toEqual(Array(5).fill([200, true]));
});

test('printed facts decide about a new PDF: a payment makes one, metadata do not', async () => {
  const { id, pdf_url } = await invoice();
  const before = await pdf(pdf_url);
  await api.em.execute('update invoice set metadata = \'{"a": "b"}\', event_count = 9 where id = ?', [id]);
  expect((await pdf(pdf_url)).bytes.equals(before.bytes)).toBe(true);
  const applied_to = [{ type: 'invoice', invoice: id, amount: 240 }];
  const payment = await api.sandbox.make('/payments', { customer, amount: 240, applied_to });
  const paid = await pdf(pdf_url);
  expect(paid.bytes.equals(before.bytes)).toBe(false);
  expect(await kept(id)).toHaveLength(2);
  await api.sandbox.delete(`/payments/${payment.id}`);
  expect((await pdf(pdf_url)).bytes.equals(before.bytes)).toBe(true);
  expect(await kept(id)).toHaveLength(2);
});

test('a changed customer changes only drafts, whose PDFs are not kept', async () => {
  const other = (await api.sandbox.make('/customers', { name: 'Before', language: 'de', country: 'DE' })).id;
  const issued = await api.sandbox.make('/invoices', { customer: other, items });
  const draft = await api.sandbox.make('/invoices', { customer: other, items, draft: true });
  const [was, drafted] = [await pdf(issued.pdf_url), await pdf(`/invoices/${draft.id}`)];
  await api.sandbox.patch(`/customers/${other}`, { name: 'After', language: 'fr', country: 'FR' });
  expect((await pdf(issued.pdf_url)).bytes.equals(was.bytes)).toBe(true);
  const now = await pdf(`/invoices/${draft.id}`);
  expect(now.bytes.equals(drafted.bytes)).toBe(false);
  expect(now.headers.get('Content-Disposition')).toBe('inline; filename="Facture.pdf"');
  expect([(await kept(issued.id)).length, (await kept(draft.id)).length]).toEqual([1, 0]);
});

test('a deleted invoice has no PDF', async () => {
  const { id, pdf_url, url } = await invoice();
  expect((await api.sandbox.delete(`/invoices/${id}`)).status).toBe(204);
  const addresses = [`/invoices/${id}`, pdf_url, url];
  expect(await Promise.all(addresses.map(async (address) => (await pdf(address)).status))).toEqual([404, 404, 404]);
});

test('estimates and credit notes have PDFs', async () => {
  const estimate = await api.sandbox.make('/estimates', { customer, items });
  const owing = (await api.sandbox.make('/customers', { name: 'Owes nothing yet' })).id;
  const note = await api.sandbox.make('/credit_notes', { customer: owing, items });
  for (const [path, { id, number, pdf_url, url }, title] of [
    ['/estimates', estimate, 'Estimate'],
    ['/credit_notes', note, 'Credit note'],
  ]) {
    const answer = await pdf(`${path}/${id}`);
    expect(answer.headers.get('Content-Disposition')).toBe(`inline; filename="${title} ${number}.pdf"`);
    expect((await pdf(pdf_url)).bytes.equals(answer.bytes)).toBe(true);
    expect((await pdf(url)).bytes.toString()).toContain(`<h1>${title}</h1>`);
  }
  // The PDF says what the credit was used for.
  const before = await pdf(note.pdf_url);
  const paid = await api.sandbox.make('/invoices', { customer: owing, items });
  expect((await api.sandbox.get(`/credit_notes/${note.id}`)).body.balance).toBe(0); // it paid a part of an invoice of 240.00
  expect((await pdf(note.pdf_url)).bytes.equals(before.bytes)).toBe(false);
  expect((await pdf(note.url)).bytes.toString()).toContain(`Applied to: Invoice ${paid.number}`);
});

test('a payment has a receipt, also without a customer', async () => {
  const { id } = await invoice();
  const applied_to = [{ type: 'invoice', invoice: id, amount: 240 }];
  const payment = await api.sandbox.make('/payments', { customer, amount: 250, method: 'check', applied_to });
  const receipt = await pdf(`/payments/${payment.id}`);
  expect(receipt.headers.get('Content-Disposition')).toBe(`inline; filename="Receipt ${payment.receipt_number}.pdf"`);
  expect((await pdf(payment.pdf_url)).bytes.equals(receipt.bytes)).toBe(true);
  const unknown = await api.sandbox.make('/payments', { amount: 5 });
  expect((await pdf(unknown.pdf_url)).status).toBe(200);
});

test('a receipt shows the received money, not the credit that paid with it', async () => {
  const payer = (await api.sandbox.make('/customers', { name: 'Payer' })).id;
  const { id } = await api.sandbox.make('/invoices', { customer: payer, items });
  await api.sandbox.patch('/account', { apply_credits_at_issue: false });
  await api.sandbox.post('/credit_balance_adjustments', { customer: payer, amount: 20 });
  await api.sandbox.patch('/account', { apply_credits_at_issue: null });
  const applied_to = ['invoice', 'applied_credit'].map((type, at) => ({ type, invoice: id, amount: at ? 20 : 220 }));
  const payment = await api.sandbox.make('/payments', { customer: payer, amount: 240, applied_to });
  const page = async () => (await pdf(payment.pdf_url.replace(/\/pdf$/, ''))).bytes.toString();
  // 240.00 - 20.00
  expect(await page()).toMatch(/Amount received<[\s\S]*220\.00/);
});

test('receipts no longer show an anonymized customer; issued documents stay unchanged', async () => {
  const person = (await api.sandbox.make('/customers', { name: 'Eve Example', country: 'DE' })).id;
  const issued = await api.sandbox.make('/invoices', { customer: person, items });
  const applied_to = [{ type: 'invoice', invoice: issued.id, amount: 240 }];
  const payment = await api.sandbox.make('/payments', { customer: person, amount: 240, applied_to });
  const [paper, receipt] = [await pdf(issued.pdf_url), await pdf(payment.pdf_url)];
  const page = async () => (await pdf(payment.pdf_url.replace(/\/pdf$/, ''))).bytes.toString();
  expect(await page()).toContain('Eve Example');
  expect((await api.sandbox.post(`/customers/${person}/anonymize`)).status).toBe(200);
  expect(await kept(payment.id, 'payment')).toEqual([]);
  expect(await page()).not.toContain('Eve Example');
  expect((await pdf(payment.pdf_url)).bytes.equals(receipt.bytes)).toBe(false);
  expect((await pdf(issued.pdf_url)).bytes.equals(paper.bytes)).toBe(true);
});

test('an unknown document, or one of another account, has no PDF', async () => {
  const { id } = await invoice();
  expect((await pdf('/invoices/999999')).status).toBe(404);
  const foreign = { ...basic(api.live.key), Accept: 'application/pdf' };
  const answer = await fetch(`${api.live.url}/invoices/${id}`, { headers: foreign });
  expect(answer.status).toBe(404);
  expect(await answer.json()).toMatchObject({ type: 'invalid_request', message: `Invoice was not found: ${id}` });
});

test('the log does not contain addresses of document pages', async () => {
  const lines: unknown[] = [];
  const own = await startApi({
    log: { info: (line: unknown) => void lines.push(line), warn: () => undefined, error: () => undefined },
  });
  const holder = (await own.sandbox.make('/customers', { name: 'Bea' })).id;
  const { pdf_url } = (await own.sandbox.post('/invoices', { customer: holder, items })).body;
  await fetch(pdf_url.replace('https://billing.example', own.origin));
  const written = JSON.stringify(lines);
  expect(written).toContain('/documents/:account/:type/:id/:token/pdf');
  expect(written).not.toContain(pdf_url.split('/').at(-2));
  await own.close();
});
