import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { refused, startApi, type TestApi } from '../../support/api.ts';
import { logoPng } from '../../support/logo.ts';
import { readPdf } from '../../support/readPdf.ts';
import { upload } from '../../support/upload.ts';
import { until } from '../../support/wait.ts';

let api: TestApi;
let owner: pg.Client;
beforeAll(async () => {
  api = await startApi();
  owner = new pg.Client({ connectionString: api.databaseUrl });
  await owner.connect();
  await api.sandbox.patch('/account', { accent_color: '#0f766e', footer: 'Acme Ltd' });
});
afterAll(async () => {
  await owner?.end();
  await api?.close();
});

const path = '/themes';
const items = [{ name: 'Support hour', quantity: 2, unit_cost: 120 }];
const brand = {
  name: 'Brand',
  accent_color: '#7c2d12',
  text_color: '#1c1917',
  background_color: '#fffbeb',
  dark_accent_color: '#fdba74',
  dark_text_color: '#fafaf9',
  dark_background_color: '#1c1917',
  corners: 'square',
  font: 'ibm_plex_sans',
  footer: 'Brand of Acme',
};
const makeCustomer = (fields: object = {}) =>
  api.sandbox.make('/customers', { name: 'Ann', email: 'ann@example.com', ...fields });
const invoiceFor = (customer: number) => api.sandbox.make('/invoices', { customer, items });
const pdfOf = async (url: string) => {
  const answer = await fetch(url.replace('https://billing.example', api.origin));
  return Buffer.from(await answer.arrayBuffer());
};
const pageOf = async (url: string) => String(await pdfOf(url));
/** The HTML of the mail of an invoice. */
const mailOf = async (id: number) => {
  const [sent] = (await api.sandbox.post(`/invoices/${id}/emails`)).body;
  const [row] = await api.em.fork().execute('select html, text from email where id = ?', [sent.id]);
  return row as { html: string; text: string };
};

test('a theme can be created, read, listed, changed and deleted', async () => {
  const { sandbox } = api;
  const made = await sandbox.post(path, brand);
  expect(made).toMatchObject({
    status: 201,
    body: { object: 'theme', ...brand, default: false, logo: null, warnings: [] },
  });
  const one = `${path}/${made.body.id}`;
  expect((await sandbox.get(one)).body).toEqual(made.body);
  expect((await sandbox.get(`${path}?filter[name]=Brand`)).body).toEqual([made.body]);
  expect((await sandbox.patch(one, { font: null, corners: null })).body).toMatchObject({
    font: 'inter',
    corners: 'round',
  });
  expect((await api.live.get(one)).status).toBe(404);
  expect((await sandbox.delete(one)).status).toBe(204);
  expect((await sandbox.get(one)).status).toBe(404);
});

test('a colour that cannot be read is accepted, and the answer warns about it', async () => {
  const answer = await api.sandbox.post(path, { name: 'Gold', accent_color: '#ffd700', text_color: '#777777' });
  // (1.05) / (luminance of #777777 + 0.05) = 4.478, and 1.402 for gold
  expect(answer).toMatchObject({
    status: 201,
    body: {
      warnings: [
        { param: 'text_color', message: expect.stringContaining('is 4.47 to 1') },
        { param: 'accent_color', message: expect.stringContaining('is 1.4 to 1') },
      ],
    },
  });
});

test.each([
  [{ accent_color: 'red' }, 'accent_color'],
  [{ dark_text_color: '#12345' }, 'dark_text_color'],
  [{ font: 'comic_sans' }, 'font'],
  [{ corners: 'oval' }, 'corners'],
  [{ footer: 'a'.repeat(501) }, 'footer'],
  [{ logo: 999_999 }, 'logo'],
  [{ css: 'body{}' }, 'css'],
  [{ name: '' }, 'name'],
])('the theme %j is refused', async (fields, param) => {
  expect(await api.sandbox.post(path, { name: 'Bad', ...fields })).toMatchObject(refused({ param }));
});

