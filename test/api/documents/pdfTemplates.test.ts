import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { refused, startApi, type TestApi } from '../../support/api.ts';
import { readPdf } from '../../support/readPdf.ts';

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
const plain = { object: 'pdf_template', name: null, layout: 'classic', paper: null, columns, blocks, updated_at: null };
const partsOfKinds = [
  { id: 'invoice', columns, blocks },
  { id: 'estimate', columns, blocks: ['links', 'footer'] },
  { id: 'credit_note', columns, blocks: ['links', 'footer'] },
  { id: 'receipt', columns: [], blocks: ['links', 'footer'] },
  { id: 'statement', columns: [], blocks },
];
const items = [
  { name: 'Hour', description: 'By Bea', quantity: 3, unit_cost: 41, period_start: 1_796_083_200 },
  { name: 'Day', unit_cost: 500 },
];
const invoice = () => api.sandbox.make('/invoices', { customer, items });
const basic = () => ({ authorization: `Basic ${btoa(`${api.sandbox.key}:`)}`, accept: 'application/pdf' });
const printed = async (url: string) => {
  const answer = await fetch(url.replace('https://billing.example', api.origin), { headers: basic() });
  const input = Buffer.from(await answer.arrayBuffer());
  const { text, size } = await readPdf(input);
  return { text, size, input };
};
const change = (fields: object) => api.sandbox.patch(`${path}/invoice`, fields);

test('each kind of paper has a template, which can be changed and returned to the default', async () => {
  const { sandbox } = api;
  expect((await sandbox.get(path)).body).toEqual(partsOfKinds.map((one) => ({ ...plain, ...one, kind: one.id })));
  const fields = { layout: 'modern', paper: 'letter', columns: ['quantity'], blocks: ['footer'] };
  const changed = await change(fields);
  expect(changed).toMatchObject({ status: 200, body: { id: 'invoice', ...fields, updated_at: expect.any(Number) } });
  expect((await sandbox.get(`${path}/invoice`)).body).toEqual(changed.body);
  expect((await api.live.get(`${path}/invoice`)).body).toEqual({ id: 'invoice', kind: 'invoice', ...plain });
  const empty = { layout: null, paper: null, columns: null, blocks: null };
  expect((await change(empty)).body).toMatchObject({ ...plain, updated_at: expect.any(Number) });
  expect((await sandbox.delete(`${path}/invoice`)).status).toBe(204);
  expect((await sandbox.get(`${path}/invoice`)).body).toEqual({ id: 'invoice', kind: 'invoice', ...plain });
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
    expect(size.map(Math.floor)).toEqual([595, 841]); // A4: 210 mm x 297 mm
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
  const pdfs: string[] = [];
  for (const layout of ['classic', 'modern', 'compact']) {
    await change({ layout, columns: null, blocks: null });
    const answer = await fetch(`${api.sandbox.url}/invoices/${id}`, { headers: basic() });
    pdfs.push(Buffer.from(await answer.arrayBuffer()).toString('base64'));
  }
  expect(pdfs.map((pdf) => atob(pdf).slice(0, 5))).toEqual(['%PDF-', '%PDF-', '%PDF-']);
  expect(new Set(pdfs).size).toBe(3);
});

