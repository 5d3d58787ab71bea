import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startApi, type TestApi } from '../../support/api.ts';
import { blackPng, logoPng } from '../../support/logo.ts';
import { upload } from '../../support/upload.ts';

let api: TestApi;
let customer: number;

beforeAll(async () => {
  api = await startApi();
  customer = (await api.sandbox.make('/customers', { name: 'Ann' })).id;
});
afterAll(() => api.close());

const items = [{ name: 'Support hour', quantity: 2, unit_cost: 120 }];
const invoice = () => api.sandbox.make('/invoices', { customer, items });
const file = async (content: string | Buffer, filename = 'logo.png') =>
  (await upload(api.sandbox, [{ name: 'file', filename, content }])).body.id;
const choose = (fields: object) => api.sandbox.patch('/account', fields);
const fetched = async (url: string) => {
  const answer = await fetch(url.replace('https://billing.example', api.origin));
  return Buffer.from(await answer.arrayBuffer());
};

test("documents show the seller's logo, and its colour where that is readable", async () => {
  const id = await file(logoPng());
  const plain = await fetched((await invoice()).pdf_url);
  const { status, body } = await choose({ logo: id, accent_color: '#FFD700' });
  expect([status, body.logo, body.accent_color]).toEqual([200, id, '#ffd700']);
  expect((await api.sandbox.get('/account')).body).toEqual(body);
  const { url, pdf_url } = await invoice();
  const page = String(await fetched(url));
  expect(page).toContain(`src="data:image/png;base64,${logoPng().toString('base64')}"`);
  expect(page).toMatch(/--brand:#[0-9a-f]{6}/);
  expect(page).not.toContain('#ffd700'); // gold on white has too little contrast
  expect((await fetched(pdf_url)).length).toBeGreaterThan(plain.length);
});

test('issued documents keep the logo and the colour they were issued with', async () => {
  const id = await file(logoPng(64));
  await choose({ logo: id, accent_color: '#0f766e' });
  const { url, pdf_url } = await invoice();
  const before = String(await fetched(url));
  await choose({ logo: null, accent_color: null });
  expect((await api.sandbox.delete(`/files/${id}`)).status).toBe(204);
  expect(String(await fetched(url))).toBe(before);
  expect((await fetched(pdf_url)).subarray(0, 5).toString()).toBe('%PDF-'); // rendered now, from the snapshot
  const next = String(await fetched((await invoice()).url));
  expect(next).not.toContain('<img');
  expect(next).toContain('--brand:#1d4ed8');
});

test('sending an account back as it was read changes nothing, even when its logo file is gone', async () => {
  const id = await file(logoPng(32));
  await choose({ logo: id });
  await api.sandbox.delete(`/files/${id}`);
  const { body } = await api.sandbox.get('/account');
  expect((await choose({ logo: body.logo, name: 'Acme 2' })).body).toMatchObject({ logo: id, name: 'Acme 2' });
  expect(String(await fetched((await invoice()).url))).toContain('<img class="logo"');
  expect((await choose({ logo: '' })).body.logo).toBeNull();
});

test('an unreadable logo does not prevent printing a document', async () => {
  const broken = logoPng().subarray(0, 40);
  await choose({ logo: await file(Buffer.from(broken)) });
  expect((await fetched((await invoice()).pdf_url)).subarray(0, 5).toString()).toBe('%PDF-');
  await choose({ logo: null });
});

test('a logo may have 4,000,000 pixels, whatever its size in bytes', async () => {
  const choosing = async (width: number, height: number) =>
    (await choose({ logo: await file(blackPng(width, height)) })).body;
  expect(await choosing(2000, 2000)).toMatchObject({ object: 'account' });
  expect(await choosing(20_000, 20_000)).toMatchObject({
    param: 'logo',
    message: 'Logo has 20000 x 20000 pixels; it may have at most 4,000,000 in all, such as 2000 x 2000',
  });
  await choose({ logo: null });
});

test('a logo that is not an image, too large, linked or of another account is refused', async () => {
  const refusal = async (logo: unknown) => {
    const { status, body } = await choose({ logo });
    return [status, body.param, body.message];
  };
  const svg = await file('<svg xmlns="http://www.w3.org/2000/svg"/>', 'logo.svg');
  expect(await refusal(svg)).toEqual([400, 'logo', 'Logo must be a PNG or JPEG picture']);
  const large = await file(Buffer.concat([logoPng(), Buffer.alloc(512 * 1024)]));
  const small = 'Logo must be an uploaded file of at most 512 KiB';
  expect(await refusal(large)).toEqual([400, 'logo', small]);
  const link = (await api.sandbox.make('/files', { url: 'https://example.com/logo.png', name: 'logo.png' })).id;
  expect(await refusal(link)).toEqual([400, 'logo', small]);
  expect(await refusal(999_999)).toEqual([400, 'logo', 'File was not found: 999999']);
  const { status } = await api.live.patch('/account', { logo: await file(logoPng()) });
  expect(status).toBe(400);
  for (const colour of ['blue', '#12', 7]) {
    const answer = await choose({ accent_color: colour });
    expect([answer.status, answer.body.param]).toEqual([400, 'accent_color']);
  }
});