test('papers, pages and mails have the theme of the customer, else the default one', async () => {
  const { sandbox } = api;
  const plain = await makeCustomer();
  const before = await invoiceFor(plain.id);
  const { id: usual } = await sandbox.make(path, { name: 'Usual', accent_color: '#14532d', default: true });
  const { id: own } = await sandbox.make(path, brand);
  const branded = await makeCustomer({ theme: own });
  expect(branded.theme).toBe(own);
  const [usualInvoice, ownInvoice] = [await invoiceFor(plain.id), await invoiceFor(branded.id)];
  expect(await pageOf(before.url)).toContain('--brand:#0f766e'); // issued before there was a theme
  expect(await pageOf(usualInvoice.url)).toContain('--brand:#14532d');
  const page = await pageOf(ownInvoice.url);
  for (const style of ['--card:#fffbeb', '--ink:#1c1917', '--card:#1c1917', '--round:0', 'Brand of Acme'])
    expect(page).toContain(style);
  expect(page).not.toContain('Acme Ltd');
  const mail = await mailOf(ownInvoice.id);
  for (const style of ['background:#fffbeb', 'bgcolor="#7c2d12"', '.sheet{background:#1c1917!important}'])
    expect(mail.html).toContain(style);
  expect((await mailOf(usualInvoice.id)).html).toContain('bgcolor="#14532d"');
  await sandbox.patch(`${path}/${usual}`, { default: false });
});

test('PDFs of the same draft have the look of the theme, and the same text', async () => {
  const { sandbox } = api;
  const customer = await makeCustomer();
  const { id } = await sandbox.make('/invoices', { customer: customer.id, items, draft: true });
  const headers = { authorization: `Basic ${btoa(`${sandbox.key}:`)}`, accept: 'application/pdf' };
  const draft = async (theme: number | null) => {
    await sandbox.patch(`/customers/${customer.id}`, { theme });
    const answer = await fetch(`${sandbox.url}/invoices/${id}`, { headers });
    return Buffer.from(await answer.arrayBuffer());
  };
  const { footer: _, font: __, ...colours } = brand;
  const brown = await sandbox.make(path, colours);
  const white = await sandbox.make(path, { ...colours, background_color: '#ffffff' });
  const pdfs = [await draft(null), await draft(brown.id), await draft(white.id)];
  expect(new Set(pdfs.map((pdf) => pdf.toString('base64'))).size).toBe(3);
  const texts = await Promise.all(pdfs.map(async (pdf) => (await readPdf(pdf)).text));
  expect(texts[0]).toContain('$240.00'); // 2 x 120
  expect(texts).toEqual([texts[0], texts[0], texts[0]]);
});

test('issued papers keep their theme, and pages and mails follow its changes', async () => {
  const { sandbox } = api;
  const theme = await sandbox.make(path, { ...brand, logo: await uploaded() });
  const customer = await makeCustomer({ theme: theme.id });
  const issued = await invoiceFor(customer.id);
  const page = await pageOf(issued.url);
  expect(page).toContain('<img class="logo"');
  await sandbox.patch(`${path}/${theme.id}`, { accent_color: '#4c1d95', background_color: null, logo: null });
  expect(await pageOf(issued.url)).toBe(page);
  const next = await pageOf((await invoiceFor(customer.id)).url);
  expect(next).toContain('--brand:#4c1d95');
  expect(next).not.toContain('<img');
  expect((await mailOf(issued.id)).html).toContain('bgcolor="#4c1d95"');
});

const uploaded = async () =>
  (await upload(api.sandbox, [{ name: 'file', filename: 'logo.png', content: logoPng() }])).body.id;

test('one theme is the default: a new default takes the place of the one before', async () => {
  const { sandbox } = api;
  const first = await sandbox.make(path, { name: 'First', default: true });
  const second = await sandbox.make(path, { name: 'Second', default: true });
  const defaults = async () => (await sandbox.get(path)).body.filter((one: { default: boolean }) => one.default);
  expect(await defaults()).toMatchObject([{ id: second.id }]);
  expect((await sandbox.patch(`${path}/${first.id}`, { default: true })).body.default).toBe(true);
  expect(await defaults()).toMatchObject([{ id: first.id }]);
  const message = 'The theme is the default: make another one the default first';
  expect(await sandbox.delete(`${path}/${first.id}`)).toMatchObject(refused({ message }));
  await sandbox.patch(`${path}/${first.id}`, { default: false });
  expect((await sandbox.delete(`${path}/${first.id}`)).status).toBe(204);
});

