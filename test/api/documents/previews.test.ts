import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { basic, type Client, refused, startApi, successBody, type TestApi } from '../../support/api.ts';
import { storedRows } from '../../support/dryRuns.ts';
import { logoPng } from '../../support/logo.ts';
import { readPdf } from '../../support/readPdf.ts';
import { upload } from '../../support/upload.ts';

/** Previews of themes and PDF templates. The sample has 249.00 + 2 x 120.00 = 489.00; the invoices of this file have 3 x 41.00 = 123.00. */

let api: TestApi;
let sandbox: Client;
let theme: number;
let customer: number;
beforeAll(async () => {
  api = await startApi();
  ({ sandbox } = api);
  const seller = { accent_color: '#0f766e', footer: 'Acme Ltd', country: 'DE', language: 'de', currency: 'eur' };
  const bank_details = [{ currency: 'eur', account_holder: 'Acme', iban: 'DE89370400440532013000' }];
  await sandbox.patch('/account', { ...seller, bank_details });
  theme = (await sandbox.make('/themes', { name: 'Brand', accent_color: '#7c2d12', text_color: '#1c1917' })).id;
  customer = (await sandbox.make('/customers', { name: 'Ann', email: 'ann@example.com', language: 'en' })).id;
});
afterAll(() => api.close());

const items = [{ name: 'Hour', quantity: 3, unit_cost: 41 }];
const make = async (path: string, more: object = {}) =>
  (await sandbox.make(path, { customer, items, ...more })).id as number;
const preview = (body: object = {}) => sandbox.post(`/themes/${theme}/preview`, body);
const shown = async (body: object = {}) => successBody(await preview(body)) as { page: string; mail: string };
const words = (html: string) =>
  html
    .replace(/<style[\s\S]*?<\/style>|<[^>]*>/g, ' ')
    .replaceAll('\u00a0', ' ')
    .replace(/\s+/g, ' ');

