import { randomBytes } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { basic, type Client, refused, startApi, type TestApi } from '../../support/api.ts';
import { missingFields } from '../../support/apiFields.ts';
import { withLongestBlockBelow } from '../../support/eventLoop.ts';
import { listen, portOf } from '../../support/listen.ts';
import { type Part, upload } from '../../support/upload.ts';

const MEBIBYTE = 1024 * 1024;
let api: TestApi;
let client: Client;
beforeAll(async () => {
  api = await startApi();
  client = api.sandbox;
});
afterAll(() => api.close());

/** Requests a file's public URL. */
async function fetchBytes(url: string): Promise<{ response: Response; bytes: Buffer }> {
  const response = await fetch(url.replace('https://billing.example', api.origin));
  return { response, bytes: Buffer.from(await response.arrayBuffer()) };
}

/** Number of the account's objects in the store, and of rows in `stray_bytes`. */
async function kept(): Promise<{ objects: number; strays: number }> {
  const folder = `${api.filesFolder}/${client.account.id}`;
  const objects = await readdir(folder).catch(() => []);
  const [row] = await api.em.fork().execute('select count(*)::int as strays from stray_bytes');
  return { objects: objects.length, strays: row?.strays ?? 0 };
}

const contract: Part = {
  name: 'file',
  filename: 'contract.pdf',
  type: 'application/pdf',
  content: randomBytes(70_000),
};

test('a file can be uploaded, read, listed, downloaded byte for byte and deleted; other parts are ignored', async () => {
  const before = await kept();
  const parts = [{ name: 'customer', content: 'x' }, contract, { name: 'other', filename: 'other.txt', content: 'y' }];
  const made = await upload(client, parts);
  expect(made.status).toBe(201);
  expect(missingFields('file', made.body)).toEqual([]);
  const size = contract.content.length;
  expect(made.body).toMatchObject({ object: 'file', name: 'contract.pdf', size, type: 'application/pdf' });
  expect(await client.get(`/files/${made.body.id}`)).toMatchObject({ status: 200, body: made.body });
  expect((await client.get('/files?filter[name]=contract.pdf')).body).toEqual([made.body]);
  const { response, bytes } = await fetchBytes(made.body.url);
  expect(bytes.equals(Buffer.from(contract.content))).toBe(true);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'application/pdf',
    'content-length': String(size),
    'content-disposition': 'attachment; filename="contract.pdf"',
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
  });
  expect(await kept()).toEqual({ objects: before.objects + 1, strays: 0 });
  expect(await client.delete(`/files/${made.body.id}`)).toMatchObject({ status: 204, body: null });
  expect((await client.get(`/files/${made.body.id}`)).status).toBe(404);
  expect((await fetchBytes(made.body.url)).response.status).toBe(404);
  expect(await kept()).toEqual({ objects: before.objects, strays: 0 });
});

test('an address cannot be guessed, and names one account', async () => {
  const { body } = await upload(client, [contract]);
  const [, account = '', token = ''] = /^https:\/\/billing\.example\/files\/(\d+)\/([\w-]{43})$/.exec(body.url) ?? [];
  expect(Number(account)).toBe(client.account.id);
  const other = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`;
  for (const path of [
    `${account}/${other}`,
    `${api.live.account.id}/${token}`,
    `${account}/${token}/x`,
    `${account}/`,
  ]) {
    expect((await fetchBytes(`https://billing.example/files/${path}`)).response.status).toBe(404);
  }
  expect((await upload(client, [contract])).body.url).not.toBe(body.url);
});

test('browsers download an uploaded page instead of showing it', async () => {
  const page: Part = {
    name: 'file',
    filename: 'a.html',
    type: 'text/html; charset=utf-8',
    content: '<script>1</script>',
  };
  const { body } = await upload(client, [page]);
  const { response } = await fetchBytes(body.url);
  expect(body.type).toBe('text/html');
  expect(response.headers.get('content-type')).toBe('text/html');
  expect(response.headers.get('content-disposition')).toMatch(/^attachment/);
});

test.each<[string, string, string]>([
  ['../../../etc/passwd', 'passwd', 'application/octet-stream'],
  ['..\\..\\boot.ini', 'boot.ini', 'application/octet-stream'],
  ['/absolute/a.CSV', 'a.CSV', 'text/csv'],
  ['..', 'file', 'application/octet-stream'],
  ['invoice\u202Efdp.exe', 'invoicefdp.exe', 'application/octet-stream'],
  ['Rechnung für Äpfel €.pdf', 'Rechnung für Äpfel €.pdf', 'application/pdf'],
  ['a;b "c".txt', 'a;b "c".txt', 'text/plain'],
  ['x'.repeat(255), 'x'.repeat(255), 'application/octet-stream'],
])('a file with the name %j is stored inside the store with the name %j', async (filename, name, type) => {
  const made = await upload(client, [{ ...contract, filename, type: null }]);
  expect(made).toMatchObject({ status: 201, body: { name, type } });
  const { response, bytes } = await fetchBytes(made.body.url);
  expect(bytes.length).toBe(contract.content.length);
  const said = response.headers.get('content-disposition') ?? '';
  const [, plain, encoded] = /filename="((?:\\.|[^"])*)"(?:; filename\*=UTF-8''(\S+))?$/.exec(said) ?? [];
  expect(encoded ? decodeURIComponent(encoded) : plain?.replace(/\\(.)/g, '$1')).toBe(name);
});