test('a paper leaves out columns and blocks, but neither names nor amounts', async () => {
  await change({ layout: 'classic', paper: 'letter', columns: [], blocks: [] });
  const { text, size } = await printed((await invoice()).pdf_url);
  expect(size).toEqual([612, 792]); // letter: 8.5 x 11 inches of 72 points
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

test('an invoice that is paid is rendered anew with the template of that time', async () => {
  await change({ layout: 'classic', columns: null, blocks: null, paper: null });
  const payer = (await api.sandbox.make('/customers', { name: 'Di' })).id;
  const { id, pdf_url } = await api.sandbox.make('/invoices', { customer: payer, items });
  expect((await printed(pdf_url)).text).toContain('€41.00');
  await change({ columns: ['quantity'] });
  const applied_to = [{ type: 'invoice', invoice: id, amount: 623 }]; // 3 x 41 + 500
  await api.sandbox.make('/payments', { customer: payer, amount: 623, method: 'cash', applied_to });
  const { text } = await printed(pdf_url);
  expect(text).toContain('Payment of'); // the row of the payment
  expect(text).not.toContain('€41.00');
});

test.each(partsOfKinds)('a paper of the kind $id refuses columns and blocks that it does not have', async (kind) => {
  const one = `${path}/${kind.id}`;
  expect((await api.sandbox.patch(one, { columns: kind.columns, blocks: kind.blocks })).body).toMatchObject(kind);
  for (const column of columns.filter((name) => !kind.columns.includes(name))) {
    const message = `A paper of the kind ${kind.id} has no column ${column} that can be left out`;
    expect(await api.sandbox.patch(one, { columns: [column] })).toMatchObject(
      refused({ param: 'columns[0]', message }),
    );
  }
  for (const block of blocks.filter((name) => !kind.blocks.includes(name))) {
    const message = `A paper of the kind ${kind.id} has no block ${block}`;
    expect(await api.sandbox.patch(one, { blocks: ['footer', block] })).toMatchObject(
      refused({ param: 'blocks[1]', message }),
    );
  }
  expect((await api.sandbox.patch(one, { columns: null, blocks: null })).body).toMatchObject(kind);
});

/** A paper of a kind, with all that it prints whatever its template leaves out. */
const papers: Record<string, () => Promise<{ url: string; words: (string | RegExp)[] }>> = {
  estimate: async () => {
    const { pdf_url: url } = await api.sandbox.make('/estimates', { customer, items });
    return { url, words: ['Hour', 'Day', '€123.00', '€623.00'] }; // 3 x 41 = 123; 123 + 500 = 623
  },
  credit_note: async () => {
    const { pdf_url: url } = await api.sandbox.make('/credit_notes', { customer, items });
    return { url, words: ['Hour', 'Day', '€123.00', '€623.00'] };
  },
  receipt: async () => {
    const payer = (await api.sandbox.make('/customers', { name: 'Bo' })).id;
    const { id, number } = await api.sandbox.make('/invoices', { customer: payer, items });
    const applied_to = [{ type: 'invoice', invoice: id, amount: 600 }];
    const payment = { customer: payer, amount: 600, method: 'cash', applied_to };
    const { pdf_url: url } = await api.sandbox.make('/payments', payment);
    return { url, words: [`Invoice ${number}`, 'Hour: €123.00', 'Day: €500.00', '€623.00', '€600.00'] };
  },
  statement: async () => {
    const { id } = await api.sandbox.make('/customers', { name: 'Cy' });
    const bill = (unit_cost: number) =>
      api.sandbox.make('/invoices', { customer: id, items: [{ unit_cost, name: 'Day' }] });
    const [first, second] = [await bill(623), await bill(100)];
    const row = (number: string, amount: string, balance: string) =>
      new RegExp(`Invoice ${number}\\n(?:Due .*\\n)?\\d+ \\w+ \\d{4} €${amount} €${balance}`);
    // 623 + 100 = 723
    const words = [row(first.number, '623.00', '623.00'), row(second.number, '100.00', '723.00')];
    return { url: `${api.sandbox.url}/customers/${id}/statement`, words };
  },
};

test.each(Object.keys(papers))(
  'a paper of the kind %s prints names, dates of entries and amounts whatever its template leaves out',
  async (kind) => {
    const { url, words } = (await papers[kind]?.()) ?? { url: '', words: [] };
    expect((await api.sandbox.patch(`${path}/${kind}`, { columns: [], blocks: [] })).status).toBe(200);
    const { text } = await printed(url);
    for (const word of words) expect(text).toMatch(word);
    for (const word of ['By Bea', '€41.00', 'Court: Berlin']) expect(text).not.toContain(word);
  },
);

test('the papers of a customer have the look of the template that it names, those of others that of the account', async () => {
  const { sandbox } = api;
  await sandbox.make(path, { id: 'lean', name: 'Lean', paper: 'letter', columns: [], blocks: [] });
  await sandbox.make(path, { id: 'lean_statement', name: 'Lean', kind: 'statement', paper: 'letter' });
  const pdf_templates = ['lean', 'lean_statement'];
  const { id } = await sandbox.make('/customers', { name: 'Bea', pdf_templates });
  const own = await printed((await sandbox.make('/invoices', { customer: id, items })).pdf_url);
  const usual = await printed((await invoice()).pdf_url);
  expect(own.size).not.toEqual(usual.size);
  expect([own.text.includes('By Bea'), usual.text.includes('By Bea')]).toEqual([false, true]);
  expect([own.text.includes('Court: Berlin'), usual.text.includes('Court: Berlin')]).toEqual([false, true]);
  const statement = await printed(`${sandbox.url}/customers/${id}/statement`);
  expect(statement.size).toEqual(own.size);
  await sandbox.patch(`/customers/${id}`, { pdf_templates: [] });
  const after = await printed((await sandbox.make('/invoices', { customer: id, items })).pdf_url);
  expect(after.size).toEqual(usual.size);
});