test('a theme that a customer has is not deleted, and a customer names a theme that exists', async () => {
  const { sandbox } = api;
  const theme = await sandbox.make(path, brand);
  const customer = await makeCustomer({ theme: theme.id });
  const message = `Customer ${customer.id} has the theme: give it another one first`;
  expect(await sandbox.delete(`${path}/${theme.id}`)).toMatchObject(refused({ message }));
  expect(await sandbox.patch(`/customers/${customer.id}`, { theme: 999_999 })).toMatchObject(
    refused({ param: 'theme', message: 'Theme was not found: 999999' }),
  );
  expect((await sandbox.patch(`/customers/${customer.id}`, { theme: null })).body.theme).toBeNull();
  expect((await sandbox.delete(`${path}/${theme.id}`)).status).toBe(204);
});

test('a theme that a customer gets while it is deleted stays, or the customer is refused', async () => {
  const { sandbox } = api;
  const { id } = await makeCustomer();
  const [given, gone] = [await sandbox.make(path, brand), await sandbox.make(path, { ...brand, name: 'Gone' })];
  const during = async (sql: string, values: number[], request: () => Promise<unknown>) => {
    await owner.query('begin');
    await owner.query(sql, values);
    const answer = request();
    await until(async () => (await waiting()) > 0, { what: 'the request to wait for the transaction' });
    await owner.query('commit');
    return answer;
  };
  const gives = 'update customer set theme_id = $1 where id = $2';
  const message = `Customer ${id} has the theme: give it another one first`;
  expect(await during(gives, [given.id, id], () => sandbox.delete(`${path}/${given.id}`))).toMatchObject(
    refused({ message }),
  );
  const change = () => sandbox.patch(`/customers/${id}`, { theme: gone.id });
  expect(await during('delete from theme where id = $1', [gone.id], change)).toMatchObject(
    refused({ param: 'theme', message: `Theme was not found: ${gone.id}` }),
  );
});

/** Number of connections that wait for the transaction of another one. */
async function waiting(): Promise<number> {
  const { rows } = await owner.query(
    `select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event = 'transactionid'`,
  );
  return rows[0].count;
}

test('customers that are merged or anonymized give their theme up', async () => {
  const { sandbox } = api;
  const theme = await sandbox.make(path, brand);
  const [into, merged, erased] = [
    await makeCustomer(),
    await makeCustomer({ theme: theme.id }),
    await makeCustomer({ theme: theme.id }),
  ];
  expect((await sandbox.post(`/customers/${into.id}/merge`, { customer: merged.id })).status).toBe(200);
  expect((await sandbox.post(`/customers/${erased.id}/anonymize`)).body.theme).toBeNull();
  expect((await sandbox.delete(`${path}/${theme.id}`)).status).toBe(204);
});

test('warnings of a theme without an accent are about that of the account', async () => {
  const { sandbox } = api;
  // Default blue on #111111: 2.81 to 1. Teal (#0f766e), the accent of the account, is shown instead: 3.45 to 1
  const theme = await sandbox.make(path, { name: 'Night', background_color: '#111111', text_color: '#ffffff' });
  const message = expect.stringContaining('is 3.45 to 1');
  expect(theme.warnings).toMatchObject([{ param: 'accent_color', message }]);
  expect((await sandbox.get(`${path}/${theme.id}`)).body.warnings).toEqual(theme.warnings);
});

test('the receipt of a payment without a customer is mailed with the default theme', async () => {
  const { sandbox } = api;
  const { id: usual } = await sandbox.make(path, { name: 'Usual', accent_color: '#14532d', default: true });
  const { id } = await sandbox.make('/payments', { amount: 5, method: 'cash' });
  const sent = await sandbox.post(`/payments/${id}/emails`, { to: [{ name: 'Ann', email: 'ann@example.com' }] });
  const [row] = await api.em.fork().execute('select html from email where id = ?', [sent.body[0].id]);
  expect(row?.html).toContain('.sheet{background:#181d24!important}'); // the dark sheet of every theme without one of its own
  await sandbox.patch(`${path}/${usual}`, { default: false });
});

test('a theme changes no amount and no word', async () => {
  const [plain, branded] = [
    await makeCustomer(),
    await makeCustomer({ theme: (await api.sandbox.make(path, brand)).id }),
  ];
  const words = (page: string) =>
    page
      .replace(/<style[\s\S]*?<\/style>|<[^>]*>/g, ' ')
      .replaceAll('Brand of Acme', 'Acme Ltd')
      .replace(/INV-\d+/g, 'INV');
  const [one, other] = [await invoiceFor(plain.id), await invoiceFor(branded.id)];
  expect(words(await pageOf(other.url))).toBe(words(await pageOf(one.url)));
  expect([other.subtotal, other.total, other.balance]).toEqual([240, 240, 240]); // 2 x 120
});
