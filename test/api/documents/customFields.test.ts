import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startApi, type TestApi } from '../../support/api.ts';
import { readPdf } from '../../support/readPdf.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
  await api.sandbox.patch('/account', { country: 'DE', currency: 'eur' });
});
afterAll(async () => {
  expect(api.faults).toEqual([]);
  await api.close();
});

const define = (object: string, id: string, name: string, more: object = {}) =>
  api.sandbox.make('/custom_fields', { object, id, name, external: true, ...more });
const at = (url: string) => url.replace('https://billing.example', api.origin);
const pdfOf = async ({ pdf_url }: { pdf_url: string }) => Buffer.from(await (await fetch(at(pdf_url))).arrayBuffer());
const pageOf = async ({ url }: { url: string }) => (await fetch(at(url))).text();
/** The text of a PDF in one line, without marks of direction. */
const textOf = async (pdf: Buffer) => (await readPdf(pdf)).text.replace(/[\u2066-\u2069]/g, '').replace(/\s+/g, ' ');

const items = [{ name: 'Work', unit_cost: 100 }];

test('papers and pages show external fields of the document and its customer, in its language', async () => {
  const { sandbox } = api;
  await define('customer', 'centre', 'Kostenstelle');
  await define('customer', 'internal', 'Hidden', { external: false });
  for (const object of ['invoice', 'estimate', 'credit_note']) {
    await define(object, 'start', 'Projektbeginn', { type: 'date' });
    await define(object, 'urgent', 'Eilig', { type: 'boolean' });
    await define(object, 'hours', 'Stunden', { type: 'double' });
    await define(object, 'budget', 'Budget', { type: 'money' });
  }
  const ofCustomer = { centre: 'K-17 <b>', internal: 'secret' };
  const { id: customer } = await sandbox.make('/customers', { name: 'Ann', language: 'de', metadata: ofCustomer });
  const metadata = { start: '2027-03-01', urgent: true, hours: 1234.5, budget: 2500, unnamed: 'unshown' };
  for (const path of ['/invoices', '/estimates', '/credit_notes']) {
    const document = await sandbox.make(path, { customer, items, metadata });
    const text = await textOf(await pdfOf(document));
    for (const fact of [
      'Projektbeginn 1. März 2027',
      'Eilig Ja',
      'Stunden 1.234,5',
      'Budget 2.500,00 €',
      'Kostenstelle K-17 <b>',
    ])
      expect([path, text]).toEqual([path, expect.stringContaining(fact)]);
    expect(text).not.toMatch(/secret|unshown/);
    const page = await pageOf(document);
    expect(page).toContain('1. März 2027');
    expect(page).toContain('K-17 &lt;b&gt;');
    expect(page).not.toMatch(/secret|unshown/);
  }
});

test('an issued document keeps the fields of its customer, and follows its own', async () => {
  const { sandbox } = api;
  await define('customer', 'branch', 'Branch');
  await define('invoice', 'phase', 'Phase', { type: 'integer' });
  const customer = await sandbox.make('/customers', { name: 'Bob', metadata: { branch: 'Old branch' } });
  const invoice = await sandbox.make('/invoices', { customer: customer.id, items, metadata: { phase: 1 } });
  const first = await pdfOf(invoice);
  expect(await textOf(first)).toMatch(/Phase 1 Branch Old branch/);
  await sandbox.patch(`/customers/${customer.id}`, { metadata: { branch: 'New branch' } });
  // Nothing that is printed changed: the bytes are those of the first time.
  expect((await pdfOf(invoice)).equals(first)).toBe(true);
  await sandbox.patch(`/invoices/${invoice.id}`, { metadata: { phase: 2 } });
  expect(await textOf(await pdfOf(invoice))).toMatch(/Phase 2 Branch Old branch/);
  const next = await sandbox.make('/invoices', { customer: customer.id, items });
  expect(await textOf(await pdfOf(next))).toMatch(/Branch New branch/);
});

test('a document without such fields has the bytes that it had before there were any', async () => {
  const { sandbox } = api;
  const { id: customer } = await sandbox.make('/customers', { name: 'Cyd', metadata: { later: 'x' } });
  const invoice = await sandbox.make('/invoices', { customer, items, metadata: { other: 'y' } });
  const first = await pdfOf(invoice);
  await define('customer', 'later', 'Later');
  await define('invoice', 'elsewhere', 'Elsewhere');
  expect((await pdfOf(invoice)).equals(first)).toBe(true);
});

test('a value from before the field, which does not fit it, is shown as it is; without a value nothing is', async () => {
  const { sandbox } = api;
  const { id: customer } = await sandbox.make('/customers', { name: 'Dee' });
  const metadata = { due: 'soon', empty: '' };
  const invoice = await sandbox.make('/invoices', { customer, items, metadata });
  await define('invoice', 'due', 'Delivery', { type: 'date' });
  await define('invoice', 'empty', 'Blank');
  const text = await textOf(await pdfOf(invoice));
  expect(text).toContain('Delivery soon');
  expect(text).not.toContain('Blank');
});