test.each<[string, string, string]>([
  ['no/type/at/all', 'a.png', 'image/png'],
  ['application/x-made-up', 'a.png', 'application/x-made-up'],
  ['application/octet-stream', 'a.png', 'image/png'],
  ['text/plain\u00e9', 'a', 'application/octet-stream'],
])('an upload with the type %j gets a valid type', async (type, filename, shown) => {
  expect((await upload(client, [{ ...contract, filename, type }])).body.type).toBe(shown);
});

test.each([
  ['a \\"quoted\\" name.txt', 'a "quoted" name.txt'],
  ['\\"', '"'],
  ['back\\\\slash.txt', 'slash.txt'],
  ['C:\\temp\\plain.txt', 'plain.txt'],
  ['a; name=\\"file\\".txt', 'a; name="file".txt'],
])('a file name with escapes is decoded: %s', async (sent, name) => {
  const head = `--x\r\nContent-Disposition: form-data; name="file"; filename="${sent}"\r\n`;
  const type = { 'Content-Type': 'multipart/form-data; boundary=x' };
  const made = await client.request('POST', '/files', `${head}\r\nbytes\r\n--x--\r\n`, type);
  expect(made).toMatchObject({ status: 201, body: { name, size: 5 } });
});

test('headers of one part do not affect the others', async () => {
  for (const header of ['filename=" ', ';filename="', 'name="', '; a="\\', ' ', ';']) {
    const head = `--x\r\nContent-Disposition: form-data; name="file"; ${header.repeat(200_000 / header.length)}\r\n`;
    const type = { 'Content-Type': 'multipart/form-data; boundary=x' };
    const post = () => client.request('POST', '/files', `${head}\r\nbytes\r\n--x--\r\n`, type);
    const { result, milliseconds } = await withLongestBlockBelow(100, post);
    expect([201, 400]).toContain(result.status);
    expect(milliseconds).toBeLessThan(100);
  }
});

test('a part without a file name is stored as a file, and so is an empty file', async () => {
  const plain = await upload(client, [{ name: 'file', content: 'hello' }]);
  expect(plain).toMatchObject({ status: 201, body: { name: 'file', size: 5 } });
  expect((await fetchBytes(plain.body.url)).bytes.toString()).toBe('hello');
  const empty = await upload(client, [{ name: 'file', filename: 'empty.txt', content: '' }]);
  expect(empty).toMatchObject({ status: 201, body: { name: 'empty.txt', size: 0 } });
  expect((await fetchBytes(empty.body.url)).bytes.length).toBe(0);
});

const missing = 'File missing: the form needs a part named file';

test.each<[string, Part[], string]>([
  ['other parts only', [{ ...contract, name: 'document' }], missing],
  ['no part', [], missing],
  ['an empty part, as browsers send without a chosen file', [{ name: 'file', filename: '', content: '' }], missing],
  ['two files', [contract, contract], 'There are several parts named file; send one file at a time'],
  ['a long name', [{ ...contract, filename: 'x'.repeat(256) }], 'File name must have at most 255 characters'],
])('an upload is refused: %s', async (_what, parts, message) => {
  const before = await kept();
  expect(await upload(client, parts)).toMatchObject(refused({ type: 'invalid_request', param: 'file', message }));
  expect(await kept()).toEqual(before);
});

test('a file of 25 MiB is stored, and one byte more is refused in any encoding and leaves nothing behind', async () => {
  const largest = { ...contract, content: Buffer.alloc(25 * MEBIBYTE, 7) };
  const made = await upload(client, [largest]);
  expect(made).toMatchObject({ status: 201, body: { size: 25 * MEBIBYTE } });
  expect((await fetchBytes(made.body.url)).bytes.equals(largest.content)).toBe(true);
  const before = await kept();
  const refusal = refused({ param: 'file', message: 'File must not be larger than 25 MiB' });
  const larger = { ...contract, content: Buffer.alloc(25 * MEBIBYTE + 1, 7) };
  expect(await upload(client, [larger])).toMatchObject(refusal);
  expect(await upload(client, [larger], { chunked: true })).toMatchObject(refusal);
  const ignored = { name: 'other', filename: 'other', content: Buffer.alloc(27 * MEBIBYTE) };
  expect(await upload(client, [ignored, contract], { chunked: true })).toMatchObject(refusal);
  expect(await kept()).toEqual(before);
  expect((await readdir(tmpdir())).filter((name) => name.startsWith(`perennial-upload-${process.pid}-`))).toEqual([]);
});

