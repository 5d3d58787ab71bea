import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { refused, startApi, type TestApi } from '../../support/api.ts';

let api: TestApi;
let customer: number;
beforeAll(async () => {
  api = await startApi();
  const bank_details = [{ currency: 'eur', account_holder: 'Acme', iban: 'DE89370400440532013000' }];
  await api.sandbox.patch('/account', { country: 'DE', currency: 'eur', footer: 'Court: Berlin', bank_details });
  customer = (await api.sandbox.make('/customers', { name: 'Ann' })).id;
});
afterAll(() => api.close());

const path = '/pdf_templates';
const columns = ['quantity', 'unit_cost', 'description', 'service_period', 'tax'];
const blocks = ['bank_details', 'payment_reference', 'qr_code', 'links', 'footer'];
const plain = { object: 'pdf_template', layout: 'classic', paper: null, columns, blocks, updated_at: null };
const items = [
  { name: 'Hour', description: 'By Bea', quantity: 3, unit_cost: 41, period_start: 1_796_083_200 },
  { name: 'Day', unit_cost: 500 },
];
const invoice = () => api.sandbox.make('/invoices', { customer, items });
const printed = async (url: string) => {
  const answer = await fetch(url.replace('https://billing.example', api.origin));
  const input = Buffer.from(await answer.arrayBuffer());
  const text = execFileSync('pdftotext', ['-layout', '-', '-'], { input, encoding: 'utf8' });
  const size = execFileSync('pdfinfo', ['-'], { input, encoding: 'utf8' }).match(/Page size: +(.*) pts/)?.[1];
  return { text, size, input };
};
const change = (fields: object) => api.sandbox.patch(`${path}/invoice`, fields);

test('each kind of paper has a template, which can be changed and returned to the default', async () => {
  const { sandbox } = api;
  const kinds = ['invoice', 'estimate', 'credit_note', 'receipt', 'statement'];
  expect((await sandbox.get(path)).body).toEqual(kinds.map((id) => ({ id, ...plain })));
  const fields = { layout: 'modern', paper: 'letter', columns: ['quantity'], blocks: ['footer'] };
  const changed = await change(fields);
  expect(changed).toMatchObject({ status: 200, body: { id: 'invoice', ...fields, updated_at: expect.any(Number) } });
  expect((await sandbox.get(`${path}/invoice`)).body).toEqual(changed.body);
  expect((await api.live.get(`${path}/invoice`)).body).toEqual({ id: 'invoice', ...plain });
  const empty = { layout: null, paper: null, columns: null, blocks: null };
  expect((await change(empty)).body).toMatchObject({ ...plain, updated_at: expect.any(Number) });
  expect((await sandbox.delete(`${path}/invoice`)).status).toBe(204);
  expect((await sandbox.get(`${path}/invoice`)).body).toEqual({ id: 'invoice', ...plain });
  expect((await sandbox.get(`${path}/letter`)).status).toBe(404);
});

test.each([
  [{ layout: 'wild' }, 'layout'],
  [{ paper: 'a5' }, 'paper'],
  [{ columns: ['quantity', 'margin'] }, 'columns[1]'],
  [{ blocks: ['photo'] }, 'blocks[0]'],
  [{ code: '#import' }, 'code'],
])('the template %j is refused', async (fields, param) => {
  expect(await change(fields)).toMatchObject(refused({ param }));
});

test.each(['classic', 'modern', 'compact'])(
  'the layout %s prints the same amounts, columns and blocks',
  async (layout) => {
    await change({ layout, paper: null, columns: null, blocks: null });
    const { text, size } = await printed((await invoice()).pdf_url);
    expect(size).toMatch(/^595\.\d+ x 841\.\d+$/); // A4
    // 3 x 41 = 123; 123 + 500 = 623
    for (const words of [
      'Hour',
      'By Bea',
      '€41.00',
      '€123.00',
      '€623.00',
      'DE89 3704 0044 0532 0130 00',
      'Reference',
      'Court: Berlin',
      'Pay online',
    ])
      expect(text).toContain(words);
  },
);

test('layouts look different', async () => {
  const { id } = await api.sandbox.make('/invoices', { customer, items, draft: true });
  const headers = { authorization: `Basic ${btoa(`${api.sandbox.key}:`)}`, accept: 'application/pdf' };
  const pdfs: string[] = [];
  for (const layout of ['classic', 'modern', 'compact']) {
    await change({ layout, columns: null, blocks: null });
    const answer = await fetch(`${api.sandbox.url}/invoices/${id}`, { headers });
    pdfs.push(Buffer.from(await answer.arrayBuffer()).toString('base64'));
  }
  expect(pdfs.map((pdf) => atob(pdf).slice(0, 5))).toEqual(['%PDF-', '%PDF-', '%PDF-']);
  expect(new Set(pdfs).size).toBe(3);
});

test('a paper leaves out columns and blocks, but neither names nor amounts', async () => {
  await change({ layout: 'classic', paper: 'letter', columns: [], blocks: [] });
  const { text, size } = await printed((await invoice()).pdf_url);
  expect(size).toBe('612 x 792 (letter)'.slice(0, 9));
  for (const words of ['Hour', '€123.00', '€623.00']) expect(text).toContain(words);
  for (const words of ['By Bea', '€41.00', 'DE89', 'Court: Berlin', 'Pay online']) expect(text).not.toContain(words);
});

test('a printed paper stays as it is when its template changes', async () => {
  await change({ layout: 'classic', columns: null, blocks: null, paper: null });
  const { pdf_url } = await invoice();
  const before = await printed(pdf_url);
  await change({ layout: 'compact', columns: ['quantity'] });
  expect((await printed(pdf_url)).input.equals(before.input)).toBe(true);
});