/** The text of the PDF with which a preview answers. */
async function pdfText(path: string, body: object = {}): Promise<string> {
  const headers = { ...basic(sandbox.key), accept: 'application/pdf', 'content-type': 'application/json' };
  const answer = await fetch(`${sandbox.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/pdf']);
  return (await readPdf(new Uint8Array(await answer.arrayBuffer()))).text;
}

test('a preview shows page and mail of a sample with the saved theme, in the words of the account', async () => {
  const { page, mail } = await shown();
  expect(page).toContain('--brand:#7c2d12');
  expect(mail).toContain('bgcolor="#7c2d12"');
  expect(words(page)).toContain('Erika Beispiel');
  expect(words(page)).toContain('Supportstunde');
  expect(words(page)).toContain('489,00 €'); // 249 + 2 x 120
  expect(words(page)).toContain('Rechnung INV-00001');
  expect(words(mail)).toContain('Guten Tag Erika Beispiel');
  expect(words(mail)).toContain('489,00 €');
});

test('fields that are not saved override those of the theme, warnings included, and nothing is stored', async () => {
  const logo = (await upload(sandbox, [{ name: 'file', filename: 'logo.png', content: logoPng() }])).body.id;
  const id = await make('/invoices');
  const before = await storedRows(api.em);
  const body = { accent_color: '#ffd700', background_color: '#fffbeb', corners: 'square', footer: 'Try', logo };
  for (const object of [null, { type: 'invoice', id }]) {
    const answer = await preview({ ...body, object });
    const { page, mail, warnings } = successBody(answer);
    for (const style of ['--card:#fffbeb', '--button:#ffd700', '--round:0', '--ink:#1c1917'])
      expect(page).toContain(style);
    expect(words(page)).toContain('Try');
    expect(words(page)).not.toContain('Acme Ltd');
    expect(page).toContain('<img class="logo" src="data:image/png;base64,');
    for (const style of ['background:#fffbeb', 'bgcolor="#ffd700"', 'src="data:image/png;base64,'])
      expect(mail).toContain(style);
    // (luminance of #fffbeb + 0.05) / (luminance of gold + 0.05) = 1.35
    expect(warnings).toMatchObject([{ param: 'accent_color', message: expect.stringContaining('is 1.35 to 1') }]);
  }
  const { page } = await shown({ accent_color: null, text_color: null });
  expect(page).toContain('--brand:#0f766e'); // the accent of the account
  expect(await storedRows(api.em)).toEqual(before);
});

test('each document of the account is shown with the theme, also one that was issued with another', async () => {
  const other = await sandbox.make('/themes', { name: 'Other', accent_color: '#4c1d95' });
  await sandbox.patch(`/customers/${customer}`, { theme: other.id });
  const [invoice, estimate, credit_note] = [
    await make('/invoices'),
    await make('/estimates'),
    await make('/credit_notes'),
  ];
  const payment = (await sandbox.make('/payments', { amount: 123, method: 'cash' })).id;
  for (const [type, id] of Object.entries({ invoice, estimate, credit_note, payment })) {
    const { page, mail } = await shown({ object: { type, id } });
    expect([type, page.includes('--brand:#7c2d12'), page.includes('#4c1d95')]).toEqual([type, true, false]);
    expect([type, /#7c2d12/i.test(mail), mail.includes('#4c1d95')]).toEqual([type, true, false]);
    expect(words(page)).toMatch(/123[.,]00/); // 3 x 41
    expect(await pdfText(`/themes/${theme}/preview`, { object: { type, id } })).toMatch(/123[.,]00/);
  }
  expect((await sandbox.get(`/invoices/${invoice}`)).body.status).toBe('not_sent');
  await sandbox.patch(`/customers/${customer}`, { theme: null });
});

test('a preview loads, runs and sends nothing, wherever it is shown', async () => {
  const { page, mail } = await shown({ object: { type: 'estimate', id: await make('/estimates') } });
  expect(page).toContain('<form');
  for (const html of [page, mail]) {
    const [, policy = ''] = /<head>\s*<meta http-equiv="Content-Security-Policy" content="([^"]*)">/.exec(html) ?? [];
    expect(policy).toMatch(/^default-src 'none'; style-src .*; form-action 'none'; base-uri 'none'$/);
    expect(html.match(/<body inert[ >]/g)).toHaveLength(1);
    expect(html).not.toMatch(/<script/i);
  }
  expect([...page.matchAll(/(?:href|action)="([^"]*)"/g)].map(([, to]) => to)).toEqual(['#/answer', '#/pdf']);
});

test('the PDF of a preview is printed with theme and template', async () => {
  await sandbox.patch('/pdf_templates/invoice', { columns: ['quantity'] });
  const text = await pdfText(`/themes/${theme}/preview`, { footer: 'Amtsgericht Berlin' });
  for (const part of ['Rechnung', 'Erika Beispiel', 'Gold-Tarif', '489,00 €', 'Amtsgericht Berlin'])
    expect(text).toContain(part);
  expect(text).not.toContain('120,00 €'); // the price of an hour is a column that is left out
  await sandbox.delete('/pdf_templates/invoice');
});

test('the mail of a preview has the words of the account; a template that cannot be rendered leaves the default ones', async () => {
  const path = '/email_templates/new_invoice_email-de';
  const own = async (html: string) => successBody(await sandbox.patch(path, { html }));
  await own('<p>Bitte {{invoice.total}} für {{#each lines}}[{{name}}]{{/each}}</p>');
  expect(words((await shown()).mail)).toContain('Bitte 489,00 € für [Gold-Tarif][Supportstunde]');
  // The sample of the check has one line, this mail has two: 2 ** 10 x 999 characters are more than 512 KiB.
  const loops = `${'{{#each @root.lines}}'.repeat(10)}${'x'.repeat(999)}${'{{/each}}'.repeat(10)}`;
  await own(`<p>${loops}</p>`);
  expect(words((await shown()).mail)).toContain('Guten Tag Erika Beispiel');
  await sandbox.delete(path);
});

test.each([
  [{ accent_color: 'red' }, 'accent_color'],
  [{ dark_text_color: '#12345' }, 'dark_text_color'],
  [{ font: 'comic_sans' }, 'font'],
  [{ footer: 'a'.repeat(501) }, 'footer'],
  [{ logo: 999_999 }, 'logo'],
  [{ css: 'body{}' }, 'css'],
  [{ object: { type: 'invoice', id: 999_999 } }, 'object[id]'],
  [{ object: { type: 'payment', id: 999_999 } }, 'object[id]'],
  [{ object: { type: 'customer', id: 1 } }, 'object[type]'],
  [{ object: { type: 'invoice' } }, 'object[id]'],
])('the preview %j of a theme is refused', async (body, param) => {
  expect(await preview(body)).toMatchObject(refused({ param }));
});

test('an unknown theme is 404; objects of another account and drafts are refused', async () => {
  expect((await sandbox.post('/themes/999999/preview', {})).status).toBe(404);
  expect((await api.live.post(`/themes/${theme}/preview`, {})).status).toBe(404);
  const rival = (await api.open('Rival')).sandbox;
  const theirs = (await rival.make('/customers', { name: 'Theirs' })).id;
  // Ids are counted per account: the rival has more invoices than this account.
  let id = 0;
  const most = await make('/invoices');
  while (id <= most) id = (await rival.make('/invoices', { customer: theirs, items })).id;
  const message = `Invoice was not found: ${id}`;
  expect(await preview({ object: { type: 'invoice', id } })).toMatchObject(refused({ param: 'object[id]', message }));
  const draft = { type: 'invoice', id: await make('/invoices', { draft: true }) };
  expect(await preview({ object: draft })).toMatchObject(refused({ message: 'Invoice is a draft: issue it first' }));
});

test('the preview of a PDF template prints a sample of each kind, or an object, with columns that are not saved', async () => {
  const before = await storedRows(api.em);
  const titles = {
    invoice: /Rechnung/,
    estimate: /Angebot/,
    credit_note: /Gutschrift/,
    receipt: /Zahlungsbeleg/,
    statement: /Kontoauszug/,
  };
  for (const [kind, title] of Object.entries(titles)) {
    const text = await pdfText(`/pdf_templates/${kind}/preview`, { layout: 'modern' });
    expect(text).toMatch(title);
    expect([kind, text.includes('489,00 €')]).toEqual([kind, true]);
  }
  const usual = await pdfText('/pdf_templates/invoice/preview');
  const less = await pdfText('/pdf_templates/invoice/preview', { columns: ['quantity'], blocks: ['links'] });
  for (const part of ['120,00 €', 'DE89 3704', 'durch eine Ingenieurin']) {
    expect(usual).toContain(part);
    expect(less).not.toContain(part);
  }
  const template = successBody(
    await sandbox.post('/pdf_templates/invoice/preview', { layout: 'compact', columns: null }),
  );
  expect(template).toMatchObject({ id: 'invoice', layout: 'compact', columns: expect.arrayContaining(['tax']) });
  expect(await storedRows(api.em)).toEqual(before);
  const draft = await make('/invoices', { draft: true });
  expect(await pdfText('/pdf_templates/invoice/preview', { object: { type: 'invoice', id: draft } })).toContain(
    '€123.00',
  );
  expect(await pdfText('/pdf_templates/statement/preview', { object: { type: 'customer', id: customer } })).toContain(
    'Ann',
  );
});

test.each([
  ['invoice', { layout: 'fancy' }, 'layout'],
  ['invoice', { columns: ['colour'] }, 'columns[0]'],
  ['receipt', { columns: ['quantity'] }, 'columns[0]'],
  ['invoice', { css: 'x' }, 'css'],
  ['invoice', { object: { type: 'estimate', id: 1 } }, 'object[type]'],
  ['receipt', { object: { type: 'payment', id: 999_999 } }, 'object[id]'],
  ['statement', { object: { type: 'customer', id: 999_999 } }, 'object[id]'],
])('the preview of a template of the kind %s with %j is refused', async (kind, body, param) => {
  expect(await sandbox.post(`/pdf_templates/${kind}/preview`, body)).toMatchObject(refused({ param }));
});

test('a template of an unknown kind has no preview', async () => {
  expect((await sandbox.post('/pdf_templates/letter/preview', {})).status).toBe(404);
});

test('previews beside requests that issue invoices and make customers are answered', async () => {
  const issuing = Array.from({ length: 6 }, async () => {
    for (let n = 0; n < 8; n += 1) {
      await make('/invoices');
      await sandbox.make('/customers', { name: 'Ben' });
    }
  });
  const previewing = Array.from({ length: 4 }, async () => {
    const answers = [];
    for (let n = 0; n < 8; n += 1) answers.push((await preview()).status);
    return answers;
  });
  const answers = (await Promise.all(previewing)).flat();
  await Promise.all(issuing);
  // 429: many at once
  expect([...new Set(answers)].filter((status) => status !== 429)).toEqual([200]);
});