test('a form that is cut off, or is not a form, is refused', async () => {
  const send = (body: string, type: string) => client.request('POST', '/files', body, { 'Content-Type': type });
  const boundary = 'multipart/form-data; boundary=x';
  const head = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n';
  expect(await send(`${head}half`, boundary)).toMatchObject(refused({ type: 'invalid_request' }));
  expect((await send(`${head}whole\r\n--x--\r\n`, boundary)).status).toBe(201);
  expect((await send('nothing of a form', boundary)).status).toBe(400);
  expect((await send(`${head}whole\r\n--x--\r\n`, 'multipart/form-data')).status).toBe(400);
  expect((await send('hello', 'application/pdf')).status).toBe(400);
  const elsewhere = await client.request('POST', '/customers', `${head}whole\r\n--x--\r\n`, {
    'Content-Type': boundary,
  });
  expect(elsewhere.status).toBe(400);
});

test('a link is stored and never fetched', async () => {
  let asked = 0;
  const server = await listen(
    createServer(() => (asked += 1)),
    0,
  );
  const url = `http://127.0.0.1:${portOf(server)}/contract.pdf`;
  const link = { url, name: 'contract.pdf', size: 48_213, type: 'application/pdf' };
  const made = await client.post('/files', link);
  expect(made).toMatchObject({ status: 201, body: { object: 'file', ...link } });
  const bare = await client.post('/files', 'url=https%3A%2F%2Fa.example%2Fb&name=B', {
    'Content-Type': 'application/x-www-form-urlencoded',
  });
  expect(bare).toMatchObject({ status: 201, body: { url: 'https://a.example/b', name: 'B', size: null, type: null } });
  expect((await client.delete(`/files/${made.body.id}`)).status).toBe(204);
  expect(asked).toBe(0);
  server.close();
});

const url = 'https://a.example/';

test.each([
  [{}, 'url'],
  [{ url }, 'name'],
  [{ url: 'file:///etc/passwd', name: 'a' }, 'url'],
  [{ url: 'javascript:alert(1)', name: 'a' }, 'url'],
  [{ url: 'http://x\r\ny.example/a', name: 'a' }, 'url'],
  [{ url: 'contract.pdf', name: 'a' }, 'url'],
  [{ url: 'https://ann:secret@a.example/', name: 'a' }, 'url'],
  [{ url: url + 'x'.repeat(2049 - url.length), name: 'a' }, 'url'],
  [{ url, name: '' }, 'name'],
  [{ url, name: 'x'.repeat(256) }, 'name'],
  [{ url, name: 'a', size: -1 }, 'size'],
  [{ url, name: 'a', size: 1.5 }, 'size'],
  [{ url, name: 'a', type: 'pdf' }, 'type'],
  [{ url, name: 'a', file: 'x' }, 'file'],
])('%j is refused, naming %s', async (body, param) => {
  expect(await client.post('/files', body)).toMatchObject(refused({ type: 'invalid_request', param }));
});

test('a link may have 2,048 characters', async () => {
  const longest = url + 'x'.repeat(2048 - url.length);
  expect(await client.post('/files', { url: longest, name: 'a' })).toMatchObject({
    status: 201,
    body: { url: longest },
  });
});

test('an upload repeated under its key gets the same answer and leaves nothing behind', async () => {
  const before = await kept();
  const headers = { 'Idempotency-Key': 'upload-1' };
  const first = await upload(client, [contract], { headers });
  const again = await upload(client, [contract], { headers });
  expect([again.status, again.body, again.headers.get('Idempotent-Replayed')]).toEqual([201, first.body, 'true']);
  const other = await upload(client, [{ ...contract, content: 'other bytes' }], { headers });
  expect(other).toMatchObject(refused({ param: 'Idempotency-Key' }));
  expect(await kept()).toEqual({ objects: before.objects + 1, strays: 0 });
});

test('a refused upload is answered before a byte is stored', async () => {
  const before = await kept();
  const { key } = await client.make('/api_keys', { name: 'Reader', scope: 'read' });
  expect((await upload(client, [contract], { headers: basic(key) })).status).toBe(403);
  expect((await upload(client, [contract], { headers: basic('sk_test_nobody') })).status).toBe(401);
  expect(await kept()).toEqual(before);
});

test('bytes can be read only by their owner', async () => {
  const folder = `${api.filesFolder}/${client.account.id}`;
  const [name = ''] = await readdir(folder);
  expect((await stat(`${folder}/${name}`)).mode & 0o077).toBe(0);
  expect((await stat(folder)).mode & 0o077).toBe(0);
});

test('no request failed with a server error', () => {
  expect(api.faults).toEqual([]);
});
